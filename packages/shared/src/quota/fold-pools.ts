import { type ChargingModel, chooseChargingModel, type MeteredConstraint } from './charging.ts'
import { type Constraint, mergeConstraints, nameResource, readFigure } from './constraint.ts'
import { foldConcurrency, statesConcurrency } from './fold-concurrency.ts'
import { foldLimits } from './fold-limits.ts'
import {
  type CapacityPool,
  namePoolKeys,
  type PoolCost,
  type PoolKeys,
  type QuotaSessionConfig,
} from './pool.ts'
import { type LimitResolution, resolveLimits } from './resolve-limits.ts'
import { foldRest } from './usage-window.ts'

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
  /** Epoch milliseconds until which a signal says that the account rests; null when none does. */
  readonly restsUntil: number | null
}

/**
 * Turns the raw signals of pools into constraints. Nothing else reads them. Figures that are absent, zero, negative or not
 * a number say nothing; a signal that cannot be read allows one start at a time. What one pool knows of a key holds for
 * every pool that shares it.
 */
export function foldPools(
  pools: readonly CapacityPool[],
  sessionConfig: QuotaSessionConfig,
  now: number,
): FoldedPool[] {
  const known = new Map(pools.map((pool) => [pool, foldLimits(pool, sessionConfig)]))
  const limitedAccounts = new Set(
    pools
      .filter((pool) => statesConcurrency(pool) || known.get(pool)?.some(limitsStarts) === true)
      .map((pool) => namePoolKeys(pool).account),
  )
  const constraints = pools.flatMap((pool) => {
    const isLimited = limitedAccounts.has(namePoolKeys(pool).account)
    const counts = foldConcurrency(pool, { sessionConfig, now, isLimited })
    return [...(known.get(pool) ?? []), ...counts]
  })
  const metered = mergeConstraints(constraints).map((constraint) => ({
    constraint,
    resource: nameResource(constraint),
  }))
  return pools.map((pool) => {
    const keys = listKeys(pool)
    const own = metered.filter(({ constraint }) => keys.has(constraint.key))
    return foldPool(pool, own, { sessionConfig, now })
  })
}

function limitsStarts({ kind }: Constraint): boolean {
  return kind === 'rate' || kind === 'concurrency'
}

function listKeys(pool: CapacityPool): Set<string> {
  const { account, accountModel, endpoint, model } = namePoolKeys(pool)
  const ofOwn = (pool.constraints ?? []).map(({ key }) => key)
  const names = [account, `${account}/plan`, accountModel, model, 'run', ...ofOwn]
  return new Set(endpoint === undefined ? names : [...names, endpoint])
}

function foldPool(
  pool: CapacityPool,
  metered: readonly MeteredConstraint[],
  { sessionConfig, now }: { sessionConfig: QuotaSessionConfig; now: number },
): FoldedPool {
  const limits = resolveLimits({
    providerName: pool.providerName,
    hostModel: pool.hostModel,
    sessionConfig,
    declared: pool.source?.quota,
    discoveredLimits: pool.discoveredLimits,
  })
  const { resolved_limits: resolved } = limits
  return {
    pool,
    keys: namePoolKeys(pool),
    metered,
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
export function listConstraints(folded: readonly FoldedPool[]): Constraint[] {
  const byResource = new Map(
    folded.flatMap(({ metered }) =>
      metered.map(({ constraint, resource }) => [resource, constraint] as const),
    ),
  )
  return [...byResource.values()]
}
