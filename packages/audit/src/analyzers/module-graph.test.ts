import { expect, test } from 'vitest'

import type { SnapshotFile } from '../snapshot/index.ts'
import type { AnalyzerResult } from './analyzer.ts'
import { createModuleGraphAnalyzer, type ModuleGraphInput } from './module-graph.ts'

async function analyse(
  graph: ModuleGraphInput,
  render = (path: string): string => `// ${path}\r\nimport './x.ts'\r\n`,
): Promise<readonly AnalyzerResult[]> {
  const files = ['a.ts', 'b.ts'].map((path): SnapshotFile => ({
    path,
    bytes: 0,
    lines: 2,
    hash: '',
    language: null,
    kind: 'source',
    kindReason: '',
  }))
  const outcome = await createModuleGraphAnalyzer(graph).run({
    root: '/nowhere',
    files,
    readText: ({ path }) => render(path),
    signal: new AbortController().signal,
  })
  if (outcome.kind !== 'ran') throw new Error(outcome.kind)
  return outcome.results
}

const ring = [
  { path: 'a.ts', specifier: './b.ts', line: 2 },
  { path: 'b.ts', specifier: './a.ts', line: 2 },
]

test('a ring of imports is one finding with its members in order and the import as its quote', async () => {
  const results = await analyse({ cycles: [ring], unresolved: [] })
  expect(results).toHaveLength(1)
  expect(results[0]).toMatchObject({
    ruleId: 'import-cycle',
    path: 'a.ts',
    lineStart: 2,
    quote: "import './x.ts'",
  })
  expect(results[0]?.summary).toContain('a.ts -> b.ts -> a.ts')
})

test('a ring that types alone close orders nothing at run time and is not told', async () => {
  const [first, second] = ring
  if (!first || !second) throw new Error('no ring')
  expect(
    await analyse({ cycles: [[first, { ...second, isTypeOnly: true }]], unresolved: [] }),
  ).toEqual([])
})

test('of a long ring a few members are named and the others counted', async () => {
  const long = Array.from({ length: 40 }, (_, at) => ({
    path: `m${at}.ts`,
    specifier: './n.ts',
    line: 1,
  }))
  const [result] = await analyse({ cycles: [long], unresolved: [] })
  expect(result?.summary).toContain('m5.ts -> 34 more.')
  expect(result).not.toHaveProperty('quote')
})

const gone = { path: 'b.ts', specifier: './gone.ts', line: 2 }

test('an import that leads nowhere is told where it stands', async () => {
  const text = (): string => "// b\nimport './gone.ts'\n"
  const [result] = await analyse({ cycles: [], unresolved: [gone] }, text)
  expect(result).toMatchObject({
    ruleId: 'unresolved-import',
    path: 'b.ts',
    lineStart: 2,
    standing: 'finding',
  })
  expect(result).toMatchObject({ lens: 'correctness', quote: "import './gone.ts'" })
  expect(result?.summary).toContain('./gone.ts')
})

test.each([
  ['a path that is put together', "// b\nrequire('./gone.ts' + name)\n"],
  ['a specifier that the line does not hold', '// b\nrequire(`./${name}`)\n'],
  ['a bundle with a require of its own', "function require(name) {}\nrequire('./gone.ts')\n"],
])('%s is not an unresolved import', async (_what, text) => {
  expect(await analyse({ cycles: [], unresolved: [gone] }, () => text)).toEqual([])
})

test('an import that is tried, and many in one file, are leads', async () => {
  const tried = "try {\n  require('./gone.ts') } catch (error) { use(error) }\n"
  const [result] = await analyse({ cycles: [], unresolved: [gone] }, () => tried)
  expect(result?.standing).toBe('lead')
  const many = Array.from({ length: 8 }, (_, at) => ({ ...gone, line: at + 1 }))
  const results = await analyse({ cycles: [], unresolved: many }, () =>
    "require('./gone.ts')\n".repeat(8),
  )
  expect(results.map(({ standing }) => standing)).toEqual(many.map(() => 'lead'))
})
