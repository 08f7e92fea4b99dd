import type { Confidence, ConstraintUnit } from '../constraint.ts'
import type { LimitWindow } from './headers/index.ts'

/**
 * The outcome class that the evidence of a failure shows. `none`: it is not about limits, access or capacity. `unknown`:
 * it looks like a limit, or is a failed call, that no grammar reads; a reason to keep the text, never to close a pool.
 */
export type FailureKind =
  | 'throttle'
  | 'window'
  | 'day'
  | 'credit'
  | 'auth'
  | 'model_gone'
  | 'overload'
  | 'too_large'
  | 'refused'
  | 'timeout'
  | 'transient'
  | 'none'
  | 'unknown'

/** What the failure is a fact about. `item`: this work item only, so that nothing rests for it. */
export type SignalScope = 'account' | 'endpoint' | 'model' | 'pool' | 'host' | 'item'

/**
 * What `until` was read from, or `kind` where there is no `until`. Times of `body`, `retry_after` and `prose` are
 * stated; one of `limit_headers` is an upper bound where the limit is a rate; `calendar` is the provider's documented
 * day or month end.
 */
export type SignalSource =
  | 'body'
  | 'retry_after'
  | 'limit_headers'
  | 'prose'
  | 'calendar'
  | 'status'
  | 'none'

/** What a failure said about a limit, for the ledger and the sizing record to learn from. */
export interface ObservedLimits {
  /** The unit that was short; `context_token` is the model's context window. */
  readonly dimension?: ConstraintUnit | 'context_token'
  readonly perSeconds?: number
  readonly limit?: number
  readonly used?: number
  readonly requested?: number
  /** The model family or named limit, where the provider names one. */
  readonly family?: string
  readonly windows?: readonly LimitWindow[]
}

/** The one reading of a failure. */
export interface FailureSignal {
  readonly kind: FailureKind
  /** Epoch milliseconds at which the limit ends; null when nobody stated it. */
  readonly until: number | null
  readonly scope: SignalScope
  readonly source: SignalSource
  readonly confidence: Confidence
  readonly observed?: ObservedLimits
}
