import type { Clock } from '../core/index.ts'

/** Something to wait for that may be rung before anybody waits. */
export class Alarm {
  #isRung = false
  #wake: (() => void) | undefined

  readonly ring = (): void => {
    this.#isRung = true
    this.#wake?.()
  }

  /**
   * Waits until the alarm is rung, and uses the ring up; at the latest until `wakeAt` (epoch milliseconds) where that is
   * given, or until `signal` is aborted.
   */
  async wait(clock: Clock, wakeAt: number | null, signal: AbortSignal): Promise<void> {
    const sleeping = new AbortController()
    signal.addEventListener('abort', this.ring, { once: true })
    const rung = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    if (this.#isRung || signal.aborted) this.#wake?.()
    else if (wakeAt !== null) {
      const sleep = clock.sleep(Math.max(0, wakeAt - clock.now()), sleeping.signal)
      // The sleep is cut short when the alarm is rung first.
      sleep.then(this.#wake, () => undefined)
    }
    await rung
    sleeping.abort()
    signal.removeEventListener('abort', this.ring)
    this.#isRung = false
    this.#wake = undefined
  }
}
