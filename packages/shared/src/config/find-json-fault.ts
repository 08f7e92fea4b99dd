/** Where text stops being JSON, and why. */
export interface JsonFault {
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 code units. */
  readonly column: number
  readonly message: string
}

/** Deeper than any file of ours, and far from the end of the stack. */
const MAX_DEPTH = 64

/**
 * Finds the first fault of a JSON text, or undefined when there is none. `JSON.parse` names no place for most faults,
 * may quote the text, and takes the last of two equal keys without a word.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  try {
    const reader = new JsonReader(text)
    reader.readValue(0)
    reader.expectEnd()
    return undefined
  } catch (error) {
    if (!(error instanceof FaultAt)) throw error
    const before = text.slice(0, error.offset)
    const lineStart = before.lastIndexOf('\n') + 1
    return {
      line: before.split('\n').length,
      column: error.offset - lineStart + 1,
      message: error.message,
    }
  }
}

class FaultAt extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

const SPACE = /[ \t\n\r]*/y
// eslint-disable-next-line no-control-regex -- JSON forbids raw control characters in strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y

class JsonReader {
  readonly #text: string
  #offset = 0

  constructor(text: string) {
    this.#text = text
  }

  readValue(depth: number): void {
    if (depth > MAX_DEPTH) this.#fail('too many levels of brackets')
    if (this.#take('{')) this.#readObject(depth)
    else if (this.#take('[')) this.#readList(depth)
    else if (this.#text[this.#offset] === '"') this.#readString()
    else if (this.#match(SCALAR) === undefined) this.#fail('a value is expected')
  }

  expectEnd(): void {
    this.#skipSpace()
    if (this.#offset < this.#text.length) this.#fail('nothing more is expected')
  }

  #readObject(depth: number): void {
    const keys = new Set<string>()
    if (this.#take('}')) return
    do {
      this.#skipSpace()
      const keyAt = this.#offset
      if (this.#text[keyAt] !== '"') this.#fail('a key in double quotes is expected')
      const key = this.#readString()
      if (keys.has(key)) throw new FaultAt(keyAt, `the key ${JSON.stringify(key)} is there twice`)
      keys.add(key)
      if (!this.#take(':')) this.#fail('":" is expected')
      this.readValue(depth + 1)
    } while (this.#takeComma('}'))
  }

  #readList(depth: number): void {
    if (this.#take(']')) return
    do this.readValue(depth + 1)
    while (this.#takeComma(']'))
  }

  #readString(): string {
    const token = this.#match(STRING)
    if (token === undefined) this.#fail('a string has a wrong escape or does not end on its line')
    return JSON.parse(token) as string
  }

  /** True when a comma leads to another item, false when the bracket closes the list. */
  #takeComma(bracket: string): boolean {
    if (this.#take(bracket)) return false
    const commaAt = this.#offset
    if (!this.#take(',')) this.#fail(`"," or "${bracket}" is expected`)
    if (this.#take(bracket)) throw new FaultAt(commaAt, 'the last item is followed by a comma')
    return true
  }

  #take(character: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#offset] !== character) return false
    this.#offset += 1
    return true
  }

  #skipSpace(): void {
    this.#match(SPACE)
    const next = this.#text[this.#offset]
    if (next === '/' || next === '#') this.#fail('comments are not part of JSON')
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset
    const token = pattern.exec(this.#text)?.[0]
    this.#offset += token?.length ?? 0
    return token
  }

  #fail(message: string): never {
    const isAtEnd = this.#offset >= this.#text.length
    throw new FaultAt(this.#offset, isAtEnd ? `${message}, but the text ends` : message)
  }
}
