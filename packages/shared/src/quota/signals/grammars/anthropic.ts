import type { ProviderGrammar } from '../grammar.ts'

/** The Messages API (platform.claude.com/docs/en/api/errors and rate-limits). */
export const anthropic: ProviderGrammar = {
  names: ['anthropic'],
  rules: [
    {
      code: /^enforced_spend_limit_reached$/,
      kind: 'credit',
      endsWith: { period: 'month', timeZone: 'UTC' },
    },
    {
      // A ramp limit: the account's rates are not short, its use grew too fast.
      text: [
        /\bacceleration (?:rate )?limit|\busage increase rate\b/i,
        /\b(?:usage|traffic|requests?|tokens?)\b[^\n.]{0,60}\b(?:increas|ris|grow|ramp)\w{1,6}\b[^\n.]{0,20}\b(?:quick|fast|rapid|sharp|sudden)/i,
      ],
      kind: 'overload',
      isDecisive: true,
      scope: 'account',
    },
    { code: /^overloaded_error$/, kind: 'overload' },
    { code: /^billing_error$/, kind: 'credit' },
    { code: /^(?:authentication_error|permission_error|authentication_failed)$/, kind: 'auth' },
    { code: /^request_too_large$/, kind: 'too_large' },
    { code: /^not_found_error$/, text: /^\s{0,3}model\b/im, kind: 'model_gone' },
    { code: /^timeout_error$/, kind: 'timeout' },
    { code: /^rate_limit_error$/, kind: 'throttle', scope: 'model', isGeneric: true },
    { code: /^api_error$/, kind: 'transient', isGeneric: true },
  ],
}
