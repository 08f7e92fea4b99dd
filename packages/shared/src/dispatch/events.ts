import type { OutcomeClass } from '../providers/index.ts'
import type { WorkEstimate } from '../quota/index.ts'
import type { FrontierNode } from './frontier-node.ts'
import type { WorkOutcome } from './outcome.ts'

/** Why a pool is closed for the run. */
export type SettleCause = 'credit' | 'auth' | 'model_gone' | 'elsewhere' | 'requested'

/** Everything that can happen to a coordinator. */
export type DispatchEvent =
  /** Work items became ready to start. */
  | { readonly kind: 'nodes_added'; readonly nodes: readonly FrontierNode[] }
  /** Work items are no longer wanted; what is in flight is left alone. */
  | { readonly kind: 'nodes_removed'; readonly nodeIds: readonly string[] }
  /** Something changed, or an instant came, that may let work start. */
  | { readonly kind: 'plan_due' }
  /** The claim of a planned start was granted. */
  | {
      readonly kind: 'claim_granted'
      readonly nodeId: string
      readonly ownerToken: string
      readonly epoch: number
    }
  /** Somebody else holds the work item, until `until` where that is known. */
  | { readonly kind: 'claim_lost'; readonly nodeId: string; readonly until?: number }
  /** The work item turned out to be done already. */
  | { readonly kind: 'claim_done'; readonly nodeId: string; readonly resultRef: string }
  /** Launched work came to an end. */
  | { readonly kind: 'work_ended'; readonly nodeId: string; readonly outcome: WorkOutcome }
  /** The registry answered to a completion. */
  | {
      readonly kind: 'completion_answered'
      readonly nodeId: string
      readonly answer: 'accepted' | 'duplicate' | 'stale'
    }
  /** A claim was given up before its work ended. */
  | { readonly kind: 'work_released'; readonly nodeId: string }
  /** A pool is closed for the run. */
  | { readonly kind: 'pool_settled'; readonly poolId: string; readonly cause: SettleCause }
  /** A pool showed a limit or a closed door outside of any work item: to a canary, or after a valid result. */
  | { readonly kind: 'pool_observed'; readonly poolId: string; readonly outcome: WorkOutcome }
  /** A pool must rest until an instant. */
  | { readonly kind: 'pool_parked'; readonly poolId: string; readonly until: number }

/** Everything that a coordinator decides; its shell carries the commands out in order. */
export type DispatchCommand =
  /** Claim the work item, which is booked on the pool already, and answer with a claim event. */
  | {
      readonly kind: 'claim'
      readonly nodeId: string
      readonly poolId: string
      readonly reservationId: string
      readonly estimate: WorkEstimate
    }
  /** Accept the persisted result by its epoch. */
  | {
      readonly kind: 'complete'
      readonly nodeId: string
      readonly poolId: string
      readonly epoch: number
      readonly resultRef: string
    }
  /** Somebody else did the work item: take the accepted result in. */
  | { readonly kind: 'adopt'; readonly nodeId: string; readonly resultRef: string }
  /** Give the claim back. */
  | { readonly kind: 'release'; readonly nodeId: string; readonly ownerToken: string }
  /** The work item waits for its next start and stays owned. */
  | {
      readonly kind: 'requeue'
      readonly nodeId: string
      readonly poolId: string
      readonly cause: OutcomeClass
      readonly attempts: number
      readonly message: string | null
    }
  /** No pool takes the work item at its size: cut it into smaller ones. */
  | {
      readonly kind: 'split'
      readonly nodeId: string
      readonly poolId: string
      readonly message: string | null
    }
  /** The work item left the frontier without a result: a person decides. */
  | {
      readonly kind: 'give_up'
      readonly nodeId: string
      readonly poolId: string
      readonly cause: OutcomeClass
      readonly message: string | null
    }
  /** Close the pool for the run. */
  | {
      readonly kind: 'settle_pool'
      readonly poolId: string
      readonly cause: SettleCause
      readonly message: string | null
    }
  /** A key rests: the account, endpoint or model that the provider limited. */
  | {
      readonly kind: 'rest'
      readonly key: string
      readonly state: 'cooling' | 'parked'
      readonly until: number
      readonly cause: OutcomeClass | 'requested'
    }
