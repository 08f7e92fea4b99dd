import type { Clock } from '../core/index.ts'

/** A clock that stands still until the test moves it. */
export interface FakeClock extends Clock {
  /** Moves both clocks forward and wakes every sleeper that is due, in order of their times. */
  advance(durationMs: number): Promise<void>
  /** Sets the wall clock alone, as a person or a time server does; monotonic time stays. */
  setWallTime(at: number): void
  /** Sleepers that have not woken. */
  readonly sleepers: number
}

interface Sleeper {
  readonly dueAt: number
  readonly wake: () => void
}

/** A fake clock that starts at `startAt` (epoch ms). */
export function createFakeClock(startAt = Date.UTC(2026, 0, 1)): FakeClock {
  let elapsedMs = 0
  let offsetMs = startAt
  const sleepers = new Set<Sleeper>()

  return {
    now: () => offsetMs + elapsedMs,
    monotonic: () => elapsedMs,
    get sleepers() {
      return sleepers.size
    },
    sleep(delayMs, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(toError(signal.reason))
          return
        }
        const abort = (): void => {
          sleepers.delete(sleeper)
          reject(toError(signal?.reason))
        }
        const wake = (): void => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', abort)
          resolve()
        }
        const sleeper: Sleeper = { dueAt: elapsedMs + Math.max(0, delayMs), wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', abort, { once: true })
      })
    },
    async advance(durationMs) {
      const target = elapsedMs + durationMs
      for (;;) {
        const [next] = [...sleepers].toSorted((left, right) => left.dueAt - right.dueAt)
        if (next === undefined || next.dueAt > target) break
        elapsedMs = Math.max(elapsedMs, next.dueAt)
        next.wake()
        await settle()
      }
      elapsedMs = target
      await settle()
    },
    setWallTime(at) {
      offsetMs = at - elapsedMs
    },
  }
}

/** Lets everything that is ready to run do so. */
async function settle(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}
