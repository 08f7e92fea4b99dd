import { tokenize } from '../identity/tokens.ts'

/** File text prepared for looking up quotes: white space runs collapsed, with the line of every position. */
export interface QuoteIndex {
  readonly text: string
  readonly lines: readonly string[]
  /** Start of each non-empty line in `text`, ascending, with its 1-based number. */
  readonly starts: readonly { readonly offset: number; readonly line: number }[]
  /** The tokens of `text`, each between two spaces. */
  readonly tokenText: string
  /** Where each token starts in `text` and in `tokenText`, ascending. */
  readonly tokens: readonly { readonly offset: number; readonly at: number }[]
}

export interface QuotePosition {
  readonly lineStart: number
  readonly lineEnd: number
  /** Where it starts in the text of the index. */
  readonly offset: number
}

/** A quote that stands in more places says nothing about any of them. */
const MAX_POSITIONS = 10_000

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
  const collapsed = parts.join(' ')
  return { text: collapsed, lines, starts, ...indexTokens(collapsed) }
}

function indexTokens(text: string): Pick<QuoteIndex, 'tokenText' | 'tokens'> {
  let at = 1
  const tokens = tokenize(text)
  const positions = tokens.map(({ text: token, offset }) => {
    const position = { offset, at }
    at += token.length + 1
    return position
  })
  return { tokenText: ` ${tokens.map((token) => token.text).join(' ')} `, tokens: positions }
}

/** The lines on which the tokens of a window start before `offset`, in file order: its earlier copies. */
export function listEarlierCopies(index: QuoteIndex, window: string, offset: number): number[] {
  const lines: number[] = []
  const { tokenText, tokens } = index
  if (window === '') return lines
  const own = tokens[findLast(tokens, (token) => token.offset < offset) + 1]?.at ?? Infinity
  const wanted = ` ${window} `
  for (let at = tokenText.indexOf(wanted); at >= 0; at = tokenText.indexOf(wanted, at + 1)) {
    if (at + 1 >= own) break
    const token = tokens[findLast(tokens, (candidate) => candidate.at <= at + 1)]
    lines.push(findLine(index, token?.offset ?? 0))
  }
  return lines
}

/** Every place where the quote stands, white space aside, in file order. */
export function findQuote(index: QuoteIndex, quote: string): QuotePosition[] {
  const wanted = collapse(quote)
  if (wanted === '') return []
  const positions: QuotePosition[] = []
  for (let at = index.text.indexOf(wanted); at >= 0; at = index.text.indexOf(wanted, at + 1)) {
    if (positions.length === MAX_POSITIONS) break
    positions.push({
      lineStart: findLine(index, at),
      lineEnd: findLine(index, at + wanted.length - 1),
      offset: at,
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
  return index.starts[findLast(index.starts, (start) => start.offset <= offset)]?.line ?? 1
}

/** Index of the last item for which a condition holds that holds for a head of the list only; -1 for none. */
function findLast<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [-1, items.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const item = items[middle]
    if (item !== undefined && holds(item)) low = middle
    else high = middle - 1
  }
  return low
}
