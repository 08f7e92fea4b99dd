import type { ProviderGrammar } from '../grammar.ts'

/** OpenCode prints what the provider behind it sent, and its own plans' limits. */
export const opencode: ProviderGrammar = {
  names: ['opencode'],
  speaks: 'every',
  rules: [
    { code: /^(?:Free|Go)UsageLimitError$/, kind: 'window' },
    { text: /\b(?:Free|Go)UsageLimitError\b/, kind: 'window' },
  ],
}
