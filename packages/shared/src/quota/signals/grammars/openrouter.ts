import type { ProviderGrammar } from '../grammar.ts'

/** OpenRouter; the failure of the provider behind it comes in `metadata.raw` and is read by that provider's grammar. */
export const openrouter: ProviderGrammar = {
  names: ['openrouter'],
  speaks: 'every',
  rules: [
    { text: /\bfree-models-per-day\b/i, kind: 'day' },
    { text: /\bfree-models-per-min\b/i, kind: 'throttle', scope: 'account' },
    {
      text: /\bkey limit exceeded\b|\bmore credits are required\b|\brequires more credits\b/i,
      kind: 'credit',
    },
    {
      text: /\bis not a valid model id\b|\bno endpoints found (?:for|that)\b/i,
      kind: 'model_gone',
    },
    { text: /\bflagged for\b/i, statuses: [403], kind: 'refused' },
    { text: /\bno (?:available model )?providers? (?:available|found)\b/i, kind: 'overload' },
  ],
}
