import type { OutcomeClass, TokenUsage } from '../providers/index.ts'
import type { ConstraintUnit } from '../quota/index.ts'

/**
 * How launched work ended, as far as the coordinator cares; a provider's outcome is one. What a result says is not in it
 * and is never read for limits.
 */
export interface WorkOutcome {
  readonly class: OutcomeClass
  readonly usage?: TokenUsage | null
  /** Epoch milliseconds until which the provider asked to wait; null or absent when it stated nothing. */
  readonly until?: number | null
  /** Whose limit it was: `account`, `endpoint`, `model`, `pool`, `host` or `item`. */
  readonly scope?: string | null
  /** What the limit counts, where the provider named it. */
  readonly unit?: ConstraintUnit
  /** What went wrong, for the next attempt and for people. */
  readonly message?: string
  /** Response headers, for the limits that they state. */
  readonly headers?: Readonly<Record<string, string>>
  /** Names the persisted result of `ok`; the reservation does where absent. */
  readonly resultRef?: string
}
