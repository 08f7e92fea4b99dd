/** Tokens of a quote that count for identity; what follows them may change freely. */
const WINDOW_TOKENS = 48

const TOKEN = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu
const CLOSERS = new Set([')', ']', '}'])

export interface Token {
  readonly text: string
  /** Where it starts in the tokenized text. */
  readonly offset: number
}

/**
 * The tokens of source text without what formatters change: white space, semicolons, trailing commas and the style of
 * quotes.
 */
export function tokenize(text: string): Token[] {
  const raw = [...text.matchAll(TOKEN)]
  return raw.flatMap(({ 0: token, index: offset }, position) => {
    if (token === ';') return []
    const next = raw[position + 1]?.[0]
    // At the end of a quote nobody can tell whether a comma is a trailing one.
    if (token === ',' && (next === undefined || CLOSERS.has(next))) return []
    return [{ text: token === "'" || token === '`' ? '"' : token, offset }]
  })
}

/** The part of a quote that identity rests on, as text in which equal windows are equal strings. */
export function formatWindow(quote: string): string {
  return tokenize(quote)
    .slice(0, WINDOW_TOKENS)
    .map(({ text }) => text)
    .join(' ')
}

/** Whether one of two windows lies wholly inside the other, at token borders. */
export function isNestedWindow(left: string, right: string): boolean {
  if (left === '' || right === '') return false
  return ` ${left} `.includes(` ${right} `) || ` ${right} `.includes(` ${left} `)
}
