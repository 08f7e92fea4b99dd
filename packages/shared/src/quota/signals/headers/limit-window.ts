import type { ConstraintKind, ConstraintUnit } from '../../constraint.ts'

/** One limit as a response states it. A figure that is absent, negative or not a number is null: unknown, not zero. */
export interface LimitWindow {
  /** The provider's own name, stable per provider: `requests`, `priority-input-tokens`, `5h`, `codex-primary`, `retry-after`. */
  readonly name: string
  /** How the limit gives back; `retry_after` is no limit but the server's word on when to come again. */
  readonly kind: ConstraintKind | 'retry_after'
  readonly unit: ConstraintUnit | 'byte' | 'credit'
  /** Length of the window, or the time in which a rate gives back its whole limit. */
  readonly perSeconds: number | null
  readonly limit: number | null
  readonly remaining: number | null
  /**
   * Epoch milliseconds. Of a rate it is when the bucket is full again, so an upper bound for the next request; of a
   * window its reset; of `retry_after` the earliest legal retry.
   */
  readonly resetAt: number | null
  /** Used share, 0 to 1, where the provider states that instead of amounts. */
  readonly utilization?: number
  /** The provider's own judgement, where it gives one. */
  readonly status?: 'allowed' | 'warning' | 'rejected'
  /** `remaining` is rounded to this, so the true figure is within half of it. */
  readonly roundedTo?: number
  /** What this one call was charged. */
  readonly charged?: number
  /** The model family or named limit that the window is for, where it is not for the whole account. */
  readonly family?: string
}

const HOUR_SECONDS = 3_600

/** Per-minute and hourly limits give back continuously; what lasts longer is waited for. */
export function pickKind(perSeconds: number | null): 'rate' | 'window' {
  return perSeconds === null || perSeconds <= HOUR_SECONDS ? 'rate' : 'window'
}

/** Whether the window says by itself that nothing is left of it. */
export function isExhausted(window: LimitWindow): boolean {
  if (window.status !== undefined) return window.status === 'rejected'
  if (window.utilization !== undefined) return window.utilization >= 1
  return window.remaining === 0
}

/** An amount that can be one: not negative, not NaN. */
export function parseFigure(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,15}(?:\.\d{1,9})?$/.test(text.trim())) return null
  return Number(text)
}

/** A limit that can be one: providers send 0 and -1 for "not stated". */
export function parseLimit(text: string | undefined): number | null {
  const limit = parseFigure(text)
  return limit === 0 ? null : limit
}

/** What is left, unless the same response shows by a limit of 0 or -1 that its figures mean nothing. */
export function parseRemaining(
  remaining: string | undefined,
  limit: string | undefined,
): number | null {
  return limit !== undefined && parseLimit(limit) === null ? null : parseFigure(remaining)
}
