import type { ImportReference } from './facts.ts'
import { createLineIndex } from './line-index.ts'

interface ImportPattern {
  readonly languages: ReadonlySet<string>
  /** Global and multi-line, anchored to line starts, so that comments do not match. */
  readonly pattern: RegExp
  /** The specifiers of a match; group 1 where absent. */
  readonly list?: (match: RegExpExecArray) => readonly string[]
}

const patterns: readonly ImportPattern[] = [
  {
    languages: new Set(['Python']),
    pattern: /^[ \t]*import[ \t]+([\w.][\w., \t]*)/gm,
    list: ([, names = '']) => listNames(names),
  },
  {
    languages: new Set(['Python']),
    pattern: /^[ \t]*from[ \t]+([\w.]*)[ \t]+import[ \t]+\(?([\w., \t]*)/gm,
    list: ([, base = '', names = '']) => {
      const prefix = base.endsWith('.') ? base : `${base}.`
      return [base, ...listNames(names).map((name) => prefix + name)]
    },
  },
  {
    languages: new Set(['Go']),
    pattern: /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([^"\n]+)"/gm,
  },
  {
    languages: new Set(['Java', 'Kotlin', 'Scala', 'Groovy']),
    pattern: /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)/gm,
  },
  {
    languages: new Set(['Ruby']),
    pattern: /^[ \t]*require_relative[ \t(]+["']([^"'\n]+)/gm,
    list: ([, name = '']) => [`./${name}`],
  },
  { languages: new Set(['Ruby']), pattern: /^[ \t]*require[ \t(]+["']([^"'\n]+)/gm },
  {
    languages: new Set(['PHP']),
    pattern:
      /^[ \t]*(?:require|include)(?:_once)?[ \t(]+(?:__DIR__[ \t]*\.[ \t]*)?["']\/?([^"'\n]+)/gm,
    list: ([, name = '']) => [`./${name}`],
  },
  { languages: new Set(['PHP']), pattern: /^use[ \t]+\\?([\w\\]+)/gm },
  {
    languages: new Set(['Rust']),
    pattern: /^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;/gm,
    list: ([, name = '']) => [`mod ${name}`],
  },
  { languages: new Set(['Rust']), pattern: /^[ \t]*(?:pub[ \t]+)?use[ \t]+(crate::[\w:]+)/gm },
  {
    languages: new Set(['C', 'C++', 'Objective-C', 'Objective-C++']),
    pattern: /^[ \t]*#[ \t]*(?:include|import)[ \t]+"([^"\n]+)"/gm,
  },
]

/** Imports of languages that name them a line each, by the look of the line. */
export function extractLineImports(language: string, text: string): ImportReference[] {
  const used = patterns.filter(({ languages }) => languages.has(language))
  if (used.length === 0) return []
  const lineOf = createLineIndex(text)
  const searched = language === 'Go' ? text.slice(0, findFirstDeclaration(text)) : text
  return used
    .flatMap(({ pattern, list }) =>
      [...searched.matchAll(pattern)].flatMap((match) =>
        (list ? list(match) : [match[1] ?? '']).map((specifier) => ({
          specifier,
          line: lineOf(match.index),
          form: 'import' as const,
          typeOnly: false,
        })),
      ),
    )
    .toSorted((left, right) => left.line - right.line)
}

/** Go's imports come before everything else, in a block where each is no more than a text. */
function findFirstDeclaration(text: string): number {
  return /^(?:const|func|type|var)\b/m.exec(text)?.index ?? text.length
}

/** `a.b as c, d` -> `a.b`, `d`. */
function listNames(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim().split(/[ \t]/)[0] ?? '')
    .filter((name) => name !== '' && name !== '*')
}
