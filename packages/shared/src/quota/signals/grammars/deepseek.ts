import type { ProviderGrammar } from '../grammar.ts'

/** DeepSeek (api-docs.deepseek.com/quick_start/error_codes): no fixed limits, it queues instead. */
export const deepseek: ProviderGrammar = {
  names: ['deepseek'],
  onlyIf: /\bapi\.deepseek\.com\b/,
  speaks: ['openai'],
  rules: [{ statuses: [429], kind: 'throttle', scope: 'account', isGeneric: true }],
}
