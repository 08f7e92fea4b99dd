import { measureCharge } from '../quota/index.ts'
import { type DispatchState, readPoolRest } from './dispatch-state.ts'
import { expectDurationMs } from './experience.ts'
import type { PendingClass } from './frontier.ts'
import type { Lane } from './lane.ts'
import { estimateWork, type PoolEntry } from './pool-entry.ts'

/** A pool counts as faster from this factor on. */
const FASTER_FACTOR = 1.25

interface Helper {
  readonly durationMs: number
  /** Items that it finishes per millisecond. */
  readonly rate: number
  readonly restMs: number
}

/**
 * Whether faster pools would have finished everything that waits, this work included, before the lane finishes this
 * work. Never true while no duration is known or no faster pool is bound to be heard of again.
 */
export function finishesSoonerElsewhere(
  { state, now }: { readonly state: DispatchState; readonly now: number },
  { pool }: Lane,
  { pendingClass, size }: { readonly pendingClass: PendingClass; readonly size: number },
): boolean {
  const ownMs = expectDurationMs(pool.experience, size)
  if (ownMs === undefined) return false
  const helpers = pendingClass.eligible.flatMap((index) => {
    const other = state.pools[index]
    return other === undefined || other === pool
      ? []
      : (describeHelper(state, other, { size, now }) ?? [])
  })
  const faster = helpers.filter(({ durationMs }) => durationMs * FASTER_FACTOR < ownMs)
  if (faster.length === 0) return false
  return ownMs > measureClearanceMs(faster, state.frontier.pendingCount)
}

function describeHelper(
  state: DispatchState,
  pool: PoolEntry,
  { size, now }: { size: number; now: number },
): Helper | undefined {
  const durationMs = expectDurationMs(pool.experience, size)
  if (durationMs === undefined || pool.settled !== undefined) return undefined
  const rest = readPoolRest(state, pool, now)
  if (rest === null && pool.inFlight === 0) return undefined
  const restMs = rest === null ? 0 : rest.until - now
  return { durationMs, rate: measureRate(state, pool, { durationMs, now }), restMs }
}

/** Items of mean size that a pool finishes per millisecond under its slots and rates. */
function measureRate(
  { ledger, frontier }: DispatchState,
  pool: PoolEntry,
  { durationMs, now }: { durationMs: number; now: number },
): number {
  const estimate = estimateWork(pool, { id: '', estimatedTokens: frontier.meanSize })
  const rates = pool.folded.metered.map(({ constraint, resource }) => {
    const charge = measureCharge(pool.folded, constraint, estimate)
    const capacity = ledger.read(resource, now)?.capacityMicro ?? 0
    if (charge <= 0) return Number.POSITIVE_INFINITY
    if (constraint.kind === 'concurrency') return capacity / charge / durationMs
    const { kind, perSeconds, limit } = constraint
    if (kind !== 'rate' || perSeconds === undefined || typeof limit !== 'number') {
      return Number.POSITIVE_INFINITY
    }
    return (limit * 1_000_000) / charge / (perSeconds * 1_000)
  })
  return Math.min(...rates)
}

/** When the helpers together are through with `count` items: the backlog as a fluid, then the last item's duration. */
function measureClearanceMs(helpers: readonly Helper[], count: number): number {
  const rate = helpers.reduce((sum, helper) => sum + helper.rate, 0)
  const lost = helpers.reduce((sum, helper) => sum + helper.rate * helper.restMs, 0)
  const backlogMs = Number.isFinite(rate) ? (count + lost) / rate : 0
  return backlogMs + Math.max(...helpers.map(({ durationMs }) => durationMs))
}
