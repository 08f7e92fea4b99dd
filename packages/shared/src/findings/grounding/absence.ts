import { parseTreePath } from './path.ts'

/** What a prompt puts where it cut a file. Reviewers sometimes take it for content. */
export const TRUNCATION_MARKER = '…[truncated]'

const MARKER = /\[\s*(?:\.{3}|…)?\s*(?:truncated|cut|omitted|elided|snipped?)\b[^\]]{0,80}\]/i

/** Whether a quote holds a mark of a prompt that cut a file, rather than only text of a file. */
export function holdsTruncationMarker(quote: string): boolean {
  return quote.includes(TRUNCATION_MARKER) || MARKER.test(quote)
}

/** Claims stand near the start; the rest of an endless summary is not searched. */
const MAX_CLAIM_CHARACTERS = 20_000

const NAME = '[\\w@.+-]{1,100}'
const PATH = `[\`'"“”‘’]?(?<path>(?:${NAME})?(?:[/\\\\]${NAME}){1,30}|[\\w@+-][\\w@.+-]{0,100}\\.[A-Za-z]\\w{0,9})[\`'"“”‘’]?`
const WHOLE =
  '(?:repo(?:sitory)?|(?:source )?tree|project|code ?base|snapshot|diff|commit|change|checkout|package|packet|workspace)'
/** Ends the claim, so that `x.ts is missing a check` is not read as a claim that the file is missing. */
const END = `(?=\\s*(?:$|[.,;:!?)]|and\\b|but\\b|so\\b|which\\b|(?:from|in)\\s+(?:the|this|our)\\s+${WHOLE}))`
const ABSENT = '(?:missing|absent|gone|not found|not present|not there|non-?existent|unavailable)'

/** Ways to say that a file is not there; each names the file in `path`. */
const claims: readonly RegExp[] = [
  `${PATH}\\s+(?:is|are|was|were|seems|appears)(?:\\s+to be)?(?:\\s+(?:referenced|imported|used|mentioned|required|listed)\\s+but)?(?:\\s+(?:is|are|was|it is))?\\s+${ABSENT}${END}`,
  `${PATH}\\s+(?:does not|doesn['’]t|did not|didn['’]t|no longer)\\s+exists?\\b`,
  `${PATH}\\s+(?:can ?not|can['’]t|could not|couldn['’]t)\\s+be\\s+(?:found|located)\\b`,
  `\\b(?:missing|absent|non-?existent|no such)\\s+(?:source\\s+|test\\s+)?(?:file|module):?\\s+${PATH}`,
  `\\bthere(?: is|['’]s)\\s+no\\s+(?:file\\s+)?${PATH}${END}`,
].map((source) => new RegExp(source, 'giu'))

/**
 * The first file of the tree that a text claims is missing, or undefined. A bare name means a file at the root or beside
 * `citedPath`; a path with directories may also leave out the leading ones when one file alone ends so.
 */
export function findContradictedAbsence(
  text: string,
  files: readonly string[],
  citedPath: string | undefined,
): string | undefined {
  const bounded = text.slice(0, MAX_CLAIM_CHARACTERS)
  for (const claim of claims) {
    for (const match of bounded.matchAll(claim)) {
      const path = findInTree(match.groups?.path ?? '', files, citedPath)
      if (path !== undefined) return path
    }
  }
  return undefined
}

function findInTree(
  name: string,
  files: readonly string[],
  citedPath: string | undefined,
): string | undefined {
  const text = name.replace(/\.+$/, '')
  const directory = citedPath?.includes('/') ? citedPath.slice(0, citedPath.lastIndexOf('/')) : '.'
  for (const candidate of [text, `${directory}/${text}`]) {
    const parsed = parseTreePath(candidate)
    if (parsed.kind === 'inside' && files.includes(parsed.path)) return parsed.path
  }
  const parsed = parseTreePath(text)
  if (parsed.kind === 'outside' || !parsed.path.includes('/')) return undefined
  const ending = files.filter((file) => file.endsWith(`/${parsed.path}`))
  return ending.length === 1 ? ending[0] : undefined
}
