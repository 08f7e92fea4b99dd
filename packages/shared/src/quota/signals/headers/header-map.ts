/** Response headers as callers hold them: `Headers`, pairs, or a plain object as Node and CLIs print it. */
export type HeadersLike = Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>

/** Headers by lower-case name. */
export type HeaderMap = ReadonlyMap<string, string>

const MAX_HEADERS = 256
const MAX_VALUE_CHARACTERS = 2_048

/** Folds names to lower case and joins the values of a repeated one; what is not text or a number is left out. */
export function readHeaderMap(headers: HeadersLike | undefined): HeaderMap {
  const map = new Map<string, string>()
  for (const [name, value] of listPairs(headers).slice(0, MAX_HEADERS)) {
    const text = readValue(value)
    if (text === undefined) continue
    const key = name.trim().toLowerCase()
    const before = map.get(key)
    map.set(key, before === undefined ? text : `${before}, ${text}`)
  }
  return map
}

function listPairs(headers: HeadersLike | undefined): readonly (readonly [string, unknown])[] {
  if (headers === undefined) return []
  return isIterable(headers) ? [...headers] : Object.entries(headers)
}

const LIMIT_HEADER_LINE =
  /^[ \t<>*]{0,4}((?:anthropic-|x-)?ratelimit[\w-]{0,60}|anthropic-priority-[\w-]{1,60}|x-codex-[\w-]{1,60}|retry-after|retry-after-ms|x-ms-retry-after-ms)["']?[ \t]{0,2}:[ \t]{0,4}([^\n]{1,200})$/gim

/** The limit headers in a printed response (`curl -i`, a debug log), and the text without them. */
export function extractHeaderLines(text: string): { headers: HeaderMap; rest: string } {
  const pairs: [string, string][] = []
  const rest = text.replace(LIMIT_HEADER_LINE, (_line, name: string, value: string) => {
    pairs.push([name, value.trim().replace(/^["']|["'],?$/g, '')])
    return ''
  })
  return { headers: readHeaderMap(pairs), rest }
}

function readValue(value: unknown): string | undefined {
  if (Array.isArray(value)) return readValue(value.filter((item) => isPrintable(item)).join(', '))
  return isPrintable(value) ? String(value).slice(0, MAX_VALUE_CHARACTERS).trim() : undefined
}

function isPrintable(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isIterable(headers: HeadersLike): headers is Iterable<readonly [string, unknown]> {
  return Symbol.iterator in headers
}
