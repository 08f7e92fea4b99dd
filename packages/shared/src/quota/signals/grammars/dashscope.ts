import type { ProviderGrammar } from '../grammar.ts'

/** Alibaba's model service, which writes OpenAI's billing text for limits of a minute. */
export const dashscope: ProviderGrammar = {
  names: ['dashscope', 'alibaba', 'qwen'],
  onlyIf: /\bThrottling\.[A-Z]|\bdashscope\b|\ballocated quota exceeded\b/,
  speaks: ['openai'],
  rules: [
    { code: /^Arrearage$|FreeTierOnly/, kind: 'credit' },
    { text: /\bArrearage\b|\bFreeTierOnly\b/, kind: 'credit' },
    { text: /\b(?:hour|week|month) allocated quota exceeded\b/i, kind: 'window' },
    {
      code: /^(?:Throttling(?:\.\w{1,40})?|insufficient_quota|limit_requests|limit_burst_rate)$/,
      kind: 'throttle',
      scope: 'model',
    },
    {
      text: /\bThrottling(?:\.\w{1,40})?\b|\bexceeded your current quota\b|\bAllocationQuota\b/,
      kind: 'throttle',
      scope: 'model',
    },
  ],
}
