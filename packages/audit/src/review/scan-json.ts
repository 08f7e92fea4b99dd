export interface JsonExtent {
  /** Balanced text, with slips whose meaning is plain put right; of a cut document the whole elements, closed. */
  readonly text: string
  /** Index behind what was read. */
  readonly end: number
  readonly truncated: boolean
}

/** Elements of `{"findings": [ ... ]}` close at this depth; deeper ones belong to an element that may be cut. */
const ELEMENT_DEPTH = 2

/** Characters that JSON wants escaped inside strings and that models write raw. */
const RAW_IN_STRINGS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Reads from the opening bracket at `start` to its partner, minding strings and escapes; linear in the text. Raw line
 * breaks in strings are escaped and commas before a closing bracket dropped. At the end of a cut text it goes back to
 * where the last whole element ended.
 */
export function scanJson(text: string, start: number): JsonExtent {
  const open: string[] = []
  const parts: string[] = []
  let inString = false
  let whole: { parts: number; closers: string } | undefined
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (inString) {
      const escaped = character === '\\'
      parts.push(escaped ? text.slice(index, index + 2) : (RAW_IN_STRINGS[character] ?? character))
      if (escaped) index += 1
      else if (character === '"') inString = false
      continue
    }
    if (character === '}' || character === ']') {
      dropTrailingComma(parts)
      open.pop()
    } else if (character === '"') inString = true
    else if (character === '{') open.push('}')
    else if (character === '[') open.push(']')
    parts.push(character)
    if (character !== '}' && character !== ']') continue
    if (open.length === 0) return { text: parts.join(''), end: index + 1, truncated: false }
    if (open.length <= ELEMENT_DEPTH) {
      whole = { parts: parts.length, closers: open.toReversed().join('') }
    }
  }
  const kept = whole === undefined ? '' : parts.slice(0, whole.parts).join('') + whole.closers
  return { text: kept, end: text.length, truncated: true }
}

function dropTrailingComma(parts: string[]): void {
  let last = parts.length - 1
  while (last > 0 && /^\s$/.test(parts[last] ?? '')) last -= 1
  if (parts[last] === ',') parts.splice(last, 1)
}
