import { type DispatchState, readPoolRest } from './dispatch-state.ts'
import { listEligible } from './eligibility.ts'
import type { FrontierNode } from './frontier-node.ts'
import type { PoolEntry } from './pool-entry.ts'

/** The record with which a run pauses for a person: what is left, and why. */
export interface PartialCompletionTerminal {
  readonly reason: string
  /** Sorted. */
  readonly stranded_ids: readonly string[]
}

/** Whether a run can go on with what is left. */
export type CoordinatorTerminalStatus =
  | {
      readonly kind: 'dispatchable'
      /** Epoch milliseconds; given when every pool that is left only rests. */
      readonly waiting_until?: number
      readonly reasons?: readonly string[]
    }
  | { readonly kind: 'all_pools_exhausted'; readonly terminal: PartialCompletionTerminal }

/** Builds the terminal of a run whose pools are all closed. */
export function buildEmptyPoolTerminal(
  strandedIds: readonly string[],
  causes: readonly { readonly poolId: string; readonly cause: string }[] = [],
): PartialCompletionTerminal {
  const because = causes.map(({ poolId, cause }) => `${poolId} (${cause})`).join(', ')
  return {
    reason:
      because === ''
        ? 'every pool is closed for this run'
        : `every pool that could take the rest is closed for this run: ${because}`,
    stranded_ids: strandedIds.toSorted(),
  }
}

/**
 * Judges what is left when nothing runs. Exhausted only when every pool that could ever take it is settled: a pool that
 * rests comes back by itself, and a work item that no pool can take is not a matter of quota.
 */
export function judgeTerminal(
  state: DispatchState,
  nodeIds: readonly string[],
  now: number,
): CoordinatorTerminalStatus {
  const judged = nodeIds.map((id) => {
    const eligible = listPools(state, id)
    return { id, eligible, open: eligible.filter(({ settled }) => settled === undefined) }
  })
  const alive = judged.filter(({ open }) => open.length > 0)
  if (alive.length > 0) return judgeOpen(state, new Set(alive.flatMap(({ open }) => open)), now)
  const stranded = judged.filter(({ eligible }) => eligible.length > 0)
  if (stranded.length === 0) return { kind: 'dispatchable' }
  const settled = new Set(stranded.flatMap(({ eligible }) => eligible))
  const causes = [...settled].map(({ pool, settled: cause }) => ({
    poolId: pool.id,
    cause: cause ?? 'elsewhere',
  }))
  const ids = stranded.map(({ id }) => id)
  return { kind: 'all_pools_exhausted', terminal: buildEmptyPoolTerminal(ids, causes) }
}

function listPools({ frontier, pools }: DispatchState, id: string): readonly PoolEntry[] {
  const entry = frontier.get(id)
  const unknown: FrontierNode = { id, estimatedTokens: 0 }
  return entry === undefined
    ? listEligible(pools, unknown, new Set())
    : listEligible(pools, entry.node, entry.skipped)
}

function judgeOpen(
  state: DispatchState,
  open: ReadonlySet<PoolEntry>,
  now: number,
): CoordinatorTerminalStatus {
  const rests = [...open].map((pool) => ({ pool, rest: readPoolRest(state, pool, now) }))
  const instants = rests.flatMap(({ rest }) => (rest === null ? [] : [rest.until]))
  if (instants.length < rests.length) return { kind: 'dispatchable' }
  return {
    kind: 'dispatchable',
    waiting_until: Math.min(...instants),
    reasons: rests.flatMap(({ pool, rest }) =>
      rest === null
        ? []
        : [
            `${pool.pool.id}: ${rest.key} is ${rest.state} until ${new Date(rest.until).toISOString()}`,
          ],
    ),
  }
}
