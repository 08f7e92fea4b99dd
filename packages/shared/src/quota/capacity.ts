import { systemClock } from '../core/index.ts'
import { computeCharges } from './charging.ts'
import { type FoldedPool, foldPools, listConstraints } from './fold-pools.ts'
import type { Charge, Ledger } from './ledger.ts'
import {
  allowsCharge,
  clampToView,
  createLedgerView,
  type LedgerView,
  type ResourceView,
} from './ledger-view.ts'
import { createMemoryLedger } from './memory-ledger.ts'
import type { CapacityPool, QuotaSessionConfig, Rank } from './pool.ts'
import type { WaveSchedule } from './schedule-wave.ts'

export interface CapacityInput {
  /** In order of preference: where pools share a limit, earlier ones get its slots first. */
  readonly pools: readonly CapacityPool[]
  readonly sessionConfig: QuotaSessionConfig
  /** Estimated input tokens of each item that waits. */
  readonly pendingItemTokens: readonly number[]
  /** Epoch milliseconds; the system clock where absent. */
  readonly now?: number
  /** Knows what is in use; where absent, nothing is. */
  readonly ledger?: Ledger
}

/** What one pool may start now. */
export interface PoolCapacity {
  readonly pool_id: string
  readonly rank?: Rank
  /** Zero is a legal answer. */
  readonly slots: number
  readonly schedule: WaveSchedule
  /** RFC 3339; given when there are no slots and time alone brings one. */
  readonly frees_at?: string
}

export interface DispatchCapacity {
  readonly total_slots: number
  readonly pools: readonly PoolCapacity[]
  /** The first pool that has a slot, else the first pool; null without pools. */
  readonly primary: PoolCapacity | null
  readonly binding_cap: string | null
  /** RFC 3339: the first instant at which a slot comes; null while there is one or when none is due. */
  readonly cooldown_until: string | null
  readonly estimated_wave_tokens: number
}

/**
 * The quota fold: how much of what waits may start now, per pool and in all. Slots are counted for items of the mean
 * size; a limit that pools share is given out once.
 */
export function computeDispatchCapacity(input: CapacityInput): DispatchCapacity {
  const { pools, sessionConfig, pendingItemTokens } = input
  const now = input.now ?? systemClock.now()
  const folded = foldPools(pools, sessionConfig, now)
  const ledger = input.ledger ?? createMemoryLedger()
  ledger.declare(listConstraints(folded), now)
  const fold: Fold = {
    now,
    ledger,
    view: createLedgerView(ledger, now),
    restsByAccount: collectRests(folded),
    slotTokens: measureMean(pendingItemTokens),
  }
  let left = pendingItemTokens.length
  const capacities = folded.map((pool) => {
    const capacity = measurePool(fold, pool, left)
    left -= capacity.slots
    return capacity
  })
  const primary = capacities.find(({ slots }) => slots > 0) ?? capacities[0] ?? null
  const total = pendingItemTokens.length - left
  return {
    total_slots: total,
    pools: capacities,
    primary,
    binding_cap: left > 0 ? (primary?.schedule.binding_cap ?? null) : null,
    cooldown_until: total > 0 ? null : findEarliest(capacities),
    estimated_wave_tokens: Math.round(total * fold.slotTokens),
  }
}

interface Fold {
  readonly now: number
  readonly ledger: Ledger
  readonly view: LedgerView
  readonly restsByAccount: ReadonlyMap<string, number>
  readonly slotTokens: number
}

/** An account rests for each of its pools. */
function collectRests(folded: readonly FoldedPool[]): Map<string, number> {
  const rests = new Map<string, number>()
  for (const { keys, restsUntil } of folded) {
    if (restsUntil === null) continue
    rests.set(keys.account, Math.max(rests.get(keys.account) ?? 0, restsUntil))
  }
  return rests
}

function measureMean(tokens: readonly number[]): number {
  if (tokens.length === 0) return 0
  return tokens.reduce((sum, next) => sum + next, 0) / tokens.length
}

function measurePool(fold: Fold, folded: FoldedPool, wanted: number): PoolCapacity {
  const { pool } = folded
  const reserve = folded.limits.resolved_limits.output_tokens
  const charges = computeCharges(folded, {
    inputTokens: fold.slotTokens,
    outputTokens: Math.min(reserve, folded.outputTokens),
    maxOutputTokens: folded.outputTokens,
  })
  const views = folded.metered.map((metered) => fold.view.open(metered))
  const rest = fold.restsByAccount.get(folded.keys.account)
  const { slots, binding } =
    rest === undefined
      ? countSlots(views, charges, wanted)
      : { slots: 0, binding: folded.keys.account }
  fold.view.take(charges.map(({ resource, micro }) => ({ resource, micro: micro * slots })))
  const freesAt = slots > 0 ? null : (rest ?? fold.ledger.check(charges, fold.now)?.retryAt ?? null)
  return {
    pool_id: pool.id,
    ...(pool.rank === undefined ? {} : { rank: pool.rank }),
    slots,
    schedule: describeSchedule(folded, fold.slotTokens, { slots, binding, freesAt }),
    ...(freesAt === null ? {} : { frees_at: new Date(freesAt).toISOString() }),
  }
}

function countSlots(
  views: readonly ResourceView[],
  charges: readonly Charge[],
  wanted: number,
): { slots: number; binding: string | null } {
  let slots = wanted
  let binding: string | null = null
  for (const [index, view] of views.entries()) {
    const micro = charges[index]?.micro ?? 0
    const allowed = countAllowed(view, micro)
    if (allowed >= slots) continue
    slots = allowed
    binding = view.resource
  }
  return { slots, binding }
}

function countAllowed(view: ResourceView, micro: number): number {
  if (!allowsCharge(view, micro)) return 0
  return micro <= 0
    ? Number.POSITIVE_INFINITY
    : Math.floor(view.levelMicro / clampToView(view, micro))
}

function describeSchedule(
  { pool, limits }: FoldedPool,
  slotTokens: number,
  { slots, binding, freesAt }: { slots: number; binding: string | null; freesAt: number | null },
): WaveSchedule {
  return {
    wave_size: slots,
    max_concurrent: slots,
    estimated_wave_tokens: Math.round(slots * slotTokens),
    cooldown_until: freesAt === null ? null : new Date(freesAt).toISOString(),
    resolved_limits: limits.resolved_limits,
    confidence: pool.quotaSignalDegraded === true ? 'low' : limits.confidence,
    source: limits.source,
    binding_cap: binding,
    host_concurrency_limit: pool.hostConcurrencyLimit,
    model: pool.hostModel,
  }
}

function findEarliest(capacities: readonly PoolCapacity[]): string | null {
  const instants = capacities.flatMap(({ frees_at: at }) => (at === undefined ? [] : [at]))
  return instants.toSorted()[0] ?? null
}
