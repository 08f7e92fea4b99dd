import { StringDecoder } from 'node:string_decoder'

/** Longest line that is read; what is longer is no event that matters here. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024

/** Cuts a stream of bytes into lines, as they come. */
export class LineReader {
  readonly #onLine: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #pending = ''
  #isSkipping = false

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    const [first = '', ...rest] = this.#decoder.write(chunk).split('\n')
    this.#take(first)
    for (const part of rest) {
      this.#flush()
      this.#take(part)
    }
  }

  /** Hands over the last line, which may have no end. */
  end(): void {
    this.#take(this.#decoder.end())
    this.#flush()
  }

  #take(part: string): void {
    if (this.#isSkipping) return
    this.#pending += part
    if (this.#pending.length <= MAX_LINE_CHARACTERS) return
    this.#pending = ''
    this.#isSkipping = true
  }

  #flush(): void {
    const line = this.#pending.trim()
    this.#pending = ''
    this.#isSkipping = false
    if (line !== '') this.#onLine(line)
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that a line consists of; undefined for any other line, such as a warning between events. */
export function parseJsonLine(line: string): JsonObject | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value = JSON.parse(line) as unknown
    return isJsonObject(value) ? value : undefined
  } catch {
    // A line that was cut off by the end of its writer.
    return undefined
  }
}

export function readNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
