import { type Constraint, type RampStart, readFigure } from './constraint.ts'
import { computeMaxSafeConcurrency } from './learned-concurrency.ts'
import { type CapacityPool, namePoolKeys, type QuotaSessionConfig, readPoolKind } from './pool.ts'
import { readWindowUse } from './usage-window.ts'

/** Slots that a pool gets before anything is known of it. */
const FIRST_CONTACT_CONCURRENCY = 2

export interface ConcurrencyContext {
  readonly sessionConfig: QuotaSessionConfig
  readonly now: number
  /** Whether anything known limits how much the pool's account does at once: a rate or a number of slots. */
  readonly isLimited: boolean
}

/** Whether the pool itself states how many may run at once. */
export function statesConcurrency(pool: CapacityPool): boolean {
  const { hostConcurrencyLimit, source } = pool
  return (readFigure(source?.quota?.concurrency) ?? readFigure(hostConcurrencyLimit)) !== undefined
}

/**
 * How many may run at once, per key. Every key of a pool counts its starts, so that a rest of any of them is seen; few of
 * them limit the count.
 */
export function foldConcurrency(pool: CapacityPool, context: ConcurrencyContext): Constraint[] {
  const keys = namePoolKeys(pool)
  const ramp = chooseRamp(pool, context)
  const declared = readFigure(pool.source?.quota?.concurrency)
  const ofAccount = declared ?? (context.isLimited ? 'unlimited' : chooseUnknown(ramp, context))
  return [
    describe(keys.account, ofAccount, ramp),
    ...(keys.endpoint === undefined ? [] : [describe(keys.endpoint, 'unlimited', ramp)]),
    describe(keys.model, readFigure(pool.hostConcurrencyLimit) ?? 'unlimited', ramp),
    ...(pool.quotaSignalDegraded === true ? [describeSingleStart(keys.account)] : []),
    ...foldPlanProbe(pool, keys.account),
  ]
}

function chooseUnknown(
  ramp: RampStart,
  { sessionConfig: { quota } }: ConcurrencyContext,
): number | 'unknown' {
  return quota?.ramp_up_enabled === false ? (ramp.most ?? ramp.start) : 'unknown'
}

/** Where a search for the safe concurrency begins: at what was learned, else small. */
export function chooseRamp(
  pool: CapacityPool,
  { sessionConfig: { quota }, now }: Pick<ConcurrencyContext, 'sessionConfig' | 'now'>,
): RampStart & { readonly isLearned: boolean } {
  const isApi = readPoolKind(pool) === 'api'
  const cap = readFigure(
    isApi ? quota?.unknown_hosted_concurrency : quota?.unknown_local_concurrency,
  )
  const most = cap === undefined ? {} : { most: cap }
  const learned = computeMaxSafeConcurrency(pool.quotaStateEntry ?? null, {
    now,
    halfLifeHours: quota?.empirical_half_life_hours,
  })
  const proven = learned ?? readFigure(pool.quotaSourceSnapshot?.max_safe_concurrency)
  if (proven !== undefined && quota?.enabled !== false) {
    return { start: proven, growth: 'add', ...most, isLearned: true }
  }
  const start = readFigure(quota?.first_contact_concurrency) ?? FIRST_CONTACT_CONCURRENCY
  return { start, growth: isApi ? 'double' : 'add', ...most, isLearned: false }
}

function describe(key: string, limit: Constraint['limit'], ramp: RampStart): Constraint {
  const isKnown = typeof limit === 'number'
  return {
    key,
    kind: 'concurrency',
    unit: 'session',
    limit,
    ...(limit === 'unknown' ? { ramp } : {}),
    provenance: isKnown ? 'declared' : limit === 'unknown' ? 'learned' : 'default',
    confidence: isKnown ? 'high' : 'low',
  }
}

/** Where a signal exists but cannot be read, nothing is granted on trust: one at a time finds out. */
function describeSingleStart(key: string): Constraint {
  const single = { key, kind: 'concurrency', unit: 'session', limit: 1 } as const
  return { ...single, provenance: 'default', confidence: 'low' }
}

/** A plan window whose use is only known in percent is entered by one probe: what a start costs is not known yet. */
function foldPlanProbe(pool: CapacityPool, accountKey: string): Constraint[] {
  const isPartlyUsed = (pool.quotaSourceSnapshot?.windows ?? []).some(
    (window) => window.unit === 'percent' && (readWindowUse(window) ?? 0) > 0,
  )
  if (!isPartlyUsed) return []
  return [describe(`${accountKey}/plan`, 'unknown', { start: 1, growth: 'double' })]
}
