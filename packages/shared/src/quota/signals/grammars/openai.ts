import type { ProviderGrammar } from '../grammar.ts'

/** The OpenAI API (developers.openai.com/api/docs/guides/error-codes); others copy its shapes. */
export const openai: ProviderGrammar = {
  names: ['openai'],
  rules: [
    { text: /\brequest too large for\b/i, kind: 'too_large', isDecisive: true },
    {
      code: /^(?:insufficient_quota|credit_balance_exhausted|(?:organization|project)_spend_limit_exceeded|organization_usage_limit_exceeded|billing_hard_limit_reached|billing_not_active)$/,
      kind: 'credit',
    },
    { code: /^(?:context_length_exceeded|string_above_max_length)$/, kind: 'too_large' },
    { code: /^(?:model_not_found|model_deprecated)$/, kind: 'model_gone' },
    {
      code: /^(?:invalid_api_key|invalid_organization|account_deactivated|unsupported_country_region_territory)$/,
      kind: 'auth',
    },
    { code: /^(?:content_policy_violation|content_filter|invalid_prompt)$/, kind: 'refused' },
    { code: /^slow_down$/, kind: 'overload', scope: 'account' },
    { code: /^(?:server_is_overloaded|engine_overloaded(?:_error)?)$/, kind: 'overload' },
    { code: /^rate_limit_exceeded$/, kind: 'throttle', scope: 'model', isGeneric: true },
    { code: /^server_error$/, kind: 'transient', isGeneric: true },
  ],
}
