import type { Clock } from '../core/index.ts'

/**
 * npm passes Ctrl-C on to a child that the terminal has told already, so two signals within this time are one request
 * to stop.
 */
const REPEAT_AFTER_MS = 400

const signals = ['SIGINT', 'SIGTERM'] as const

/** Why a command was asked to stop. */
class Interruption extends Error {
  readonly by: (typeof signals)[number] | 'closed output'

  constructor(by: Interruption['by']) {
    super(`stopped by ${by}`)
    this.name = 'AbortError'
    this.by = by
  }
}

export interface Interrupts {
  readonly signal: AbortSignal
  stop(by: Interruption['by']): void
  dispose(): void
}

/** Turns SIGINT and SIGTERM into one abort; a later signal has its usual effect and ends the process at once. */
export function listenForInterrupts(clock: Clock): Interrupts {
  const controller = new AbortController()
  let stoppedAt = 0
  const stop = (by: Interruption['by']): void => {
    if (controller.signal.aborted) return
    stoppedAt = clock.monotonic()
    controller.abort(new Interruption(by))
  }
  const dispose = (): void => {
    for (const name of signals) process.removeListener(name, onSignal)
  }
  const onSignal = (name: (typeof signals)[number]): void => {
    if (!controller.signal.aborted) return stop(name)
    if (clock.monotonic() - stoppedAt < REPEAT_AFTER_MS) return
    dispose()
    process.kill(process.pid, name)
  }
  for (const name of signals) process.on(name, onSignal)
  return { signal: controller.signal, stop, dispose }
}

/** Why `error` was thrown, when it was because the command was told to stop. */
export function readInterruption(error: unknown, signal: AbortSignal): Interruption | undefined {
  if (!(signal.reason instanceof Interruption)) return undefined
  const isAbort = error instanceof Error && error.name === 'AbortError'
  return isAbort ? signal.reason : undefined
}
