import { setTimeout as delay } from 'node:timers/promises'

/** Longest delay Node's timers take in one go; a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The only source of time. Instants are epoch milliseconds, durations are milliseconds. */
export interface Clock {
  /** Wall time; may jump when the machine sleeps or the clock is set. */
  now(): number
  /** Time that never goes back, for measuring how long something ran. */
  monotonic(): number
  /** Resolves after `delayMs`; rejects with the signal's reason when aborted. Any length is allowed. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(delayMs, signal) {
    let leftMs = Math.max(0, delayMs)
    do {
      const stepMs = Math.min(leftMs, MAX_TIMER_MS)
      await delay(stepMs, undefined, signal ? { signal } : undefined)
      leftMs -= stepMs
    } while (leftMs > 0)
  },
}
