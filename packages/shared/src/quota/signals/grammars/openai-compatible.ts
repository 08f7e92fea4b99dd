import type { ProviderGrammar } from '../grammar.ts'

/** Gateways and servers that speak OpenAI's protocol in front of anything. */
export const openaiCompatible: ProviderGrammar = {
  names: ['openai-compatible', 'litellm'],
  speaks: 'every',
  rules: [
    {
      // Some send a rate limit under the code of a bad request.
      statuses: [400],
      text: /\brate[- _]?limit(?:s|ed)?\b[^\n]{0,20}\b(?:reached|exceeded|hit)\b/i,
      kind: 'throttle',
    },
    { text: /\bmax (?:rpm|tpm|concurrency)\b/i, kind: 'throttle', scope: 'account' },
    { text: /\bmax (?:rpd|tpd)\b/i, kind: 'day', scope: 'account' },
    { code: /^exceeded_current_quota_error$/, kind: 'credit' },
  ],
}
