/** Where the lines of a text start, for turning offsets into 1-based line numbers. */
export class LineIndex {
  readonly #text: string
  readonly #starts: number[] = [0]

  constructor(text: string) {
    this.#text = text
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1)
    }
  }

  /** The 1-based line that holds an offset. */
  lineAt(offset: number): number {
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }

  /**
   * The exact text a result quotes: the lines from an offset to a line, or of very long lines only what starts there.
   */
  quoteAt(offset: number, lastLine = this.lineAt(offset)): string {
    const first = this.lineAt(offset)
    const start = this.#starts[first - 1] ?? 0
    const end = (this.#starts[lastLine] ?? this.#text.length + 1) - 1
    const lines = this.#text.slice(start, end).replace(/\r$/, '')
    if (lines.length <= quoteLimit * (lastLine - first + 1)) return lines
    return this.#text.slice(offset, offset + quoteLimit).split('\n', 1)[0] ?? ''
  }
}

const quoteLimit = 240
