import { createDraws, drawValue } from './draws.ts'
import type { SimulatedItem } from './items.ts'
import type { FaultName, ScenarioFault, ScenarioPool } from './scenario.ts'

/** How one admitted call goes. */
export interface Attempt {
  readonly firstTokenS: number
  readonly durationS: number
  readonly fault: { readonly name: FaultName; readonly charges: ScenarioFault['charges'] } | null
}

export interface AttemptKey {
  readonly seed: number
  /** Earlier admitted calls of this item on this pool. */
  readonly attempt: number
  /** When it starts; null leaves out faults that come only at some times. */
  readonly startS: number | null
}

/** Draws an admitted call: the same for the same key, whoever makes it. */
export function drawAttempt(pool: ScenarioPool, item: SimulatedItem, key: AttemptKey): Attempt {
  const { seed, attempt, startS } = key
  const random = createDraws(seed, item.id, pool.id, attempt)
  const firstTokenS = drawValue(pool.latency.first_token_s, random)
  const answerS = firstTokenS + item.outputTokens / pool.latency.output_tokens_per_s
  const found = findFault(pool, random.next(), startS)
  if (found === null) return { firstTokenS, durationS: answerS, fault: null }
  const { name, fault } = found
  return {
    firstTokenS,
    durationS: fault.takes_s ?? answerS,
    fault: { name, charges: fault.charges },
  }
}

/** Each fault owns a range of draws, whether or not it can come now: then its absence moves no other one. */
function findFault(
  { faults }: ScenarioPool,
  draw: number,
  startS: number | null,
): { readonly name: FaultName; readonly fault: ScenarioFault } | null {
  let left = draw
  for (const [name, fault] of Object.entries(faults)) {
    left -= fault.probability
    if (left >= 0) continue
    return isActive(fault, startS) ? { name: name as FaultName, fault } : null
  }
  return null
}

function isActive({ from_s: from, until_s: until }: ScenarioFault, startS: number | null): boolean {
  if (startS === null) return from === undefined && until === undefined
  return startS >= (from ?? 0) && startS < (until ?? Number.POSITIVE_INFINITY)
}
