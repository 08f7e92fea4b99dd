import type { WorkUsage } from '../quota/index.ts'
import type { WorkOutcome } from './outcome.ts'

/** What a call used; undefined unless the provider reported both sides. */
export function readUsage({ usage }: WorkOutcome): WorkUsage | undefined {
  if (usage === null || usage === undefined) return undefined
  const { inputTokens, outputTokens, cachedInputTokens, costUsd } = usage
  if (inputTokens === null || outputTokens === null) return undefined
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens === null ? {} : { cachedInputTokens }),
    ...(costUsd === null ? {} : { costUsd }),
  }
}
