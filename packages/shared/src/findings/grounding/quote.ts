/** File text prepared for looking up quotes: white space runs collapsed, with the line of every position. */
export interface QuoteIndex {
  readonly text: string
  readonly lines: readonly string[]
  /** Start of each non-empty line in `text`, ascending, with its 1-based number. */
  readonly starts: readonly { readonly offset: number; readonly line: number }[]
}

export interface QuotePosition {
  readonly lineStart: number
  readonly lineEnd: number
  /** The how-manieth of the same quote in the file, from 1. */
  readonly occurrence: number
}

export function indexText(text: string): QuoteIndex {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  const starts: { offset: number; line: number }[] = []
  const parts: string[] = []
  let offset = 0
  for (const [index, line] of lines.entries()) {
    const collapsed = collapse(line)
    if (collapsed === '') continue
    starts.push({ offset, line: index + 1 })
    parts.push(collapsed)
    offset += collapsed.length + 1
  }
  return { text: parts.join(' '), lines, starts }
}

/** Every place where the quote stands, white space aside, in file order. */
export function findQuote(index: QuoteIndex, quote: string): QuotePosition[] {
  const wanted = collapse(quote)
  if (wanted === '') return []
  const positions: QuotePosition[] = []
  for (let at = index.text.indexOf(wanted); at >= 0; at = index.text.indexOf(wanted, at + 1)) {
    positions.push({
      lineStart: findLine(index, at),
      lineEnd: findLine(index, at + wanted.length - 1),
      occurrence: positions.length + 1,
    })
  }
  return positions
}

/** Whether a line of the file, white space aside, is nothing but the quote. */
export function isWholeLine(index: QuoteIndex, quote: string, line: number): boolean {
  return collapse(index.lines[line - 1] ?? '') === collapse(quote)
}

/** Characters of a quote that are not white space. */
export function countVisible(quote: string): number {
  return quote.replaceAll(/\s/g, '').length
}

/**
 * What a reporter may have meant by a quote: as it stands, without line numbers copied from the prompt, without a code
 * fence or backticks around it.
 */
export function listReadings(quote: string): string[] {
  const bare = [quote, quote.trim().replaceAll(/^```[^\n]*\n|\n?```$/g, '')]
  const readings = [...bare]
  for (const reading of bare) {
    const unquoted = /^`([^`]+)`$/.exec(reading.trim())?.[1]
    if (unquoted !== undefined) readings.push(unquoted)
    const rows = reading.split('\n').filter((row) => row.trim() !== '')
    if (rows.every((row) => NUMBERED.test(row))) {
      readings.push(rows.map((row) => row.replace(NUMBERED, '')).join('\n'))
    }
  }
  return [...new Set(readings)]
}

const NUMBERED = /^\s*\d{1,7}\s*[|:→\t]/

function collapse(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function findLine(index: QuoteIndex, offset: number): number {
  let [low, high] = [0, index.starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((index.starts[middle]?.offset ?? Infinity) <= offset) low = middle
    else high = middle - 1
  }
  return index.starts[low]?.line ?? 1
}
