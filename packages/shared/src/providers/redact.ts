import { escapeControls } from '../core/index.ts'

const SNIPPET_LENGTH = 2000

/** Things that look like keys, whoever issued them; the value that was really sent is removed by name. */
const KEY_SHAPES =
  /\b(?:sk|pk|rk|key|ghp|gho|xox[abp]|AKIA|AIza)[-_A-Za-z0-9]{12,}|\bBearer\s+[\w.~+/-]{8,}=*/g

/** A bounded part of what a provider said, head and tail, without secrets and control characters. */
export function renderSnippet(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) {
    if (secret.length >= 4) clean = clean.replaceAll(secret, '[redacted]')
  }
  clean = clean.replace(KEY_SHAPES, '[redacted]')
  if (clean.length > SNIPPET_LENGTH) {
    const half = SNIPPET_LENGTH / 2
    clean = `${clean.slice(0, half)} [...] ${clean.slice(-half)}`
  }
  return escapeControls(clean, { multiline: true })
}
