import type { FailureKind } from './signal.ts'

/** What an HTTP status says when nothing else does. */
const STATUS_KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'auth',
  402: 'credit',
  403: 'auth',
  408: 'timeout',
  413: 'too_large',
  429: 'throttle',
  499: 'transient',
  500: 'transient',
  502: 'transient',
  503: 'overload',
  504: 'timeout',
  520: 'transient',
  521: 'transient',
  522: 'timeout',
  523: 'transient',
  524: 'timeout',
  529: 'overload',
}

/** The class of a bare status; `unknown` for any other failure and undefined for a success. */
export function classifyStatus(status: number | undefined): FailureKind | undefined {
  if (status === undefined || status < 400) return undefined
  return STATUS_KINDS[status] ?? (status >= 500 ? 'transient' : 'unknown')
}

/**
 * Ways in which prose names the status of a response. A bare number is none: `foo.ts:429` is a line, `429 files changed`
 * a count.
 */
const STATUS_PHRASES: readonly RegExp[] = [
  /\b(?:http(?:\/\d(?:\.\d)?)?|(?:last |unexpected |http |response )?status(?:[ _-]?code)?|error[ _-]?code|api error)["']?\s{0,2}[:=(]?\s{0,2}["']?([45]\d\d)(?![\d.:\w])/i,
  /["'](?:code|status|statusCode|status_code)["']\s{0,2}:\s{0,2}["']?([45]\d\d)(?![\d.])/,
  /\b(?:rejected|failed|error|denied|unavailable|requests|exhausted) \(([45]\d\d)\)/i,
  /(?<![\w.:/-])([45]\d\d) (?:too many requests|unauthorized|forbidden|service (?:temporarily )?unavailable|bad gateway|internal server error|gateway time-?out|payment required|(?:payload|content|request entity) too large|overloaded|rate limited)\b/i,
  /^[ \t]{0,4}(?:error:? )?([45]\d\d)(?=:? [A-Z{["'])/m,
]

/** A status that prose names settles no pool: the call may have been any program's. */
export function classifyProseStatus(status: number | undefined): FailureKind | undefined {
  const kind = classifyStatus(status)
  if (kind === 'unknown') return undefined
  return kind === 'auth' || kind === 'credit' ? 'unknown' : kind
}

/** How the providers' own libraries begin a message: `401 Incorrect API key provided`. */
export const LIBRARY_ERROR = /^[ \t]{0,4}(?:[A-Z]\w{0,30}Error: |error:? )?[45]\d\d [A-Z{"']/m

/** The HTTP status that a prose names, if any. */
export function findStatus(text: string): number | undefined {
  for (const phrase of STATUS_PHRASES) {
    const status = phrase.exec(text)?.[1]
    if (status !== undefined) return Number(status)
  }
  return undefined
}
