/** A pattern of path segments in gitignore's glob syntax. */
export type Glob = readonly (Segment | typeof ANY_DEPTH)[]

/** `**`: any number of segments, none included. */
const ANY_DEPTH = Symbol('**')

type Segment = readonly Token[]

type Token =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'many'; readonly stars: number }
  | {
      readonly kind: 'set'
      readonly negated: boolean
      readonly accept: (character: string) => boolean
    }

export function parseGlob(pattern: string): Glob {
  const glob = parseTokens(pattern).map((segment) => (isAnyDepth(segment) ? ANY_DEPTH : segment))
  // `a/**` is what lies in `a`, not `a` itself.
  if (glob.length > 1 && glob.at(-1) === ANY_DEPTH) glob.push([{ kind: 'many', stars: 1 }])
  return glob
}

function isAnyDepth([token, ...rest]: Segment): boolean {
  return rest.length === 0 && token?.kind === 'many' && token.stars > 1
}

export function matchGlob(glob: Glob, segments: readonly string[]): boolean {
  return matchSequence(glob, segments, {
    isAny: (part) => part === ANY_DEPTH,
    matches: (part, segment) => part !== ANY_DEPTH && matchSegment(part, segment),
  })
}

function matchSegment(tokens: Segment, text: string): boolean {
  return matchSequence(tokens, text, {
    isAny: (token) => token.kind === 'many',
    matches: matchToken,
  })
}

function matchToken(token: Token, character: string): boolean {
  switch (token.kind) {
    case 'literal':
      return token.character === character
    case 'set':
      return token.accept(character) !== token.negated
    case 'one':
      return true
    case 'many':
      return false
  }
}

interface SequenceRules<Part, Item> {
  readonly isAny: (part: Part) => boolean
  readonly matches: (part: Part, item: Item) => boolean
}

/**
 * Matches a whole sequence against a pattern whose `any` parts stand for any run. Going back to the last `any` part
 * alone is enough, so the cost is at most pattern times sequence.
 */
function matchSequence<Part, Item>(
  pattern: ArrayLike<Part>,
  items: ArrayLike<Item>,
  { isAny, matches }: SequenceRules<Part, Item>,
): boolean {
  let at = 0
  let resumeAt = -1
  let resumeItem = 0
  let index = 0
  while (index < items.length) {
    const part = pattern[at]
    if (part !== undefined && isAny(part)) {
      resumeAt = at
      resumeItem = index
      at += 1
    } else if (part !== undefined && matches(part, items[index] as Item)) {
      at += 1
      index += 1
    } else if (resumeAt !== -1) {
      resumeItem += 1
      at = resumeAt + 1
      index = resumeItem
    } else {
      return false
    }
  }
  while (at < pattern.length && isAny(pattern[at] as Part)) at += 1
  return at === pattern.length
}

/** Segments are cut here and not before, because a bracket may hold a slash. */
function parseTokens(text: string): Segment[] {
  const segments: Token[][] = [[]]
  let index = 0
  while (index < text.length) {
    const { token, next } = readToken(text, index)
    const segment = segments.at(-1)
    const last = segment?.at(-1)
    if (token.kind === 'literal' && token.character === '/') segments.push([])
    else if (token.kind === 'many' && last?.kind === 'many') {
      segment?.splice(-1, 1, { kind: 'many', stars: last.stars + 1 })
    } else segment?.push(token)
    index = next
  }
  return segments
}

function readToken(text: string, index: number): { token: Token; next: number } {
  const next = index + 1
  switch (text.charAt(index)) {
    case '*':
      return { token: { kind: 'many', stars: 1 }, next }
    case '?':
      return { token: { kind: 'one' }, next }
    case '[':
      return readSet(text, index) ?? { token: NOTHING, next: text.length }
    default: {
      const { character, next: end } = readCharacter(text, index)
      return { token: { kind: 'literal', character }, next: end }
    }
  }
}

/** An unclosed bracket matches nothing in git. */
const NOTHING: Token = { kind: 'set', negated: false, accept: () => false }

const namedSets = new Map<string, RegExp>(
  Object.entries({
    alnum: /[a-zA-Z0-9]/,
    alpha: /[a-zA-Z]/,
    blank: /[ \t]/,
    digit: /[0-9]/,
    lower: /[a-z]/,
    punct: /[!-/:-@[-`{-~]/,
    space: /\s/,
    upper: /[A-Z]/,
    xdigit: /[0-9a-fA-F]/,
  }),
)

/** Reads `[...]` that starts at `start`; undefined when it has no end. */
function readSet(text: string, start: number): { token: Token; next: number } | undefined {
  let index = start + 1
  const negated = text[index] === '!' || text[index] === '^'
  if (negated) index += 1
  const tests: ((character: string) => boolean)[] = []
  const first = index
  while (index < text.length && (text[index] !== ']' || index === first)) {
    const named = /^\[:([a-z]+):\]/.exec(text.slice(index))
    if (named) {
      const set = namedSets.get(named[1] ?? '')
      tests.push((character) => set?.test(character) ?? false)
      index += named[0].length
      continue
    }
    const low = readCharacter(text, index)
    index = low.next
    const isRange = text[index] === '-' && index + 1 < text.length && text[index + 1] !== ']'
    const high = isRange ? readCharacter(text, index + 1) : low
    index = high.next
    tests.push((character) => character >= low.character && character <= high.character)
  }
  if (index >= text.length) return undefined
  return {
    token: { kind: 'set', negated, accept: (value) => tests.some((test) => test(value)) },
    next: index + 1,
  }
}

function readCharacter(text: string, index: number): { character: string; next: number } {
  const escaped = text[index] === '\\' && index + 1 < text.length
  const at = escaped ? index + 1 : index
  return { character: text.charAt(at), next: at + 1 }
}
