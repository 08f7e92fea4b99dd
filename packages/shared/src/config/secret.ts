import type { z } from 'zod'

/** Beginnings that issuers give their keys, so that leaked ones are found. */
const KEY_PREFIX =
  /^(sk[-_]|pk[-_]|rk[-_]|gsk_|hf_|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|xai-|pplx-|AIza|ya29\.|eyJ|(AKIA|ASIA)[A-Z0-9]{12})/

/** Names under which headers, variables and URL parameters carry credentials. */
const CREDENTIAL_NAME =
  /authorization|cookie|api[-_]?key|access[-_]?key|token(?!s)|secret|passw|signature/i

/** Whether text is probably a credential itself rather than the name of one. Errs on the side of yes. */
export function looksLikeSecret(text: string): boolean {
  if (KEY_PREFIX.test(text) || /^[0-9a-fA-F]{32,}$/.test(text)) return true
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)
  return isMixed && /^[\w+=.-]{24,}$/.test(text)
}

/** Refuses what is no name of an environment variable; the value itself is never repeated. */
export function checkEnvironmentName(name: string, context: z.RefinementCtx<string>): void {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !looksLikeSecret(name)) return
  context.addIssue({
    code: 'custom',
    message:
      'is not the name of an environment variable (what it holds is not shown); put the key into a variable and write its name here, such as OPENAI_API_KEY',
  })
}

/** Refuses credentials inside a URL. */
export function checkEndpoint(url: string, context: z.RefinementCtx<string>): void {
  if (!URL.canParse(url)) return
  const { username, password, searchParams } = new URL(url)
  const isSafe = [...searchParams].every(([name]) => !CREDENTIAL_NAME.test(name))
  if (username === '' && password === '' && isSafe) return
  context.addIssue({
    code: 'custom',
    message: 'holds a credential (not shown); name an environment variable that holds it instead',
  })
}

/** Refuses literal credentials among headers or variables. */
export function checkPairs(
  pairs: Readonly<Record<string, string>>,
  context: z.RefinementCtx<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(pairs)) {
    if (!CREDENTIAL_NAME.test(name) && !looksLikeSecret(value)) continue
    context.addIssue({
      code: 'custom',
      path: [name],
      message:
        'holds a credential (not shown); remove it and name an environment variable in api_key_env',
    })
  }
}
