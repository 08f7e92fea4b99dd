import type { AffectedFile } from '../finding.ts'

/** Weaknesses whose evidence is a secret in clear. */
const SECRET_CWES = new Set(['CWE-259', 'CWE-321', 'CWE-522', 'CWE-540', 'CWE-798'])

const SECRET_WORDS =
  /secret|credential|password|passwd|api[-_ ]?key|private[-_ ]?key|access[-_ ]?token|gitleaks|trufflehog/i

/** Whether a rule looks for secrets, by its weakness class and its words: what it quotes must not be kept. */
export function looksForSecrets(cwe: string | undefined, words: readonly string[]): boolean {
  return SECRET_CWES.has(cwe ?? '') || words.some((word) => SECRET_WORDS.test(word))
}

export function dropQuotes(places: readonly AffectedFile[]): AffectedFile[] {
  return places.map((place) => {
    const { quoted_text: _, ...rest } = place
    return rest
  })
}
