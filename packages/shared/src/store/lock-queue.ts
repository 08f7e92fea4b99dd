/** Who waits for which lock inside this process, first come first served. A key that is present is taken. */
const waiters = new Map<string, (() => void)[]>()

/** Resolves when it is this caller's turn; rejects with the signal's reason when that comes first. */
export async function enterQueue(key: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const queue = waiters.get(key)
  if (queue === undefined) {
    waiters.set(key, [])
    return
  }
  await new Promise<void>((resolve, reject) => {
    const proceed = (): void => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = (): void => {
      queue.splice(queue.indexOf(proceed), 1)
      reject(signal.reason as Error)
    }
    queue.push(proceed)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** Ends this caller's turn and starts the next one's. */
export function leaveQueue(key: string): void {
  const next = waiters.get(key)?.shift()
  if (next === undefined) waiters.delete(key)
  else next()
}
