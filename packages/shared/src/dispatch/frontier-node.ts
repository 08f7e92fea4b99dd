import type { Ability, Rank, WorkEstimate } from '../quota/index.ts'

/** A work item that may start now, as the coordinator sees it. */
export interface FrontierNode {
  /** Arbitrary text, unique in the run. */
  readonly id: string
  /** Input tokens: an estimate, unless `isCounted`. */
  readonly estimatedTokens: number
  /** Whether `estimatedTokens` was counted: only a counted size can rule a pool out for good. */
  readonly isCounted?: boolean
  /** Tokens that the answer is expected to have; learned where absent. */
  readonly outputTokens?: number
  /** The largest answer that the call will ask for; the pool's own maximum where absent. */
  readonly maxOutputTokens?: number
  /** The least rank that may do it. */
  readonly rank?: Rank
  readonly needs?: readonly Ability[]
  /** Pools that must not get it. */
  readonly skipPools?: readonly string[]
  /** Work with the same prefix shares the start of its prompt, which a provider may have cached. */
  readonly prefix?: string
}

/** A node that this owner has claimed and booked on a pool. */
export interface NodeAssignment {
  readonly nodeId: string
  readonly poolId: string
  readonly providerName: string
  readonly hostModel: string | null
  readonly ownerToken: string
  readonly epoch: number
  readonly reservationId: string
  readonly estimate: WorkEstimate
  /** What earlier attempts were told, for the next prompt; oldest first. */
  readonly notes: readonly string[]
}
