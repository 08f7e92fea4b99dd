import type { Clock } from '../core/index.ts'
import type { ClockName } from './outcome.ts'

/** Limits in milliseconds; absent means none. */
export interface ClockLimits {
  /** Until the first output. */
  readonly startTimeoutMs?: number | undefined
  /** Between two outputs; before the first one only where there is no start limit. */
  readonly idleTimeoutMs?: number | undefined
  readonly totalTimeoutMs?: number | undefined
}

/** Longest stretch between two looks. A longer one means that this machine or process slept: that is not charged. */
const longestStepMs = 1000

/** Counts how long a process ran, was silent and took to start, as it would have seen it. */
class ProcessClocks {
  private readonly limits: ClockLimits
  private totalMs = 0
  private silentMs = 0
  private lastOutputAt: number | undefined

  constructor(limits: ClockLimits) {
    this.limits = limits
  }

  noteOutput(monotonicNow: number): void {
    this.lastOutputAt = monotonicNow
    this.silentMs = 0
  }

  /** Takes in the `elapsedMs` that ended just now. */
  charge(elapsedMs: number, monotonicNow: number): void {
    this.totalMs += elapsedMs
    this.silentMs += Math.min(elapsedMs, monotonicNow - (this.lastOutputAt ?? -Infinity))
  }

  /** The clock that runs out next; undefined when none is set. */
  findNext(): { readonly clock: ClockName; readonly leftMs: number } | undefined {
    const { startTimeoutMs, idleTimeoutMs, totalTimeoutMs } = this.limits
    const starting = this.lastOutputAt === undefined && startTimeoutMs !== undefined
    const clocks = [
      { clock: 'total' as const, limitMs: totalTimeoutMs, spentMs: this.totalMs },
      starting
        ? { clock: 'start' as const, limitMs: startTimeoutMs, spentMs: this.totalMs }
        : { clock: 'idle' as const, limitMs: idleTimeoutMs, spentMs: this.silentMs },
    ]
    return clocks
      .flatMap(({ clock, limitMs, spentMs }) =>
        limitMs === undefined ? [] : [{ clock, leftMs: limitMs - spentMs }],
      )
      .toSorted((a, b) => a.leftMs - b.leftMs)[0]
  }
}

export interface RunningClocks {
  noteOutput(): void
  /** Resolves with the clock that ran out; with undefined once `signal` is aborted. */
  readonly expired: Promise<ClockName | undefined>
}

export function startClocks(limits: ClockLimits, clock: Clock, signal: AbortSignal): RunningClocks {
  const clocks = new ProcessClocks(limits)
  const noteOutput = (): void => clocks.noteOutput(clock.monotonic())
  return { noteOutput, expired: waitForExpiry(clocks, clock, signal) }
}

async function waitForExpiry(
  clocks: ProcessClocks,
  clock: Clock,
  signal: AbortSignal,
): Promise<ClockName | undefined> {
  while (!signal.aborted) {
    const next = clocks.findNext()
    if (next !== undefined && next.leftMs <= 0) return next.clock
    const stepMs = Math.min(next?.leftMs ?? longestStepMs, longestStepMs)
    const before = clock.monotonic()
    try {
      await clock.sleep(stepMs, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      return undefined
    }
    const now = clock.monotonic()
    clocks.charge(Math.min(now - before, stepMs + longestStepMs), now)
  }
  return undefined
}
