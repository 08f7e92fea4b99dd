import type { ProviderGrammar } from '../grammar.ts'

/** Groq writes OpenAI's bodies; what is its own is the meaning of its headers (`headers/x-ratelimit.ts`). */
export const groq: ProviderGrammar = {
  names: ['groq'],
  speaks: ['openai'],
  rules: [
    { code: /^model_decommissioned$/, kind: 'model_gone' },
    { code: /^(?:over_capacity|capacity_exceeded)$/, kind: 'overload', scope: 'model' },
    { code: /^spend_limit_reached$/, kind: 'credit' },
  ],
}
