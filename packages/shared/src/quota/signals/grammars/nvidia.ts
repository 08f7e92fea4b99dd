import type { ProviderGrammar } from '../grammar.ts'

/** NVIDIA NIM: one rate for the whole account, told by nothing but the status. */
export const nvidia: ProviderGrammar = {
  names: ['nvidia', 'nvidia-nim', 'nim'],
  onlyIf: /\bintegrate\.api\.nvidia\.com\b/,
  rules: [
    { statuses: [429], kind: 'throttle', scope: 'account', isGeneric: true },
    { statuses: [404], text: /\bfunction\b[^\n]{0,120}\bnot found\b/i, kind: 'model_gone' },
  ],
}
