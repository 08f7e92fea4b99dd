import type { ProviderGrammar } from '../grammar.ts'

/** Google's APIs (google.rpc statuses and details), the Gemini CLI and Code Assist. Quotas are per project and model. */
export const gemini: ProviderGrammar = {
  names: ['gemini', 'gemini-cli', 'google', 'vertex', 'vertex-ai', 'antigravity'],
  rules: [
    {
      // A quota of nothing is no entitlement: no wait ends it.
      text: /\bquota exceeded for (?:quota )?metric\b[^\n]{0,300}\blimit: 0(?!\d|\.\d)/i,
      kind: 'credit',
      isDecisive: true,
    },
    { code: /^(?:INSUFFICIENT_G1_CREDITS_BALANCE|BILLING_DISABLED)$/, kind: 'credit' },
    { code: /^MODEL_CAPACITY_EXHAUSTED$/, kind: 'overload', scope: 'model' },
    {
      code: /PerDay/,
      kind: 'day',
      scope: 'model',
      endsWith: { period: 'day', timeZone: 'America/Los_Angeles' },
    },
    { code: /^QUOTA_EXHAUSTED$/, kind: 'window', scope: 'model' },
    { code: /^RATE_LIMIT_EXCEEDED$|PerMinute/, kind: 'throttle', scope: 'model' },
    {
      code: /^(?:API_KEY_INVALID|UNAUTHENTICATED|PERMISSION_DENIED|SERVICE_DISABLED|CONSUMER_SUSPENDED)$/,
      kind: 'auth',
    },
    { code: /^NOT_FOUND$/, text: /\bmodels?\b/i, kind: 'model_gone' },
    { code: /^(?:UNAVAILABLE|CANCELLED)$/, kind: 'overload' },
    { code: /^DEADLINE_EXCEEDED$/, kind: 'timeout' },
    {
      text: /\bquota exceeded for (?:quota )?metric\b[^\n]{0,300}\bper_?day\b/i,
      kind: 'day',
      scope: 'model',
      endsWith: { period: 'day', timeZone: 'America/Los_Angeles' },
    },
    { text: /\bexhausted your capacity on this model\b/i, kind: 'window', scope: 'model' },
    {
      // Shared capacity of Vertex: nobody's own quota is short.
      text: /\bresource exhausted\. please try again later\b/i,
      kind: 'overload',
    },
    {
      code: /^(?:RESOURCE_EXHAUSTED|rateLimitExceeded)$/,
      kind: 'throttle',
      scope: 'model',
      isGeneric: true,
    },
    {
      text: /\bquota exceeded for (?:quota )?metric\b/i,
      kind: 'throttle',
      scope: 'model',
      isGeneric: true,
    },
    { code: /^INTERNAL$/, kind: 'transient', isGeneric: true },
  ],
}
