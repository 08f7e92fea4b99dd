import type { ConstraintUnit, WorkUsage } from '../quota/index.ts'

/**
 * How a launched piece of work ended. Only `ok` carries a result; what a result says is never read for limits.
 */
export type OutcomeKind =
  | 'ok'
  | 'throttle'
  | 'window'
  | 'day'
  | 'credit'
  | 'auth'
  | 'model_gone'
  | 'overload'
  | 'too_large'
  | 'refused'
  | 'bad_output'
  | 'timeout'
  | 'crash'
  | 'spawn_failed'
  | 'transient'
  | 'cancelled'

export interface LaunchOutcome {
  readonly kind: OutcomeKind
  /** What the call used, where the provider said so. */
  readonly usage?: WorkUsage
  /** Epoch milliseconds until which the provider asked to wait; null or absent when it stated nothing. */
  readonly until?: number | null
  /** Whom the limit belongs to; the account for limits and the endpoint for overload where absent. */
  readonly scope?: 'account' | 'endpoint' | 'model'
  /** What the limit counts, where the provider named it. */
  readonly unit?: ConstraintUnit
  /** What went wrong, for the next attempt and for people. */
  readonly message?: string
  /** Names the persisted result of `ok`. */
  readonly resultRef?: string
}
