import { readdirSync, readFileSync } from 'node:fs'
import { analyse } from 'scslre'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { providerGrammars, commonGrammars } from './grammars/index.ts'

const root = new URL('./', import.meta.url)

interface Pattern {
  readonly where: string
  readonly source: string
  readonly flags: string
}

/** Every regular expression written in this folder, found by the compiler's own parser. */
function listWrittenPatterns(): readonly Pattern[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => listPatternsOf(file))
}

function listPatternsOf(file: string): readonly Pattern[] {
  const text = readFileSync(new URL(file, root), 'utf8')
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
  const patterns: Pattern[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      patterns.push({
        where: file,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return patterns
}

/** Patterns put together from parts, which the parser cannot see. */
const builtPatterns: readonly Pattern[] = [...providerGrammars, ...commonGrammars].flatMap(
  ({ names, rules }) =>
    rules
      .flatMap(({ code, text, alsoText }) => [code ?? [], text ?? [], alsoText ?? []].flat())
      .map((pattern) => ({
        where: names[0] ?? '',
        source: pattern.source,
        flags: pattern.flags,
      })),
)

test('no regular expression of this folder can backtrack beyond linear time', () => {
  const patterns = [...listWrittenPatterns(), ...builtPatterns]
  expect(patterns.length).toBeGreaterThan(150)
  const slow = patterns.flatMap(({ where, source, flags }) =>
    analyse({ source, flags }, { assumeRejectingSuffix: true }).reports.map(
      ({ type, character }) => `${where}: ${type} on ${character.pick} in /${source}/${flags}`,
    ),
  )
  expect(slow).toEqual([])
})
