/** Tokens of a quote that count for identity; what follows them may change freely. */
const WINDOW_TOKENS = 48

const TOKEN = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu
const CLOSERS = new Set([')', ']', '}'])

/**
 * The tokens of source text without what formatters change: white space, semicolons, trailing commas and the style of
 * quotes.
 */
export function tokenize(text: string): string[] {
  const raw = text.match(TOKEN) ?? []
  return raw
    .filter((token, index) => {
      if (token === ';') return false
      return token !== ',' || !CLOSERS.has(raw[index + 1] ?? '')
    })
    .map((token) => (token === "'" || token === '`' ? '"' : token))
}

/** The part of a quote that identity rests on, as text in which equal windows are equal strings. */
export function formatWindow(quote: string): string {
  return tokenize(quote).slice(0, WINDOW_TOKENS).join(' ')
}

/** Whether one of two windows lies wholly inside the other, at token borders. */
export function isNestedWindow(left: string, right: string): boolean {
  if (left === '' || right === '') return false
  return ` ${left} `.includes(` ${right} `) || ` ${right} `.includes(` ${left} `)
}
