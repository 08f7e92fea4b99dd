import { AuditToolsError, type Clock } from '../core/index.ts'

/** Wake-ups at one instant after which something must be waking itself for ever. */
const MAX_WAKES_PER_INSTANT = 100_000

interface Sleeper {
  readonly dueAt: number
  /** Sleepers that are due together wake in the order in which they fell asleep. */
  readonly order: number
  wake: (() => void) | undefined
}

/** A clock whose time passes only while everybody sleeps, and then at once. */
export interface VirtualClock extends Clock {
  /**
   * Lets time pass until `work` has settled. Throws `internal-fault` when nobody will ever wake, or when somebody wakes
   * again and again without time passing.
   */
  run<Value>(work: Promise<Value>): Promise<Value>
}

/** A virtual clock that starts at `startAt` (epoch milliseconds). */
export function createVirtualClock(startAt: number): VirtualClock {
  const sleepers = new SleeperQueue()
  let elapsedMs = 0
  let order = 0
  return {
    now: () => startAt + elapsedMs,
    monotonic: () => elapsedMs,
    sleep(delayMs, signal) {
      return new Promise((resolve, reject) => {
        order += 1
        const dueAt = elapsedMs + Math.max(0, Math.ceil(delayMs))
        const abort = (): void => {
          sleeper.wake = undefined
          reject(new Error('the sleep was cut short', { cause: signal?.reason }))
        }
        const wake = (): void => {
          signal?.removeEventListener('abort', abort)
          resolve()
        }
        const sleeper: Sleeper = { dueAt, order, wake }
        if (signal?.aborted) {
          abort()
          return
        }
        signal?.addEventListener('abort', abort, { once: true })
        sleepers.push(sleeper)
      })
    },
    async run(work) {
      let isSettled = false
      const settle = (): void => {
        isSettled = true
      }
      work.then(settle, settle)
      let wakes = 0
      for (;;) {
        await finishWork()
        if (isSettled) return work
        const next = sleepers.takeDue()
        if (next === undefined) throw createFault('everybody waits for something that never comes')
        wakes = next.dueAt > elapsedMs ? 0 : wakes + 1
        if (wakes > MAX_WAKES_PER_INSTANT) throw createFault('something wakes itself for ever')
        elapsedMs = next.dueAt
        for (const wake of next.wakes) wake()
      }
    },
  }
}

function createFault(what: string): AuditToolsError {
  return new AuditToolsError('internal-fault', `the simulated run stands still: ${what}`)
}

/** Lets everything that is ready to run do so. */
async function finishWork(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** A binary heap by time and order; sleepers that were cut short stay until their time comes. */
class SleeperQueue {
  readonly #heap: Sleeper[] = []

  push(sleeper: Sleeper): void {
    const heap = this.#heap
    let place = heap.length
    while (place > 0) {
      const parent = (place - 1) >> 1
      const above = heap[parent]
      if (above === undefined || isBefore(above, sleeper)) break
      heap[place] = above
      place = parent
    }
    heap[place] = sleeper
  }

  /** Takes out everybody who is due at the earliest instant at which anybody is. */
  takeDue(): { readonly dueAt: number; readonly wakes: readonly (() => void)[] } | undefined {
    const wakes: (() => void)[] = []
    let dueAt: number | undefined
    for (let next = this.#heap[0]; next !== undefined; next = this.#heap[0]) {
      if (dueAt !== undefined && next.dueAt > dueAt) break
      this.#removeFirst()
      if (next.wake === undefined) continue
      dueAt = next.dueAt
      wakes.push(next.wake)
    }
    return dueAt === undefined ? undefined : { dueAt, wakes }
  }

  #removeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let place = 0
    for (;;) {
      const left = heap[2 * place + 1]
      const right = heap[2 * place + 2]
      if (left === undefined) break
      const isRight = right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (isBefore(last, child)) break
      heap[place] = child
      place = 2 * place + (isRight ? 2 : 1)
    }
    heap[place] = last
  }
}

function isBefore(left: Sleeper, right: Sleeper): boolean {
  return left.dueAt === right.dueAt ? left.order < right.order : left.dueAt < right.dueAt
}
