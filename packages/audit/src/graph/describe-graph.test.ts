import { expect, test } from 'vitest'

import { makeDirectory } from '../../test/support/make-repository.ts'
import { snapshotOf } from '../../test/support/snapshot-of.ts'
import { assessRisk } from './assess-risk.ts'
import { buildGraph } from './build-graph.ts'
import { collectFacts } from './collect-facts.ts'
import { describeGraph, GraphBundleSchema } from './describe-graph.ts'
import { describeRisk, RiskRegisterSchema } from './describe-risk.ts'

test('the bundle names every path once and the rest by its place; risk is rounded', async () => {
  const code = 'export const value = compute(1)\n'.repeat(30)
  const directory = makeDirectory({
    'package.json': '{ "name": "x", "bin": "src/a.ts" }',
    'src/a.ts': `import { b } from './b'\nimport './gone'\napp.get('/x', b)\n${code}`,
    'src/b.ts': `import type { A } from './a'\n${code}`,
    'src/a.test.ts': `import './a'\n${code}`,
  })
  const snapshot = await snapshotOf(directory.root)
  const facts = await collectFacts(snapshot, {
    known: new Map(),
    signal: new AbortController().signal,
  })
  const graph = buildGraph(snapshot, facts.byPath, [['src/a.ts', 'src/b.ts']])
  const bundle = GraphBundleSchema.parse(describeGraph(graph))
  const at = (path: string): number => bundle.files.indexOf(path)
  expect(bundle.files).toEqual(['package.json', 'src/a.test.ts', 'src/a.ts', 'src/b.ts'])
  expect(bundle.edges).toEqual([
    [at('src/a.test.ts'), at('src/a.ts'), 1, 'import', 0, 0],
    [at('src/a.ts'), at('src/b.ts'), 1, 'import', 0, 0],
    [at('src/b.ts'), at('src/a.ts'), 1, 'import', 1, 0],
  ])
  expect(bundle.resolutions).toEqual([['high', 'relative path']])
  expect(bundle.unresolved).toEqual([[at('src/a.ts'), './gone', 2]])
  expect(bundle.entry_points).toEqual([[at('src/a.ts'), 'package.json', 'bin']])
  expect(bundle.surfaces).toEqual([[at('src/a.ts'), 3, 'http_route', 'GET /x']])
  expect(bundle.cycles).toEqual([{ type_only: true, files: [at('src/a.ts'), at('src/b.ts')] }])

  const register = RiskRegisterSchema.parse(describeRisk(assessRisk(snapshot, graph, [])))
  expect(register.factors.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(1)
  expect(register.files.map(([path]) => path)).toEqual(['package.json', 'src/a.ts', 'src/b.ts'])
  const sourceBytes = snapshot.files.reduce((sum, file) => sum + file.bytes, 0)
  expect(JSON.stringify(bundle).length + JSON.stringify(register).length).toBeLessThan(sourceBytes)
})
