// An unclosed string or comment matches to the end, so that the cost stays in proportion to the text.
const commentOrString = /"(?:\\[^]?|[^"\\])*(?:"|$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g
const commaOrString = /"(?:\\[^]?|[^"\\])*(?:"|$)|,(?=\s*[}\]])/g

/** Parses JSON with comments and trailing commas; undefined for what is not that. */
export function parseJsonc(text: string): unknown {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(commentOrString, (match) => (match.startsWith('"') ? match : ' '))
    .replace(commaOrString, (match) => (match === ',' ? ' ' : match))
  try {
    return JSON.parse(plain)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
