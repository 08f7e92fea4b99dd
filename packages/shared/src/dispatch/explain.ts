import { computeCharges } from '../quota/index.ts'
import type { DispatchState } from './dispatch-state.ts'
import { findObstacle, listEligible } from './eligibility.ts'
import type { SettleCause } from './events.ts'
import type { FrontierEntry } from './frontier.ts'
import { estimateWork, needsProbe, type PoolEntry } from './pool-entry.ts'

/** Why a work item is not assigned. */
export type NodeExplanation =
  /** One constraint binds; `freesAt` is null when only the end of other work frees it. */
  | {
      readonly kind: 'waiting'
      readonly nodeId: string
      readonly poolId: string
      /** The resource or key that binds, or what the pool is kept for. */
      readonly constraint: string
      readonly freesAt: number | null
      readonly message: string
    }
  /** Somebody else holds it; it is tried again at `retryAt`. */
  | { readonly kind: 'held'; readonly nodeId: string; readonly retryAt: number }
  /** Each pool that could take it is closed for the run. */
  | {
      readonly kind: 'exhausted'
      readonly nodeId: string
      readonly pools: readonly { readonly poolId: string; readonly cause: SettleCause }[]
    }
  /** No pool can ever take it, whatever its limits. */
  | {
      readonly kind: 'unplaceable'
      readonly nodeId: string
      readonly pools: readonly { readonly poolId: string; readonly reason: string }[]
    }

/** Explains every work item that neither runs nor is done, in order of arrival. */
export function explainWaiting(state: DispatchState, now: number): NodeExplanation[] {
  const explanations: NodeExplanation[] = []
  for (const entry of state.frontier.list()) {
    if (entry.state !== 'in_flight') explanations.push(explainEntry(state, entry, now))
  }
  return explanations
}

function explainEntry(state: DispatchState, entry: FrontierEntry, now: number): NodeExplanation {
  const { node, skipped } = entry
  if (entry.state === 'held') return { kind: 'held', nodeId: node.id, retryAt: entry.heldUntil }
  const eligible = listEligible(state.pools, node, skipped)
  if (eligible.length === 0) {
    const pools = state.pools.map((pool) => ({
      poolId: pool.pool.id,
      reason: findObstacle(pool, node, skipped) ?? 'its window is smaller than that of other pools',
    }))
    return { kind: 'unplaceable', nodeId: node.id, pools }
  }
  const [first, ...rest] = eligible
    .filter(({ settled }) => settled === undefined)
    .map((pool) => explainPool(state, { pool, entry, now }))
  if (first === undefined) {
    const pools = eligible.flatMap(({ pool, settled }) =>
      settled === undefined ? [] : [{ poolId: pool.id, cause: settled }],
    )
    return { kind: 'exhausted', nodeId: node.id, pools }
  }
  return rest.reduce(pickSooner, first)
}

type Waiting = Extract<NodeExplanation, { kind: 'waiting' }>

/** The pool that frees sooner; one without a time is later than any. */
function pickSooner(left: Waiting, right: Waiting): Waiting {
  const leftAt = left.freesAt ?? Number.POSITIVE_INFINITY
  const rightAt = right.freesAt ?? Number.POSITIVE_INFINITY
  return leftAt <= rightAt ? left : right
}

function explainPool(
  { ledger, inFlight }: DispatchState,
  { pool, entry, now }: { pool: PoolEntry; entry: FrontierEntry; now: number },
): Waiting {
  const poolId = pool.pool.id
  const base = { kind: 'waiting', nodeId: entry.node.id, poolId } as const
  const estimate = estimateWork(pool, entry.node)
  const refusal = ledger.check(computeCharges(pool.folded, estimate), now)
  if (refusal !== undefined) {
    const { binding, cause, retryAt } = refusal
    const state = cause === 'level' ? 'is used up' : `is ${cause}`
    return { ...base, constraint: binding, freesAt: retryAt, message: `${binding} ${state}` }
  }
  if (pool.probesInFlight > 0 && needsProbe(pool, entry.node)) {
    return {
      ...base,
      constraint: 'context_tokens',
      freesAt: null,
      message: describeUnknownWindow(pool, estimate.inputTokens),
    }
  }
  const message =
    inFlight.size > 0
      ? `${poolId} is free, but a faster pool will finish it sooner or older work is owed what is left`
      : `${poolId} is free`
  return { ...base, constraint: 'order', freesAt: now, message }
}

function describeUnknownWindow({ pool, folded }: PoolEntry, inputTokens: number): string {
  const known = folded.contextTokens
  return known === null
    ? `context_tokens of ${pool.id} is not known, so that work of ${inputTokens} tokens is tried one at a time; ` +
        'state context_tokens in its source'
    : `${inputTokens} estimated tokens are above the window of ${known} of ${pool.id}, so that they are tried one at a time`
}
