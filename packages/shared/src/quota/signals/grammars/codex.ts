import type { ProviderGrammar } from '../grammar.ts'

/** What the Codex CLI and its backend report. */
export const codex: ProviderGrammar = {
  names: ['codex'],
  speaks: ['openai', 'azure'],
  rules: [
    { code: /^usage_limit_reached$/, kind: 'window' },
    { code: /^usage_not_included$/, kind: 'credit' },
    {
      text: /\byou've hit your usage limit for (?<family>[\w.-]{1,60}?)\.(?:\s|$)/i,
      kind: 'window',
      scope: 'model',
    },
    { text: /\bworkspace is out of credits\b/i, kind: 'credit' },
    { text: /\bto use codex with your chatgpt plan, upgrade\b/i, kind: 'credit' },
    { text: /\bselected model is at capacity\b/i, kind: 'overload', scope: 'model' },
    {
      text: /\bmodel is not supported when using codex\b/i,
      kind: 'model_gone',
    },
    {
      text: /\baccess token could not be refreshed\b/i,
      kind: 'auth',
    },
    { text: /\bstream disconnected before completion\b/i, kind: 'transient', isGeneric: true },
  ],
}
