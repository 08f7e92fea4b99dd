/** Order of UTF-16 code units: the same on every machine and locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** JSON with sorted keys and two spaces, ending in a newline: equal values give equal bytes. */
export function formatStableJson(value: unknown): string {
  return `${JSON.stringify(sortKeys(value), null, 2)}\n`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).toSorted(([left], [right]) => compareText(left, right))
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]))
}

/**
 * Makes text from outside safe for a terminal or a report: every C0 and C1 control character, line and paragraph
 * separator and bidirectional override becomes a visible `\u{..}` escape. Tabs and newlines stay when `multiline`.
 */
export function escapeControls(text: string, { multiline = false } = {}): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this function is about
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    if (multiline && (character === '\n' || character === '\t')) return character
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}

/** `1 file`, `2 files`: a count with its noun. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`
}

/** The candidate nearest to `word` by edit distance, when it is close enough to be a likely slip. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = measureEditDistance(word, candidate)
    if (best === undefined || distance < best.distance) best = { candidate, distance }
  }
  return best && best.distance <= Math.max(2, Math.floor(word.length / 3))
    ? best.candidate
    : undefined
}

function measureEditDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [row, leftCharacter] of left.split('').entries()) {
    const current = [row + 1]
    for (let column = 0; column < right.length; column += 1) {
      const substitution = (previous[column] ?? 0) + (leftCharacter === right[column] ? 0 : 1)
      current.push(
        Math.min(substitution, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1),
      )
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
