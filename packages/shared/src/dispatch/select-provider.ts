import type { CapacityPool, Rank } from '../quota/index.ts'
import { compareTier } from './tier.ts'

/**
 * The pool for work of a rank when only one may be named: the least able that is able enough, earlier ones first; when
 * none is, the most able; undefined without pools. Looks at ranks alone, never at limits.
 */
export function selectProvider(
  pools: readonly CapacityPool[],
  rank: Rank | undefined,
): CapacityPool | undefined {
  const sorted = pools.toSorted((left, right) => compareTier(left.rank, right.rank))
  return sorted.find((pool) => compareTier(pool.rank, rank) >= 0) ?? sorted.at(-1)
}
