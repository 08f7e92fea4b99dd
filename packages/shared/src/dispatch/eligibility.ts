import { readPoolKind } from '../quota/index.ts'
import type { FrontierNode } from './frontier-node.ts'
import { measureNeed, type PoolEntry, readSize } from './pool-entry.ts'
import { compareTier } from './tier.ts'

/** Why a pool can never take a node, in a sentence for people; undefined when it can. */
export function findObstacle(
  entry: PoolEntry,
  node: FrontierNode,
  skipped: ReadonlySet<string>,
): string | undefined {
  const { pool } = entry
  if (skipped.has(pool.id)) return 'it was ruled out for this work item'
  // A pool whose rank nobody stated may do anything: ranks are there to save, not to shut out.
  if (pool.rank !== undefined && compareTier(pool.rank, node.rank) < 0) {
    return `its rank is ${pool.rank}, but ${node.rank} is needed`
  }
  const missing = node.needs?.filter((ability) => pool.abilities?.includes(ability) !== true) ?? []
  if (missing.length > 0) return `it lacks ${missing.join(', ')}`
  return findSizeObstacle(entry, node) ?? findCostObstacle(entry)
}

/** Only a counted size rules a pool out; an estimate may be wrong and is tried where it comes closest to fitting. */
function findSizeObstacle(entry: PoolEntry, node: FrontierNode): string | undefined {
  const { contextTokens } = entry.folded
  const need = measureNeed(entry, node)
  if (node.isCounted !== true || contextTokens === null || need <= contextTokens) return undefined
  return (
    `its window of ${contextTokens} tokens is too small for ${readSize(node)} tokens ` +
    `and an answer of ${need - readSize(node)}`
  )
}

/** An endpoint that bills by use cannot be kept inside a budget in dollars while its prices are unknown. */
function findCostObstacle({ pool, folded }: PoolEntry): string | undefined {
  const isBilled = pool.cost === undefined && readPoolKind(pool) === 'api'
  const hasDollarBudget = folded.metered.some(
    ({ constraint }) => constraint.kind === 'budget' && constraint.unit === 'usd',
  )
  if (!isBilled || !hasDollarBudget) return undefined
  return 'there is a budget in US dollars, but the cost of its source is not stated'
}

/**
 * The pools that may ever take a node, in order of preference. When its estimated size fits none of their windows, those
 * with the largest window remain.
 */
export function listEligible(
  entries: readonly PoolEntry[],
  node: FrontierNode,
  skipped: ReadonlySet<string>,
): PoolEntry[] {
  const fitting: PoolEntry[] = []
  const oversized: PoolEntry[] = []
  for (const entry of entries) {
    if (findObstacle(entry, node, skipped) !== undefined) continue
    const { contextTokens } = entry.folded
    const fits = contextTokens === null || measureNeed(entry, node) <= contextTokens
    if (fits) fitting.push(entry)
    else oversized.push(entry)
  }
  if (fitting.length > 0) return fitting
  const largest = Math.max(...oversized.map(({ folded }) => folded.contextTokens ?? 0))
  return oversized.filter(({ folded }) => folded.contextTokens === largest)
}
