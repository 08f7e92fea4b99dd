import type { ProviderGrammar } from '../grammar.ts'

/** AWS exceptions, by `__type`, `code` or the name before the message. */
export const bedrock: ProviderGrammar = {
  names: ['bedrock', 'aws-bedrock', 'amazon-bedrock'],
  rules: [
    { code: /^ServiceQuotaExceededException$/, kind: 'credit' },
    {
      code: /^(?:ModelNotReadyException|ServiceUnavailableException|ServiceUnavailable)$/,
      kind: 'overload',
      scope: 'model',
    },
    { code: /^ModelTimeoutException$/, kind: 'timeout' },
    {
      code: /^(?:AccessDeniedException|ExpiredTokenException|UnrecognizedClientException)$/,
      kind: 'auth',
    },
    { code: /^ResourceNotFoundException$/, kind: 'model_gone' },
    { text: /\bmodel identifier is invalid\b/i, kind: 'model_gone', needsApi: true },
    {
      code: /^(?:ModelErrorException|ModelStreamErrorException|InternalServerException)$/,
      kind: 'transient',
    },
    { code: /^Throttling(?:Exception)?$/, kind: 'throttle', scope: 'model', isGeneric: true },
    {
      // About rate, not about size: nothing is to be split.
      text: /\btoo many (?:tokens|requests), please wait before trying again\b/i,
      kind: 'throttle',
      scope: 'model',
      isGeneric: true,
    },
  ],
}
