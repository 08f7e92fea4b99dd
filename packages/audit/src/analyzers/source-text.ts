/** LF, CRLF and a lone CR each end a line, as in the snapshot's count. */
const lineEnd = /\r\n|\n|\r/g

/** Where the lines of a text start, for turning offsets into 1-based line numbers. */
export class LineIndex {
  readonly #text: string
  #known: readonly number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Found when first asked for: most files have nothing to tell. */
  get #starts(): readonly number[] {
    if (this.#known === undefined) {
      const ends = Array.from(
        this.#text.matchAll(lineEnd),
        ({ index, 0: end }) => index + end.length,
      )
      this.#known = [0, ...ends]
    }
    return this.#known
  }

  /** The 1-based line that holds an offset. */
  lineAt(offset: number): number {
    const starts = this.#starts
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }

  /** The text of a 1-based line without its end. */
  readLine(line: number): string {
    const { start, end } = this.rangeOf(line)
    return this.#text.slice(start, end)
  }

  /** Where a 1-based line starts and where its text ends. */
  rangeOf(line: number): { readonly start: number; readonly end: number } {
    const start = this.#starts[line - 1] ?? this.#text.length
    const text = this.#text.slice(start, this.#starts[line]).replace(/[\r\n]+$/, '')
    return { start, end: start + text.length }
  }

  /**
   * The exact text a result quotes: the lines from an offset to a line, or of very long lines only what starts there.
   */
  quoteAt(offset: number, lastLine = this.lineAt(offset)): string {
    const first = this.lineAt(offset)
    const start = this.#starts[first - 1] ?? 0
    const end = this.#starts[lastLine] ?? this.#text.length
    const lines = this.#text.slice(start, end).replace(/[\r\n]+$/, '')
    if (lines.length <= quoteLimit * (lastLine - first + 1)) return lines
    return this.#text.slice(offset, offset + quoteLimit).split(/[\r\n]/, 1)[0] ?? ''
  }
}

const quoteLimit = 240
