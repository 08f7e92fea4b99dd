import type { ProviderGrammar } from '../grammar.ts'

/** What the Claude Code CLI prints; plan windows are read by the generic notices. */
export const claudeCode: ProviderGrammar = {
  names: ['claude-code', 'claude'],
  speaks: ['anthropic', 'bedrock', 'gemini'],
  rules: [
    { text: /\bnot your usage limit\b/i, kind: 'throttle', isDecisive: true, scope: 'account' },
    {
      // The CLI has already tried ten times by itself: too much runs at once on this host.
      text: /\brate limited\b[^\n]{0,10}\bretrying in\b[^\n]{0,40}\battempt \d{1,3}\/\d{1,3}/i,
      kind: 'overload',
      scope: 'host',
    },
    { text: /\brequest rejected \(429\)/i, kind: 'throttle', scope: 'account' },
    {
      text: /\b(?:extra usage is|usage credits are|usage credits) required\b/i,
      kind: 'credit',
      scope: 'pool',
    },
    {
      text: [
        /\b(?:invalid api key|not logged in)\b|\bplease run \/login\b/i,
        /\boauth token[^\n.]{0,30}(?:expired|revoked)\b/i,
        /\bnot have access to claude\b/i,
      ],
      kind: 'auth',
    },
    {
      text: /\bissue with the selected model\b/i,
      kind: 'model_gone',
    },
    { text: /\bunable to respond to this request, which appears to violate\b/i, kind: 'refused' },
  ],
}
