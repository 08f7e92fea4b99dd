import { type ChargingModel, chooseChargingModel, type MeteredConstraint } from './charging.ts'
import {
  type Constraint,
  type ConstraintUnit,
  mergeConstraints,
  nameResource,
  type Provenance,
  type RampStart,
  readFigure,
} from './constraint.ts'
import { computeMaxSafeConcurrency } from './learned-concurrency.ts'
import {
  type CapacityPool,
  namePoolKeys,
  type PoolCost,
  type PoolKeys,
  type QuotaSessionConfig,
  readPoolKind,
  type SourceWindow,
  type UsageWindow,
} from './pool.ts'
import { type LimitResolution, resolveLimits } from './resolve-limits.ts'

/** Slots that a pool gets before anything is known of it. */
const FIRST_CONTACT_CONCURRENCY = 2

/** A pool with everything that is known of its limits brought into one form. */
export interface FoldedPool {
  readonly pool: CapacityPool
  readonly keys: PoolKeys
  /** One per resource. A start takes from each of them or from none. */
  readonly metered: readonly MeteredConstraint[]
  readonly charging: ChargingModel
  readonly cost: PoolCost | undefined
  readonly limits: LimitResolution
  /** Null when nobody stated it. */
  readonly contextTokens: number | null
  readonly outputTokens: number
  /** Epoch milliseconds until which signals say that the account rests; null when none does. */
  readonly restsUntil: number | null
}

/**
 * Turns the raw signals of a pool into constraints. Nothing else reads them. Figures that are absent, zero, negative or
 * not a number say nothing; a signal that cannot be read allows one start at a time.
 */
export function foldPool(
  pool: CapacityPool,
  sessionConfig: QuotaSessionConfig,
  now: number,
): FoldedPool {
  const limits = resolveLimits({
    providerName: pool.providerName,
    hostModel: pool.hostModel,
    sessionConfig,
    declared: pool.source?.quota,
    discoveredLimits: pool.discoveredLimits,
  })
  const known = [
    ...(pool.constraints ?? []),
    ...foldRates(pool, limits, sessionConfig),
    ...foldWindows(pool, sessionConfig),
    ...foldBudgets(sessionConfig),
  ]
  const { resolved_limits: resolved } = limits
  const counted = foldConcurrency(pool, known, { sessionConfig, now })
  return {
    pool,
    keys: namePoolKeys(pool),
    metered: mergeConstraints([...known, ...counted]).map((constraint) => ({
      constraint,
      resource: nameResource(constraint),
    })),
    charging: pool.charging ?? chooseChargingModel(pool.providerName),
    cost: pool.cost,
    limits,
    contextTokens:
      readFigure(pool.contextTokens) ?? (limits.isContextKnown ? resolved.context_tokens : null),
    outputTokens: readFigure(pool.outputTokens) ?? resolved.output_tokens,
    restsUntil: foldRest(pool, now),
  }
}

/** The constraints of several pools, one per resource, as a ledger has to know them. */
export function mergePools(folded: readonly FoldedPool[]): Constraint[] {
  return mergeConstraints(
    folded.flatMap(({ metered }) => metered.map(({ constraint }) => constraint)),
  )
}

function foldRates(
  pool: CapacityPool,
  { resolved_limits: limits, source }: LimitResolution,
  sessionConfig: QuotaSessionConfig,
): Constraint[] {
  const { account: key } = namePoolKeys(pool)
  const provenance: Provenance = source === 'config' ? 'declared' : 'observed'
  const figures: [ConstraintUnit, number | undefined][] = [
    ['request', readFigure(limits.requests_per_minute)],
    ['input_token', readFigure(limits.input_tokens_per_minute)],
    ['output_token', readFigure(limits.output_tokens_per_minute)],
    ['token', readFigure(pool.source?.quota?.tokens_per_minute)],
  ]
  return figures.flatMap(([unit, limit]): Constraint[] => {
    if (limit === undefined) return []
    const confidence = provenance === 'declared' ? 'high' : 'medium'
    return [
      {
        key,
        kind: 'rate',
        unit,
        limit: limit * readUsableShare(sessionConfig),
        perSeconds: 60,
        provenance,
        confidence,
      },
    ]
  })
}

/** The share of a limit that is used: the rest is the margin that the user keeps. */
function readUsableShare({ quota }: QuotaSessionConfig): number {
  return 1 - (quota?.safety_margin ?? 0)
}

function foldWindows(pool: CapacityPool, sessionConfig: QuotaSessionConfig): Constraint[] {
  const { account: key } = namePoolKeys(pool)
  const share = readUsableShare(sessionConfig)
  const declared = (pool.source?.quota?.windows ?? []).map((window) =>
    foldDeclared(key, window, share),
  )
  const seen = (pool.quotaSourceSnapshot?.windows ?? []).map((window) => foldSeen(key, window))
  return [...declared, ...seen].filter((constraint) => constraint !== undefined)
}

function foldDeclared(key: string, window: SourceWindow, share: number): Constraint | undefined {
  const limit = readFigure(window.limit)
  if (limit === undefined) return undefined
  return {
    key,
    kind: 'window',
    unit: window.unit,
    limit: limit * share,
    ...describeReset(window.per_seconds, window.resets_at),
    provenance: 'declared',
    confidence: 'high',
  }
}

function foldSeen(key: string, window: UsageWindow): Constraint | undefined {
  const limit = readFigure(window.limit) ?? (window.unit === 'percent' ? 100 : undefined)
  const used = readUsed(window, limit)
  if (limit === undefined || used === undefined) return undefined
  return {
    key,
    kind: 'window',
    unit: window.unit,
    limit,
    ...describeReset(window.period_seconds, window.resets_at),
    used,
    provenance: 'observed',
    confidence: 'medium',
  }
}

/** Use is a figure from zero up; nothing left is a figure too, so zero counts here. */
function readUsed(window: UsageWindow, limit: number | undefined): number | undefined {
  const { used, remaining } = window
  if (typeof used === 'number' && used >= 0) return used
  if (typeof remaining !== 'number' || !(remaining >= 0) || limit === undefined) return undefined
  return Math.max(0, limit - remaining)
}

function describeReset(
  perSeconds: number | null | undefined,
  resetsAt: string | null | undefined,
): Pick<Constraint, 'perSeconds' | 'resetsAt'> {
  const period = readFigure(perSeconds)
  const at = readInstant(resetsAt)
  return {
    ...(period === undefined ? {} : { perSeconds: period }),
    ...(at === undefined ? {} : { resetsAt: at }),
  }
}

function foldBudgets({ budget }: QuotaSessionConfig): Constraint[] {
  const figures: [ConstraintUnit, number | undefined][] = [
    ['usd', budget?.usd],
    ['token', budget?.tokens],
  ]
  return figures.flatMap(([unit, limit]): Constraint[] =>
    limit === undefined
      ? []
      : [{ key: 'run', kind: 'budget', unit, limit, provenance: 'declared', confidence: 'high' }],
  )
}

/** Every key of a pool counts its starts, so that a rest of any of them is seen; few of them limit the count. */
function foldConcurrency(
  pool: CapacityPool,
  known: readonly Constraint[],
  { sessionConfig, now }: { sessionConfig: QuotaSessionConfig; now: number },
): Constraint[] {
  const keys = namePoolKeys(pool)
  const declared = readFigure(pool.source?.quota?.concurrency)
  const hostLimit = readFigure(pool.hostConcurrencyLimit)
  const isLimited =
    declared !== undefined ||
    hostLimit !== undefined ||
    known.some(({ kind }) => kind === 'rate' || kind === 'concurrency')
  const ramp = chooseRamp(pool, sessionConfig, now)
  const count = (key: string, limit: Constraint['limit']): Constraint =>
    describeConcurrency(key, limit, ramp)
  const account = declared ?? (isLimited ? 'unlimited' : chooseUnknownLimit(ramp, sessionConfig))
  return [
    count(keys.account, account),
    ...(pool.quotaSignalDegraded === true ? [singleStart(keys.account)] : []),
    ...(keys.endpoint === undefined ? [] : [count(keys.endpoint, 'unlimited')]),
    count(keys.model, hostLimit ?? 'unlimited'),
    ...foldPlanProbe(pool, keys.account),
  ]
}

function chooseUnknownLimit(ramp: RampStart, { quota }: QuotaSessionConfig): number | 'unknown' {
  return quota?.ramp_up_enabled === false ? (ramp.most ?? ramp.start) : 'unknown'
}

function chooseRamp(pool: CapacityPool, { quota }: QuotaSessionConfig, now: number): RampStart {
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
    return { start: proven, growth: 'add', ...most }
  }
  const start = readFigure(quota?.first_contact_concurrency) ?? FIRST_CONTACT_CONCURRENCY
  return { start, growth: isApi ? 'double' : 'add', ...most }
}

function describeConcurrency(key: string, limit: Constraint['limit'], ramp: RampStart): Constraint {
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

function singleStart(key: string): Constraint {
  return {
    key,
    kind: 'concurrency',
    unit: 'session',
    limit: 1,
    provenance: 'default',
    confidence: 'low',
  }
}

/** A plan window whose use is only known in percent is entered by one probe: what a start costs is not known yet. */
function foldPlanProbe(pool: CapacityPool, accountKey: string): Constraint[] {
  const isPartlyUsed = (pool.quotaSourceSnapshot?.windows ?? []).some(
    (window) => window.unit === 'percent' && (readUsed(window, 100) ?? 0) > 0,
  )
  if (!isPartlyUsed) return []
  return [describeConcurrency(`${accountKey}/plan`, 'unknown', { start: 1, growth: 'double' })]
}

function foldRest(pool: CapacityPool, now: number): number | null {
  const { quotaStateEntry: entry, quotaSourceSnapshot: snapshot } = pool
  const closed = (snapshot?.windows ?? []).filter((window) => isUsedUp(window))
  const instants = [
    readInstant(entry?.cooldown_until),
    readInstant(snapshot?.cooldown_until),
    ...closed.map((window) => readInstant(window.resets_at)),
  ]
  const later = instants.filter((at) => at !== undefined && at > now)
  return later.length === 0 ? null : Math.max(...later.map(Number))
}

function isUsedUp(window: UsageWindow): boolean {
  const limit = readFigure(window.limit) ?? (window.unit === 'percent' ? 100 : undefined)
  const used = readUsed(window, limit)
  return limit !== undefined && used !== undefined && used >= limit
}

function readInstant(text: string | null | undefined): number | undefined {
  const instant = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}
