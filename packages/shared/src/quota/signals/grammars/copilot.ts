import type { ProviderGrammar } from '../grammar.ts'

/** The GitHub Copilot CLI. */
export const copilot: ProviderGrammar = {
  names: ['copilot', 'copilot-cli', 'github-copilot'],
  speaks: 'every',
  rules: [
    // A companion "wait 2 minutes" is wrong: nothing comes back before the week does.
    { code: /^user_weekly_rate_limited$/, kind: 'window', minWaitMs: 600_000 },
    { text: /\bweekly rate limit\b/i, kind: 'window', minWaitMs: 600_000 },
    { code: /^user_monthly_rate_limited$/, kind: 'window', minWaitMs: 600_000 },
    {
      text: /\brestricts the number of copilot model requests\b/i,
      kind: 'throttle',
      scope: 'account',
    },
    {
      text: /\bpremium request (?:allowance|limit|quota)\b/i,
      kind: 'credit',
      kindWithReset: 'window',
    },
    { code: /^(?:rate_limit|rate_limited)$/, kind: 'throttle', isGeneric: true },
  ],
}
