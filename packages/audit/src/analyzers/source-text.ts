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

  /** The text of a 1-based line without its end. */
  readLine(line: number): string {
    const start = this.#starts[line - 1] ?? this.#text.length
    const next = this.#starts[line]
    const end = next === undefined ? this.#text.length : next - 1
    return this.#text.slice(start, this.#text[end - 1] === '\r' ? end - 1 : end)
  }

  /**
   * The exact text a result quotes: the line at which it starts, or of a very long line only what starts there.
   */
  quoteAt(offset: number): string {
    const line = this.readLine(this.lineAt(offset))
    if (line.length <= quoteLimit) return line
    return this.#text.slice(offset, offset + quoteLimit).split('\n', 1)[0] ?? ''
  }
}

const quoteLimit = 240
