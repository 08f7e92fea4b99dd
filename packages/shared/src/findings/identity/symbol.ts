const NAME = '[A-Za-z_$][\\w$]*'

const declarations: readonly RegExp[] = [
  new RegExp(`\\bfunc\\s+\\([^)]*\\)\\s*(${NAME})\\s*[(\\[]`),
  new RegExp(
    `\\b(?:function\\*?|class|interface|trait|struct|enum|impl|def|fn|func|fun|module|namespace|sub|object|record|protocol|extension)\\s+(${NAME})`,
  ),
  new RegExp(
    `(${NAME})\\s*[:=]\\s*(?:async\\s+)?(?:function\\b|\\([^()]*\\)[^=()]*=>|${NAME}\\s*=>)`,
  ),
  new RegExp(`(${NAME})\\s*[:=]\\s*(?:async\\s*)?\\($`),
]

/** `name(…) {` or `name(…)` before a line with `{` alone: a method, or a function of the C family. */
const callable = new RegExp(`(${NAME})\\s*(?:<[^<>]*>)?\\([^;]*\\)[^;=]*?\\{?\\s*$`)

/** `test('name', …) => {`: a call with a text before the block it opens, as tests, routes and handlers have. */
const titled = /^\s*(?:await\s+|return\s+)?[\w$.]+\(\s*(["'`])(.{1,80}?)\1\s*,/

const notNames = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'else',
  'do',
  'with',
  'match',
  'when',
  'unless',
  'until',
  'foreach',
  'using',
  'lock',
  'synchronized',
  'elif',
  'await',
  'new',
  'function',
  'typeof',
])

/** How far up from a line an enclosing declaration is looked for. */
const MAX_LINES_UP = 3000

/** Lines that say nothing about nesting: comments, directives of a preprocessor, access labels. */
const ignorable = /^\s*(?:$|\/\/|\/?\*|#|--|(?:public|private|protected)\s*:)/

/**
 * The names of the declarations around a line, outermost first (`Cache.get`), or undefined at top level.
 *
 * Reads indentation and keywords only, so it works alike in every language and for text that does not parse. It serves
 * identity: what counts is that the same code gets the same name again.
 */
export function findEnclosingSymbol(
  lines: readonly string[],
  lineNumber: number,
): string | undefined {
  const names: string[] = []
  let indent = Number.POSITIVE_INFINITY
  const last = Math.max(1, lineNumber - MAX_LINES_UP)
  for (let number = lineNumber; number >= last && indent > 0; number -= 1) {
    const line = lines[number - 1] ?? ''
    if (ignorable.test(line)) continue
    const lineIndent = measureIndent(line)
    if (lineIndent >= indent) continue
    // A line that starts with a bracket belongs to one above it with the same indentation: `) {` after parameters.
    const continues = /^\s*[{)\]}]/.test(line)
    indent = continues ? lineIndent + 1 : lineIndent
    const name = continues ? undefined : readDeclaredName(line, lines[number] ?? '')
    if (name !== undefined) names.unshift(name)
  }
  return names.length === 0 ? undefined : names.join('.')
}

function measureIndent(line: string): number {
  let width = 0
  for (const character of line) {
    if (character === '\t') width += 4
    else if (character === ' ') width += 1
    else break
  }
  return width
}

function readDeclaredName(line: string, next: string): string | undefined {
  const code = line.length > 400 ? line.slice(0, 400) : line
  for (const pattern of declarations) {
    const name = pattern.exec(code)?.[1]
    if (name !== undefined && !notNames.has(name)) return name
  }
  const opensBlock = /[{(]\s*$|=>\s*$/.test(code) || next.trim() === '{'
  const title = opensBlock ? titled.exec(code)?.[2] : undefined
  if (title !== undefined) return title
  const name = opensBlock ? callable.exec(code.trim())?.[1] : undefined
  return name !== undefined && !notNames.has(name) ? name : undefined
}
