import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, expect, test } from 'vitest'

import type { SnapshotFile } from '../../snapshot/index.ts'
import type { AnalyzerOutcome } from '../analyzer.ts'
import { oxlintAnalyzer } from './index.ts'
import { lintRules } from './lint-rules.ts'
import { parseLintReport } from './parse-report.ts'

const roots: string[] = []

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

async function lint(
  texts: Readonly<Record<string, string>>,
  signal = new AbortController().signal,
): Promise<{ outcome: AnalyzerOutcome; root: string }> {
  const root = mkdtempSync(join(tmpdir(), 'oxlint-test-'))
  roots.push(root)
  const files: SnapshotFile[] = []
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    const file: SnapshotFile = {
      path,
      bytes: text.length,
      lines: 1,
      hash: '',
      language: null,
      kind: 'source',
      kindReason: '',
    }
    if (oxlintAnalyzer.covers(file)) files.push(file)
  }
  const readText = (file: SnapshotFile): string => texts[file.path] ?? ''
  return { outcome: await oxlintAnalyzer.run({ root, files, readText, signal }), root }
}

const fault = 'var a = { b: 1, b: 2 }\na.b()\n'

function listPlaces(outcome: AnalyzerOutcome): string[] {
  if (outcome.kind !== 'ran') throw new Error(JSON.stringify(outcome))
  return outcome.results.map(({ path, lineStart, ruleId }) => `${path}:${lineStart} ${ruleId}`)
}

test('files of any name are linted, whatever a shell, a glob or a flag would make of it', async () => {
  const names = [
    'a.js',
    '-a.js',
    '--fix.js',
    '[id].tsx',
    'st*r.js',
    '{a,b}.js',
    'é ü.mjs',
    "it's.cjs",
    'new\nline.ts',
    'a b/$(c).js',
    '!x.js',
  ]
  const { outcome } = await lint(Object.fromEntries(names.map((name) => [name, fault])))
  expect(listPlaces(outcome)).toEqual(
    names.toSorted().map((name) => `${name}:1 oxlint/no-dupe-keys`),
  )
})

test('no configuration, no ignore file and no code of the repository has a say', async () => {
  const config = JSON.stringify({
    rules: { 'no-dupe-keys': 'off' },
    ignorePatterns: ['**'],
    jsPlugins: ['./plugin.js'],
  })
  const trap =
    "import { writeFileSync } from 'node:fs'\nwriteFileSync('RAN', '')\nexport default {}\n"
  const { outcome, root } = await lint({
    '.oxlintrc.json': config,
    'oxlint.config.ts': trap,
    'plugin.js': trap,
    '.eslintignore': '**\n',
    '.gitignore': '**\n',
    'tsconfig.json': '{ "extends": "./missing.json" }',
    'src/.oxlintrc.json': config,
    'src/oxlint.config.ts': trap,
    'src/a.ts': fault,
  })
  expect(listPlaces(outcome)).toEqual(['src/a.ts:1 oxlint/no-dupe-keys'])
  expect(existsSync(join(root, 'RAN'))).toBe(false)
  expect(readdirSync(join(root, 'src'))).toHaveLength(3)
})

test('a result stands where the file says, also behind a byte order mark and wide characters', async () => {
  const text = '\uFEFF// näher 🙂\r\n\r\nexport const a = {\r\n  é: 1, b: 1,\r\n  b: 2,\r\n}\r\n'
  const { outcome } = await lint({ 'a.js': text })
  if (outcome.kind !== 'ran') throw new Error(outcome.kind)
  expect(outcome.results).toHaveLength(1)
  expect(outcome.results[0]).toMatchObject({ lineStart: 4, quote: '  é: 1, b: 1,' })
})

test('a file that cannot be parsed, or that crashes the child, is no finding and no other is lost', async () => {
  const { outcome } = await lint({ 'broken.js': 'const = ;', 'a.js': fault })
  expect(listPlaces(outcome)).toEqual(['a.js:1 oxlint/no-dupe-keys'])
})

test('every rule is one that oxlint knows', async () => {
  const names = lintRules.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  // An unknown rule in the configuration makes oxlint fail rather than pass over it.
  const { outcome } = await lint({ 'a.js': 'export const a = 1\n' })
  expect(outcome).toEqual({ kind: 'ran', results: [] })
})

test('a stop request ends the child', async () => {
  const stop = new AbortController()
  stop.abort(new Error('stopped'))
  await expect(lint({ 'a.js': fault }, stop.signal)).rejects.toThrow('stopped')
})

test('what is not a report of oxlint is not read as one', () => {
  expect(parseLintReport('')).toBeUndefined()
  expect(parseLintReport('{"diagnostics": 1}')).toBeUndefined()
  expect(parseLintReport('{"diagnostics": []}')).toEqual([])
})
