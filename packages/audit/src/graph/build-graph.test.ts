import { expect, test } from 'vitest'

import { makeDirectory, makeRepository } from '../../test/support/make-repository.ts'
import { snapshotOf } from '../../test/support/snapshot-of.ts'
import { inspectRepository } from '@audit-tools/shared/git'

import { assessRisk } from './assess-risk.ts'
import { buildGraph } from './build-graph.ts'
import { collectFacts } from './collect-facts.ts'
import type { Graph } from './graph.ts'
import { readChangeHistory } from './read-change-history.ts'

const signal = new AbortController().signal

async function graphOf(files: Readonly<Record<string, string>>): Promise<Graph> {
  const snapshot = await snapshotOf(makeDirectory(files).root)
  const facts = await collectFacts(snapshot, { known: new Map(), signal })
  return buildGraph(snapshot, facts.byPath, [])
}

function edgesOf(graph: Graph): string[] {
  return graph.edges.map(
    ({ from, to, confidence, reason }) => `${from} > ${to} (${confidence}: ${reason})`,
  )
}

test('relative imports find files by extension, compiled name and directory, and nothing outside', async () => {
  const graph = await graphOf({
    'src/a.ts':
      "import './b.js'\nimport './c'\nimport './d'\nimport './data.json'\nimport '../../etc/passwd'\nimport './gone'\nimport 'react'\nimport './logo.svg?raw'\n",
    'src/b.ts': '',
    'src/c.tsx': '',
    'src/d/index.ts': '',
    'src/data.json': '{}',
    'src/logo.svg': '<svg/>',
    'node_modules/react/index.js': '',
  })
  expect(graph.edges.map(({ to }) => to)).toEqual([
    'src/b.ts',
    'src/c.tsx',
    'src/d/index.ts',
    'src/data.json',
    'src/logo.svg',
  ])
  expect(graph.unresolved.map(({ specifier, line }) => `${line} ${specifier}`)).toEqual([
    '5 ../../etc/passwd',
    '6 ./gone',
  ])
})

test('what is there and out of scope is not unresolved', async () => {
  const graph = await graphOf({
    '.gitignore': 'generated/\n',
    'a.ts': "import './logo.png'\nimport './generated/client'\n",
    'logo.png': '\0',
    'generated/client.ts': '',
  })
  expect(graph.unresolved).toEqual([])
})

test('workspace packages, path aliases and package imports lead to sources', async () => {
  const graph = await graphOf({
    'packages/a/package.json': JSON.stringify({
      name: '@x/a',
      exports: { '.': './dist/index.js', './deep/*': './dist/deep/*.js' },
      imports: { '#own': './src/own.ts' },
    }),
    'packages/a/src/index.ts': "import '#own'\n",
    'packages/a/src/own.ts': '',
    'packages/a/src/deep/one.ts': '',
    'packages/b/package.json': JSON.stringify({ name: 'b', main: 'lib/main.js' }),
    'packages/b/lib/main.js': "require('@x/a/deep/one')\n",
    'app/tsconfig.json': '{ "extends": "../tsconfig.base.json" }',
    'tsconfig.base.json': '{ "compilerOptions": { "paths": { "@/*": ["./app/src/*"] } } }',
    'app/src/main.ts': "import '@x/a'\nimport 'b'\nimport '@/util'\nimport '@x/a/missing'\n",
    'app/src/util.ts': '',
  })
  expect(edgesOf(graph)).toEqual([
    'app/src/main.ts > app/src/util.ts (high: path alias of app/tsconfig.json)',
    'app/src/main.ts > packages/a/src/index.ts (medium: exports of @x/a, built file mapped to its source)',
    'app/src/main.ts > packages/b/lib/main.js (high: main of b)',
    'packages/a/src/index.ts > packages/a/src/own.ts (high: package imports)',
    'packages/b/lib/main.js > packages/a/src/deep/one.ts (medium: exports of @x/a, built file mapped to its source)',
  ])
  expect(graph.unresolved.map(({ specifier }) => specifier)).toEqual(['@x/a/missing'])
})

test('modules of other languages lead to files by the rules of their language', async () => {
  const graph = await graphOf({
    'py/app/main.py': 'from . import db\nfrom app.models import User\nimport os\n',
    'py/app/db.py': '',
    'py/app/models.py': '',
    'go/go.mod': 'module ex.org/m\n',
    'go/main.go': 'package main\nimport "ex.org/m/store"\n',
    'go/store/store.go': 'package store\n',
    'go/store/store_test.go': 'package store\n',
    'java/src/main/java/com/x/A.java': 'import com.x.y.B;\n',
    'java/src/main/java/com/x/y/B.java': '',
    'rust/src/main.rs': 'mod net;\nuse crate::net::Client;\n',
    'rust/src/net.rs': '',
    'c/a.c': '#include "inc/a.h"\n',
    'c/inc/a.h': '',
    'rb/lib/a.rb': "require_relative 'b'\n",
    'rb/lib/b.rb': '',
    'php/src/A.php': '<?php\nuse App\\Model\\User;\n',
    'php/src/Model/User.php': '<?php\n',
  })
  expect(graph.edges.map(({ from, to }) => `${from} > ${to}`)).toEqual([
    'c/a.c > c/inc/a.h',
    'go/main.go > go/store/store.go',
    'java/src/main/java/com/x/A.java > java/src/main/java/com/x/y/B.java',
    'php/src/A.php > php/src/Model/User.php',
    'py/app/main.py > py/app/db.py',
    'py/app/main.py > py/app/models.py',
    'rb/lib/a.rb > rb/lib/b.rb',
    'rust/src/main.rs > rust/src/net.rs',
  ])
})

test('cycles at run time and cycles of types are told apart, dynamic imports close none', async () => {
  const graph = await graphOf({
    'a.ts': "import './b'\n",
    'b.ts': "import './c'\n",
    'c.ts': "import './a'\n",
    'd.ts': "import type { E } from './e'\n",
    'e.ts': "import './d'\n",
    'f.ts': "import './g'\n",
    'g.ts': "void import('./f')\n",
  })
  expect(graph.cycles).toEqual([
    { files: ['a.ts', 'b.ts', 'c.ts'], typeOnly: false },
    { files: ['d.ts', 'e.ts'], typeOnly: true },
  ])
})

test('entry points and exported surfaces are those that are declared and exist', async () => {
  const graph = await graphOf({
    'package.json': JSON.stringify({
      name: 'x',
      bin: 'dist/cli.js',
      exports: './dist/index.js',
      main: 'gone.js',
    }),
    'src/cli.ts': '',
    'src/index.ts': '',
    'src/server.ts': '',
    Dockerfile: 'CMD ["node", "src/server.ts", "missing.js"]\n',
  })
  expect(graph.entryPoints).toEqual([
    { path: 'src/cli.ts', declaredIn: 'package.json', reason: 'bin, built from it' },
    { path: 'src/index.ts', declaredIn: 'package.json', reason: 'exports ., built from it' },
    { path: 'src/server.ts', declaredIn: 'Dockerfile', reason: 'Dockerfile CMD' },
  ])
  expect(graph.surfaces).toEqual([
    { kind: 'exported_api', name: 'exports ., built from it', path: 'src/index.ts', line: 1 },
  ])
})

test('tests are linked to what they import and what they are named after', async () => {
  const graph = await graphOf({
    'src/a.ts': '',
    'src/a.test.ts': "import './b'\n",
    'src/b.ts': '',
    'src/one/index.ts': '',
    'src/two/index.ts': '',
    'test/two/index.test.ts': '',
    'lib/deep/near.ts': '',
    'test/near.test.ts': '',
    'other/far.ts': '',
    'some/test/far.test.ts': '',
    'go/x.go': '',
    'go/x_test.go': '',
    'app/models/user.rb': '',
    'spec/models/user_spec.rb': '',
    'src/main/java/com/x/User.java': '',
    'src/test/java/com/x/UserTest.java': '',
  })
  expect(
    graph.testLinks.map(({ test: from, source, reason }) => `${from} ${reason} ${source}`),
  ).toEqual([
    'go/x_test.go named after it go/x.go',
    'spec/models/user_spec.rb named after it app/models/user.rb',
    'src/a.test.ts named after it src/a.ts',
    'src/a.test.ts imports it src/b.ts',
    'src/test/java/com/x/UserTest.java named after it src/main/java/com/x/User.java',
    'test/near.test.ts named after it lib/deep/near.ts',
    'test/two/index.test.ts named after it src/two/index.ts',
  ])
})

test('churn and common changes come from the history below the root, broad commits left out', async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`app/${index}.ts`, '']))
  const repository = makeRepository({ ...many, 'other/x.ts': '' })
  for (let round = 0; round < 3; round += 1) {
    repository.write({ 'app/1.ts': `${round}`, 'app/2.ts': `${round}`, 'other/x.ts': `${round}` })
    repository.git('commit', '-qam', `round ${round}`)
  }
  const root = `${repository.root}/app`
  const inspection = await inspectRepository(root)
  if (inspection.kind !== 'repository') throw new Error('no repository')
  const history = await readChangeHistory(inspection.repository, signal)
  const snapshot = await snapshotOf(root)
  const graph = buildGraph(snapshot, new Map(), history)
  expect([graph.churn.get('1.ts'), graph.churn.get('3.ts')]).toEqual([4, 1])
  expect(graph.coChanges).toEqual([{ left: '1.ts', right: '2.ts', commits: 3 }])
})

test('facts of unchanged files are taken from before, and a file that changed since the snapshot is named', async () => {
  const directory = makeDirectory({ 'a.ts': "import './b'\n", 'b.ts': '', 'c.ts': '' })
  const snapshot = await snapshotOf(directory.root)
  const first = await collectFacts(snapshot, { known: new Map(), signal })
  directory.write({ 'a.ts': 'changed\n', 'c.ts': 'changed\n' })
  const withoutC = new Map(
    [...first.byKey].filter(([, facts]) => facts !== first.byPath.get('c.ts')),
  )
  const again = await collectFacts(snapshot, { known: withoutC, signal })
  expect(again.byPath.get('a.ts')).toEqual(first.byPath.get('a.ts'))
  expect(again.changed).toEqual(['c.ts'])
})

test('risk is higher where input comes in, sinks are, changes are many and tests are missing', async () => {
  const snapshot = await snapshotOf(
    makeDirectory({
      'routes.ts': "import './handler'\napp.post('/pay', pay)\n",
      'handler.ts': 'export {}\n',
      'calm.ts': 'export {}\n',
      'calm.test.ts': "import './calm'\n",
      'README.md': 'text\n',
    }).root,
  )
  const facts = await collectFacts(snapshot, { known: new Map(), signal })
  const graph = buildGraph(snapshot, facts.byPath, [['handler.ts'], ['handler.ts']])
  const register = assessRisk(snapshot, graph, [{ path: 'handler.ts', severity: 'high' }])
  expect(register.files.map(({ path }) => path)).toEqual(['calm.ts', 'handler.ts', 'routes.ts'])
  const [calm, handler, routes] = register.files
  expect(handler?.factors).toMatchObject({ exposure: 0.5, untested: 1, sinks: 0.6 })
  expect(routes?.factors.exposure).toBe(1)
  expect(handler?.score).toBeGreaterThan(routes?.score ?? 1)
  expect(routes?.score).toBeGreaterThan(calm?.score ?? 1)
})
