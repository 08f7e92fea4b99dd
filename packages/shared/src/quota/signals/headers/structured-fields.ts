/** A value of RFC 9651 that limit headers use. Byte sequences and dates stay as written. */
export type BareItem = string | number | boolean

export interface Item {
  readonly value: BareItem
  readonly parameters: ReadonlyMap<string, BareItem>
}

const KEY = /[a-z*][a-z0-9_.*-]{0,63}/y
const NUMBER = /-?\d{1,15}(?:\.\d{1,3})?/y
const STRING = /"((?:[\u0020\u0021\u0023-\u005b\u005d-\u007e]|\\["\\]){0,1024})"/y
const TOKEN = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,255}/y
const BYTES = /:[A-Za-z0-9+/=]{0,1024}:/y
const BOOLEAN = /\?[01]/y
const SPACE = /[ \t]*/y
const MAX_MEMBERS = 64

/** Parses a List of Items (RFC 9651 section 4.2.1, no inner lists); null when malformed, so that the field is ignored. */
export function parseItemList(text: string): readonly Item[] | null {
  const reader = new FieldReader(text)
  const items: Item[] = []
  while (items.length < MAX_MEMBERS) {
    const item = reader.readItem()
    if (item === null) return null
    items.push(item)
    if (reader.isAtEnd()) return items
    if (!reader.skipComma()) return null
  }
  return null
}

/** Parses a Dictionary of Items; null when malformed. */
export function parseDictionary(text: string): ReadonlyMap<string, Item> | null {
  const reader = new FieldReader(text)
  const members = new Map<string, Item>()
  while (members.size < MAX_MEMBERS) {
    const key = reader.take(KEY)
    if (key === null) return null
    const item = reader.skipEquals()
      ? reader.readItem()
      : { value: true, parameters: reader.readParameters() }
    if (item?.parameters == null) return null
    members.set(key, { value: item.value, parameters: item.parameters })
    if (reader.isAtEnd()) return members
    if (!reader.skipComma()) return null
  }
  return null
}

class FieldReader {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text.trim()
  }

  isAtEnd(): boolean {
    this.take(SPACE)
    return this.#position >= this.#text.length
  }

  /** A comma with more to come: a trailing one is malformed. */
  skipComma(): boolean {
    if (this.#text[this.#position] !== ',') return false
    this.#position += 1
    return !this.isAtEnd()
  }

  skipEquals(): boolean {
    if (this.#text[this.#position] !== '=') return false
    this.#position += 1
    return true
  }

  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#text)
    if (match === null) return null
    this.#position += match[0].length
    return match[0]
  }

  readItem(): Item | null {
    const value = this.#readBareItem()
    const parameters = value === null ? null : this.readParameters()
    return value === null || parameters === null ? null : { value, parameters }
  }

  readParameters(): ReadonlyMap<string, BareItem> | null {
    const parameters = new Map<string, BareItem>()
    while (this.#text[this.#position] === ';') {
      this.#position += 1
      this.take(SPACE)
      const key = this.take(KEY)
      if (key === null) return null
      const value = this.skipEquals() ? this.#readBareItem() : true
      if (value === null) return null
      parameters.set(key, value)
    }
    return parameters
  }

  #readBareItem(): BareItem | null {
    const number = this.take(NUMBER)
    if (number !== null) return Number(number)
    const string = this.take(STRING)
    if (string !== null) return string.slice(1, -1).replace(/\\(["\\])/g, '$1')
    const boolean = this.take(BOOLEAN)
    if (boolean !== null) return boolean === '?1'
    return this.take(TOKEN) ?? this.take(BYTES)
  }
}
