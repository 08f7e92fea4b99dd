/** Deeper brackets, tags or type arguments than people or generators write; the native parser takes four times as many. */
const MAX_DEPTH = 1000
/** More operators in one statement than anybody writes. */
const MAX_OPERATORS = 2500

const openers = new Set('([{')
const closers = new Set(')]}')
const operators = new Set('!~+-*%&|^?:=')

/**
 * Whether JavaScript or TypeScript nests so deep that parsing it could exhaust the native stack, which would end the
 * process: nothing can catch that. Judged by brackets, tags and operators outside strings and comments, in one pass;
 * text that is made to look flat (closing brackets inside regular expressions) is not seen through.
 */
export function isNestedTooDeep(text: string): boolean {
  const meter = createMeter()
  let index = 0
  while (index < text.length) {
    const end = findSkipEnd(text, index)
    if (end > index) {
      index = end
      continue
    }
    if (meter(text.charAt(index), text.charAt(index + 1))) return true
    index += 1
  }
  return false
}

/** Where the string or comment that starts here ends; `index` itself when none does. */
function findSkipEnd(text: string, index: number): number {
  const character = text[index]
  if (character === '"' || character === "'") return findStringEnd(text, index, character)
  if (character !== '/') return index
  if (text[index + 1] === '/') return findAfter(text, '\n', index)
  return text[index + 1] === '*' ? findAfter(text, '*/', index + 2) : index
}

function findAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

/** A quote without its end on the line is an apostrophe of a text. */
function findStringEnd(text: string, start: number, quote: string): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text[index]
    if (character === quote) return index + 1
    if (character === '\n') return start
    if (character === '\\') index += 1
  }
  return start
}

/** Takes one character after another; true once they nest too deep. */
function createMeter(): (character: string, next: string) => boolean {
  /** Operators and groups of the open statement, by depth. */
  const counts = [0]
  let angles = 0
  let depth = 0
  return (character, next) => {
    if (openers.has(character)) {
      depth += 1
      counts[depth] = 0
    } else if (closers.has(character)) {
      depth = Math.max(0, depth - 1)
      counts[depth] = (counts[depth] ?? 0) + 1
    } else if (operators.has(character)) {
      counts[depth] = (counts[depth] ?? 0) + 1
    } else if (character === ';' || character === ',') {
      counts[depth] = 0
    } else if (character === '<') {
      angles += next === '/' ? -1 : 1
    }
    if (character === '=' && next === '>') angles += 1
    if (character === '>' || (character === '/' && next === '>')) angles = Math.max(0, angles - 1)
    return depth > MAX_DEPTH || angles > MAX_DEPTH || (counts[depth] ?? 0) > MAX_OPERATORS
  }
}
