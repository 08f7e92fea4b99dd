import { createDraws, drawValue } from './draws.ts'
import type { Scenario } from './scenario.ts'
import type { Rank } from '../quota/index.ts'

/** A work item: what policies see of it, and the hidden truth. */
export interface SimulatedItem {
  readonly id: string
  readonly rank: Rank
  /** What a policy takes the input for. */
  readonly estimatedTokens: number
  readonly inputTokens: number
  readonly outputTokens: number
}

const ranks: readonly Rank[] = ['small', 'standard', 'deep']

/** The items of a scenario under a seed. */
export function drawItems({ items }: Scenario, seed: number): SimulatedItem[] {
  return Array.from({ length: items.count }, (_, index) => {
    const id = `item-${index}`
    const random = createDraws(seed, id)
    const inputTokens = Math.round(drawValue(items.input_tokens, random))
    const outputTokens = Math.round(drawValue(items.output_tokens, random))
    const estimatedTokens = Math.round(inputTokens * drawValue(items.estimate_error, random))
    return {
      id,
      rank: drawRank(items.rank, random.next()),
      estimatedTokens,
      inputTokens,
      outputTokens,
    }
  })
}

function drawRank(shares: Scenario['items']['rank'], draw: number): Rank {
  let left = draw
  for (const rank of ranks) {
    left -= shares[rank] ?? 0
    if (left < 0) return rank
  }
  return ranks.findLast((rank) => (shares[rank] ?? 0) > 0) ?? 'small'
}
