export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Folds `retry_after`, `retryAfter` and `Retry-After` into one key. */
export function foldKey(key: string): string {
  return key.replaceAll(/[-_]/g, '').toLowerCase() || key
}

/** JSON objects found in a text, in order, and the text with each of them replaced by `{}`. */
interface ExtractedDocuments {
  readonly documents: readonly JsonObject[]
  readonly rest: string
}

/** Failures come last in a stream; what is further from the end is not read. */
const MAX_CHARACTERS = 1_000_000
const MAX_DOCUMENTS = 64
const MAX_NESTING = 512

/**
 * Finds the JSON objects of a text: one body, JSON lines, server-sent events, or an object quoted within prose. One
 * pass over the text and one parse of each outermost object, so the cost is linear.
 */
export function extractDocuments(text: string): ExtractedDocuments {
  const window = text.slice(-MAX_CHARACTERS)
  if (!window.includes('{')) return { documents: [], rest: text }
  const documents: JsonObject[] = []
  const pieces: string[] = []
  let copied = 0
  for (const [start, end] of findObjectSpans(window).slice(-MAX_DOCUMENTS)) {
    const value = parseJson(window.slice(start, end))
    if (!isJsonObject(value)) continue
    documents.push(value)
    pieces.push(window.slice(copied, start), '{}')
    copied = end
  }
  pieces.push(window.slice(copied))
  return { documents, rest: pieces.join('') }
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

type Span = readonly [start: number, end: number]

const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const NEWLINE = '\n'.charCodeAt(0)
const OPEN = '{'.charCodeAt(0)
const CLOSE = '}'.charCodeAt(0)

/** Outermost balanced braces, strings respected. A brace that never closes hides nothing that stands inside it. */
function findObjectSpans(text: string): readonly Span[] {
  const open: number[] = []
  const spans: Span[] = []
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === BACKSLASH) index += 1
      // A raw newline ends no JSON string: the quote was one of prose.
      else if (code === QUOTE || code === NEWLINE) isInString = false
    } else if (code === QUOTE) isInString = open.length > 0
    else if (code === OPEN) openSpan(open, index)
    else if (code === CLOSE) closeSpan(open, spans, index + 1)
  }
  return spans
}

/** Braces nested deeper than any error are no JSON: what they opened is forgotten. */
function openSpan(open: number[], start: number): void {
  if (open.length === MAX_NESTING) open.length = 0
  open.push(start)
}

function closeSpan(open: number[], spans: Span[], end: number): void {
  const start = open.pop()
  if (start === undefined) return
  while ((spans.at(-1)?.[0] ?? -1) > start) spans.pop()
  spans.push([start, end])
}
