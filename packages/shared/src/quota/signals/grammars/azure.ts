import type { ProviderGrammar } from '../grammar.ts'

/** Azure OpenAI; its limits are all per minute or shorter. */
export const azure: ProviderGrammar = {
  names: ['azure', 'azure-openai'],
  speaks: ['openai'],
  // Seen as an artefact: a day for a limit of a minute.
  mistakenWait: { atLeastMs: 86_400_000, insteadMs: 90_000 },
  rules: [
    {
      text: /\bexceeded (?:the )?(?:token|call|request)s? rate limit of your current\b/i,
      kind: 'throttle',
      scope: 'model',
    },
    { code: /^DeploymentNotFound$/, kind: 'model_gone' },
    { code: /^(?:ResponsibleAIPolicyViolation|content_filter)$/, kind: 'refused' },
    { code: /^(?:NoCapacity|EngineOverloaded)$/, kind: 'overload' },
  ],
}
