import type { ProviderGrammar } from '../grammar.ts'

export const mistral: ProviderGrammar = {
  names: ['mistral'],
  rules: [
    {
      // Arrives as `invalid_request_error`; the service is full, the request is fine.
      text: /\bservice tier capacity exceeded\b/i,
      kind: 'overload',
      scope: 'model',
      isDecisive: true,
    },
    { code: /^rate_limited$/, kind: 'throttle', isGeneric: true },
  ],
}
