import { expect, test } from 'vitest'
import { measureGrowth } from '../../test/support/measure-growth.ts'

import type { SnapshotFile } from '../snapshot/index.ts'
import { extractFacts } from './extract-facts.ts'
import { FileFactsSchema } from './facts.ts'

function extract(path: string, text: string, language: string | null = null) {
  const file: SnapshotFile = {
    path,
    bytes: Buffer.byteLength(text),
    lines: text.split('\n').length,
    hash: '0'.repeat(40),
    language,
    kind: 'source',
    kindReason: 'test',
  }
  return FileFactsSchema.parse(extractFacts(file, text))
}

function importsOf(path: string, text: string, language?: string): string[] {
  return extract(path, text, language).imports.map(
    ({ specifier, line, form, typeOnly }) =>
      `${line} ${form} ${specifier}${typeOnly ? ' (types)' : ''}`,
  )
}

test('imports of every form are found with their lines', () => {
  const text = `import a from './a.js'
import type { B } from './b'
import { type C, d } from './c'
import './side'
export * from './e'
export type { F } from './f'
const g = await import('./g')
const h = await import(\`./h\`)
await import('./' + name)
const i = require('./i')
// require('./commented')
/* require('./block') */ const j = require("./j")
`
  expect(importsOf('x.ts', text)).toEqual([
    '1 import ./a.js',
    '2 import ./b (types)',
    '3 import ./c',
    '4 import ./side',
    '5 export ./e',
    '6 export ./f (types)',
    '7 dynamic ./g',
    '8 dynamic ./h',
    '10 require ./i',
    '12 require ./j',
  ])
})

test('a call in a text literal is no import, and declarations import types only', () => {
  const text = "const a = require('./a')\nconst b = `\nrequire('./b')`\nf(\"require('./c')\")\n"
  expect(importsOf('x.js', text)).toEqual(['1 require ./a'])
  expect(importsOf('x.d.ts', "import { A } from './a'\n")).toEqual(['1 import ./a (types)'])
})

test('old scripts, JSX in plain files, Flow types and templates are read too', () => {
  expect(importsOf('a.js', "if (x) return 1\r\nvar b = require('./b')")).toEqual(['2 require ./b'])
  expect(importsOf('a.js', "import b from './b'\nexport default () => <b/>")).toEqual([
    '1 import ./b',
  ])
  expect(importsOf('a.js', "import type { B } from './b'\nconst f = (x: number) => x")).toEqual([
    '1 import ./b (types)',
  ])
  expect(
    importsOf(
      'a.vue',
      '<template><p/></template>\n<script setup lang="ts">\nimport b from \'./b\'\n</script>\n',
    ),
  ).toEqual(['3 import ./b'])
  expect(
    importsOf('a.astro', "---\nimport b from './b'\n---\n<script>import './c'</script>"),
  ).toEqual(['2 import ./b', '4 import ./c'])
})

test('a text that does not parse, or nests too deep to be parsed, gives its imports by pattern', () => {
  const broken = "import a from './a'\nconst = \nconst b = require('./b')"
  expect(importsOf('x.ts', broken)).toEqual(['1 pattern ./a', '3 pattern ./b'])
  const deep = `import a from './a'\n${'['.repeat(100_000)}`
  expect(importsOf('x.ts', deep)).toEqual(['1 pattern ./a'])
})

test('other languages name their imports a line each', () => {
  expect(
    importsOf('a.py', 'import os, app.db as db\nfrom .models import User, Group\n', 'Python'),
  ).toEqual([
    '1 import os',
    '1 import app.db',
    '2 import .models',
    '2 import .models.User',
    '2 import .models.Group',
  ])
  expect(importsOf('a.go', 'package a\nimport (\n  "fmt"\n  x "ex.org/m/x"\n)\n', 'Go')).toEqual([
    '3 import fmt',
    '4 import ex.org/m/x',
  ])
  expect(importsOf('A.java', 'import static com.x.A.f;\n// import com.x.B;\n', 'Java')).toEqual([
    '1 import com.x.A.f',
  ])
  expect(importsOf('a.c', '#include <stdio.h>\n#include "a.h"\n', 'C')).toEqual(['2 import a.h'])
})

test('routes and commands are surfaces where a router or a command framework is called', () => {
  const text = `import { Command } from 'commander'
app.get('/users', list)
router.post(\`/users\`, create)
cache.get('/users', other)
request(app).get('/users')
server.route({ method: 'PUT', url: '/users/:id', handler })
program.command('sync <dir>').action(run)
api.use('/v1', routes)
`
  expect(extract('x.ts', text).surfaces).toEqual([
    { kind: 'http_route', name: 'GET /users', line: 2 },
    { kind: 'http_route', name: 'POST /users', line: 3 },
    { kind: 'http_route', name: 'PUT /users/:id', line: 6 },
    { kind: 'cli_command', name: 'sync <dir>', line: 7 },
    { kind: 'http_route', name: 'USE /v1', line: 8 },
  ])
  const decorated = `import { Controller, Get } from '@nestjs/common'
@Controller('cats')
class Cats {
  @Get(':id') find() {}
}`
  expect(extract('x.ts', decorated).surfaces).toEqual([
    { kind: 'http_route', name: 'GET :id', line: 4 },
  ])
  expect(
    extract('a.py', '@app.route("/x")\n# @app.get("/y")\ndef x(): pass\n', 'Python').surfaces,
  ).toEqual([{ kind: 'http_route', name: 'ROUTE /x', line: 1 }])
})

test('manifests and path aliases are read as the data they are', () => {
  const manifest = {
    name: '@x/a',
    main: 1,
    bin: { tool: './dist/bin.js' },
    exports: { '.': { types: './dist/a.d.ts', default: './dist/a.js' }, './*': './dist/*.js' },
  }
  expect(extract('package.json', JSON.stringify(manifest)).manifest).toEqual({
    name: '@x/a',
    entries: [{ field: 'bin', target: './dist/bin.js' }],
    exports: [
      ['.', ['./dist/a.d.ts', './dist/a.js']],
      ['./*', ['./dist/*.js']],
    ],
    imports: [],
  })
  expect(extract('package.json', '{ not json').manifest).toBeUndefined()
  const config = `{
  // comment with "quotes"
  "extends": "../base.json",
  "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*", ], }, /* " */ },
}`
  expect(extract('tsconfig.build.json', config).aliases).toEqual({
    extends: ['../base.json'],
    baseUrl: '.',
    paths: [['@/*', ['src/*']]],
  })
})

test('commands of containers and pipelines name the files they start', () => {
  const docker = 'FROM node\nCOPY a.js /app/\nCMD ["node", "/src/server.js"]\n'
  expect(extract('Dockerfile', docker).references).toEqual([
    { text: 'src/server.js', line: 3, reason: 'Dockerfile CMD' },
  ])
  const workflow = 'jobs:\n  a:\n    steps:\n      - run: node scripts/check.mjs --all\n'
  expect(extract('.github/workflows/ci.yml', workflow).references).toEqual([
    { text: 'scripts/check.mjs', line: 4, reason: 'CI step' },
  ])
})

test('a long file is cut before its symbols, and a line that is long by itself stands alone', () => {
  const symbol = (index: number): string =>
    `// says what\nexport function f${index}() {\n${'  call()\n\n'.repeat(200)}}\n`
  const data = `const data = '${'x'.repeat(20_000)}'\n`
  const text = symbol(1) + symbol(2) + data + symbol(3)
  const cuts = extract('x.ts', text).cuts ?? []
  const lines = new Map(cuts.map(([line, , level]) => [line, level]))
  expect(lines.get(1)).toBe(0)
  expect(lines.get(404)).toBe(0)
  expect(lines.get(807)).toBe(0)
  expect(lines.get(808)).toBe(0)
  expect(cuts.every(([line], index) => index === 0 || line > (cuts[index - 1]?.[0] ?? 0))).toBe(
    true,
  )
  for (const [line, bytes] of cuts) {
    expect(
      Buffer.byteLength(
        text
          .split('\n')
          .slice(0, line - 1)
          .join('\n'),
      ),
    ).toBe(Math.max(0, bytes - 1))
  }
})

const languages = new Map([
  ['.py', 'Python'],
  ['.go', 'Go'],
])

test('text made to cost time costs no more than its length', async () => {
  const hostile = [
    ['a.vue', '<script '.repeat(200_000)],
    ['a.vue', '<script>'.repeat(200_000)],
    ['tsconfig.json', '"\\'.repeat(500_000)],
    ['tsconfig.json', ',    '.repeat(200_000)],
    ['a.js', `const = ${'from '.repeat(200_000)}`],
    ['a.js', `const = from${' '.repeat(1_000_000)}`],
    ['a.js', `const = ${"require('".repeat(200_000)}`],
    ['a.js', `const a = 1\n${'/**/;\n'.repeat(100_000)}`],
    ['.github/workflows/a.yml', `run: ${'a/'.repeat(500_000)}`],
    ['.github/workflows/a.yml', `run: ${'a.'.repeat(900)}\n`.repeat(2000)],
    ['a.py', `from ${'.'.repeat(2_000_000)}`],
    ['a.go', 'import (\n'.repeat(300_000)],
    ['a.py', '@a.get(\n'.repeat(200_000)],
  ] as const
  for (const [path, text] of hostile) {
    const language = languages.get(path.slice(-3)) ?? null
    const growth = await measureGrowth(text, (part) => extract(path, part, language))
    expect(growth, `${path} ${text.slice(0, 20)}`).toBeLessThan(10)
  }
})
