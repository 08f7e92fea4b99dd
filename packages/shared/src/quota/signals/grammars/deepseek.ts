import type { ProviderGrammar } from '../grammar.ts'

/** DeepSeek (api-docs.deepseek.com/quick_start/error_codes): no fixed limits, it queues instead. */
export const deepseek: ProviderGrammar = {
  names: ['deepseek'],
  speaks: ['openai'],
  rules: [
    { text: /\binsufficient balance\b/i, kind: 'credit' },
    { statuses: [429], kind: 'throttle', scope: 'account', isGeneric: true },
  ],
}
