/** Deeper brackets, tags or type arguments than people or generators write; the native parser takes four times as many. */
const MAX_DEPTH = 1000
/** More operators in one statement than anybody writes. */
const MAX_OPERATORS = 2500

type Effect =
  | 'open'
  | 'close'
  | 'operator'
  | 'separator'
  | 'less'
  | 'greater'
  | 'line'
  | 'quote'
  | 'slash'

/** Words that start a statement of their own where semicolons are left out. */
const declaration = /[ \t]*(?:const|let|var|function|class|import|export|return|type|interface)\b/y

/** By character code; all other characters change nothing. */
const effects: readonly (Effect | undefined)[] = listEffects({
  open: '([{',
  close: ')]}',
  operator: '!~+-*%&|^?:=',
  separator: ';,',
  less: '<',
  greater: '>',
  line: '\n',
  quote: '"\'',
  slash: '/',
})

function listEffects(characters: Readonly<Record<Effect, string>>): (Effect | undefined)[] {
  const table = Array.from({ length: 128 }, (): Effect | undefined => undefined)
  for (const [effect, list] of Object.entries(characters)) {
    for (const character of list) table[character.charCodeAt(0)] = effect as Effect
  }
  return table
}

/**
 * Whether JavaScript or TypeScript nests so deep that parsing it could exhaust the native stack, which would end the
 * process: nothing can catch that. Judged by brackets, tags and operators outside strings and comments, in one pass;
 * text that is made to look flat (closing brackets inside regular expressions) is not seen through.
 */
export function isNestedTooDeep(text: string): boolean {
  const meter = new NestingMeter()
  /** Up to here quotes are apostrophes. */
  let plainUntil = 0
  for (let index = 0; index < text.length; index += 1) {
    const effect = effects[text.charCodeAt(index)]
    if (effect === undefined) continue
    if (effect === 'quote') {
      if (index < plainUntil) continue
      const end = findStringEnd(text, index)
      if (end.closed) index = end.at
      else plainUntil = end.at
    } else if (effect === 'slash' && (text[index + 1] === '/' || text[index + 1] === '*')) {
      index = findCommentEnd(text, index)
    } else if (effect === 'line') {
      declaration.lastIndex = index + 1
      if (declaration.test(text)) meter.startStatement()
    } else if (meter.isTooDeepAfter(effect, text[index - 1], text[index + 1])) {
      return true
    }
  }
  return false
}

/** Where the string ends that starts here; a quote that is not closed on its line is no string. */
function findStringEnd(text: string, start: number): { closed: boolean; at: number } {
  const quote = text[start]
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text[index]
    if (character === quote) return { closed: true, at: index }
    if (character === '\n') return { closed: false, at: index }
    if (character === '\\') index += 1
  }
  return { closed: false, at: text.length }
}

/** The last character of the comment that starts here; a line end is not part of it. */
function findCommentEnd(text: string, start: number): number {
  const isLine = text[start + 1] === '/'
  const end = isLine ? text.indexOf('\n', start) : text.indexOf('*/', start + 2)
  if (end === -1) return text.length
  return isLine ? end - 1 : end + 1
}

class NestingMeter {
  /** Operators and groups of the open statement, by depth. */
  readonly #counts = [0]
  #depth = 0
  #tags = 0
  #typeArguments = 0

  isTooDeepAfter(effect: Effect, previous = '', next = ''): boolean {
    switch (effect) {
      case 'open':
        this.#depth += 1
        this.#counts[this.#depth] = 0
        break
      case 'close':
        this.#depth = Math.max(0, this.#depth - 1)
        this.#countOperator()
        break
      case 'operator':
        this.#countOperator()
        break
      case 'separator':
        this.startStatement()
        break
      case 'less':
        this.#openAngle(previous, next)
        break
      case 'greater':
        this.#closeAngle(previous)
        break
      case 'line':
      case 'quote':
      case 'slash':
        break
    }
    return (
      Math.max(this.#depth, this.#tags, this.#typeArguments) > MAX_DEPTH ||
      (this.#counts[this.#depth] ?? 0) > MAX_OPERATORS
    )
  }

  startStatement(): void {
    this.#counts[this.#depth] = 0
  }

  #countOperator(): void {
    this.#counts[this.#depth] = (this.#counts[this.#depth] ?? 0) + 1
  }

  #openAngle(previous: string, next: string): void {
    if (next === '/') this.#tags = Math.max(0, this.#tags - 1)
    else if (/[\w$]/.test(previous)) this.#typeArguments += 1
    else if (/[A-Za-z>]/.test(next)) this.#tags += 1
  }

  #closeAngle(previous: string): void {
    if (previous === '/') this.#tags = Math.max(0, this.#tags - 1)
    else if (previous !== '=') this.#typeArguments = Math.max(0, this.#typeArguments - 1)
  }
}
