import { compareTier, type FrontierNode, mostCapableTier } from '@audit-tools/shared/dispatch'
import type { CapacityPool, Rank } from '@audit-tools/shared/quota'

import { estimateTokens, type WorkItem } from '../../review/index.ts'

/** The work item as the coordinator sees it. */
export function makeNode(item: WorkItem, pools: readonly CapacityPool[]): FrontierNode {
  const rank = clampRank(item.packet.rank, pools)
  return {
    id: item.id,
    estimatedTokens: estimateTokens(item),
    ...(rank === undefined ? {} : { rank }),
    prefix: item.packet.lenses.join(' '),
  }
}

/** A packet that wants more than the ablest pool has goes to the ablest pool: a hint never makes work impossible. */
function clampRank(wanted: Rank, pools: readonly CapacityPool[]): Rank | undefined {
  const ranks = pools.flatMap(({ rank }) => (rank === undefined ? [] : [rank]))
  const ablest = mostCapableTier(ranks)
  if (ablest === undefined || ranks.length < pools.length) return undefined
  return compareTier(wanted, ablest) > 0 ? ablest : wanted
}
