import type { ProviderAccount } from './provider-account.ts'
import type { Dimension, ScenarioPool } from './scenario.ts'

const names: Readonly<Partial<Record<Dimension, string>>> = {
  requests: 'requests',
  tokens: 'tokens',
  input_tokens: 'input-tokens',
  output_tokens: 'output-tokens',
}

/** What a reply says of the account's limits, in the words of the pool's provider. */
export function writeLimitHeaders(
  { headers: style }: ScenarioPool,
  { limits }: ProviderAccount,
): Record<string, string> {
  if (style === 'none') return {}
  return Object.fromEntries(
    limits.flatMap(({ dimension, capacity, level }) => {
      const name = names[dimension]
      if (name === undefined) return []
      const remaining = String(Math.max(0, Math.floor(level)))
      return style === 'anthropic'
        ? [
            [`anthropic-ratelimit-${name}-limit`, String(capacity)],
            [`anthropic-ratelimit-${name}-remaining`, remaining],
          ]
        : [
            [`x-ratelimit-limit-${name}`, String(capacity)],
            [`x-ratelimit-remaining-${name}`, remaining],
          ]
    }),
  )
}
