import { expect, test } from 'vitest'

import type { SnapshotFile } from '../snapshot/index.ts'
import type { AnalyzerResult } from './analyzer.ts'
import { createModuleGraphAnalyzer, type ModuleGraphInput } from './module-graph.ts'

async function analyse(graph: ModuleGraphInput): Promise<readonly AnalyzerResult[]> {
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
    readText: ({ path }) => `// ${path}\r\nimport './x.ts'\r\n`,
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

test('an import that leads nowhere is told where it stands', async () => {
  const [result] = await analyse({
    cycles: [],
    unresolved: [{ path: 'b.ts', specifier: './gone.ts', line: 2 }],
  })
  expect(result).toMatchObject({
    ruleId: 'unresolved-import',
    path: 'b.ts',
    lineStart: 2,
    lens: 'correctness',
  })
  expect(result?.summary).toContain('./gone.ts')
})
