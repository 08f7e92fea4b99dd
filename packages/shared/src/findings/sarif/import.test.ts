import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { makeTree } from '../fixtures/drafts.ts'
import { createGrounder } from '../grounding/grounding.ts'
import { assignIdentity } from '../identity/identity.ts'
import { mergeFindings } from '../identity/merge.ts'
import type { ImportedElement, ImportOptions, ImportResult } from '../importers/import-outcome.ts'
import { importSarif } from './import.ts'

type Imported = Extract<ImportResult, { kind: 'imported' }>

function read(log: object, options: ImportOptions = {}): Imported {
  const result = importSarif(JSON.stringify(log), options)
  if (result.kind === 'invalid') throw new Error(result.reason)
  return result
}

function makeLog(results: readonly object[], run: object = {}): object {
  return {
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'lint' } }, results, ...run }],
  }
}

function makeResult(uri: string, overrides: object = {}, location: object = {}): object {
  return {
    ruleId: 'no-eval',
    message: { text: 'Do not use eval.' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri, ...location },
          region: { startLine: 7 },
        },
      },
    ],
    ...overrides,
  }
}

function listPaths(result: Imported): (string | undefined)[] {
  return result.drafts.map((draft) => draft.affected_files[0]?.path)
}

const rows = readFileSync(new URL('../fixtures/sarif.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; right: string })

/** What each row of the corpus asks, as a check of its own. */
const checks: Readonly<Record<string, () => void>> = {
  S02() {
    const files = ['src/my file.ts']
    for (const uri of ['src/my file.ts', 'src/my%20file.ts']) {
      expect(listPaths(read(makeLog([makeResult(uri)]), { files }))).toEqual(['src/my file.ts'])
    }
  },
  S03() {
    const log = makeLog([
      makeResult('file:///home/ci/work/app/src/a.ts', {
        message: { text: 'See /home/ci/work/app/src/a.ts and file:///home/ci/other/b.ts' },
      }),
    ])
    const unique = read(log, { files: ['src/a.ts', 'src/b.ts'], root: '/work/here' })
    expect(listPaths(unique)).toEqual(['src/a.ts'])
    expect(unique.drafts[0]?.summary).toBe('See src/a.ts and b.ts')
    const ambiguous = read(log, { files: ['src/a.ts', 'lib/src/a.ts'] })
    expect(ambiguous.accounting).toMatchObject({ kept: 0, unlocated: 1 })
    const absent = read(log, { files: ['src/b.ts'] })
    expect(absent.accounting).toMatchObject({ kept: 0, unlocated: 1 })
    for (const result of [unique, ambiguous, absent]) {
      expect(JSON.stringify(result)).not.toMatch(/\/home\/ci/)
    }
  },
  S04() {
    const result = makeResult('a.ts', {}, { uriBaseId: 'SRC' })
    const log = makeLog([result], { originalUriBaseIds: { SRC: { uri: 'file:///w/app/src/' } } })
    expect(listPaths(read(log, { files: ['src/a.ts', 'a.ts'] }))).toEqual(['src/a.ts'])
  },
  S05() {
    const location = { physicalLocation: { artifactLocation: { uri: 'src/a.ts' } } }
    const log = makeLog([{ ruleId: 'x', message: { text: 'No licence' }, locations: [location] }])
    expect(read(log).drafts[0]?.affected_files).toEqual([{ path: 'src/a.ts' }])
  },
  S06() {
    const suppress = (status?: string): object =>
      makeResult('src/a.ts', { suppressions: [{ kind: 'inSource', ...(status && { status }) }] })
    expect(read(makeLog([suppress('accepted')])).accounting).toMatchObject({
      kept: 0,
      suppressed: 1,
    })
    expect(read(makeLog([suppress()])).accounting).toMatchObject({ kept: 0, suppressed: 1 })
    for (const status of ['rejected', 'underReview']) {
      expect(read(makeLog([suppress(status)])).accounting).toMatchObject({ kept: 1, suppressed: 0 })
    }
  },
  S07() {
    const at = (startLine: number): object => ({
      tool: { driver: { name: 'lint' } },
      results: [
        {
          ...makeResult('src/a.ts'),
          partialFingerprints: { primaryLocationLineHash: '39fa2ee980eb94b0:1' },
          locations: [
            {
              physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine } },
            },
          ],
        },
      ],
    })
    const both = read({ version: '2.1.0', runs: [at(10), at(40)] })
    expect(both.accounting).toMatchObject({ received: 2, kept: 1, merged: 1 })
    expect(both.elements[1]).toEqual({
      position: 'runs[1].results[0]',
      kind: 'merged',
      into: 'runs[0].results[0]',
    })
    const apart = [10, 40].flatMap((line) => read({ version: '2.1.0', runs: [at(line)] }).drafts)
    const identified = assignIdentity(
      apart.map((draft) => ({ draft, grounding: { status: 'grounded' } })),
    )
    expect(mergeFindings(identified).findings).toHaveLength(1)
  },
  S08() {
    const suppression = { kind: 'inSource', status: 'accepted' }
    const suppressions = [suppression, suppression, suppression]
    expect(read(makeLog([makeResult('src/a.ts', { suppressions })])).accounting).toEqual({
      received: 1,
      kept: 0,
      merged: 0,
      suppressed: 1,
      unlocated: 0,
      rejected: 0,
    })
  },
  S09() {
    const invocations = [
      {
        executionSuccessful: false,
        exitCode: 128,
        toolExecutionNotifications: [
          { level: 'error', message: { text: 'unpacking the rules failed: tar exit 128' } },
        ],
      },
    ]
    const { runs } = read(makeLog([], { invocations }))
    expect(runs[0]?.outcome).toEqual({
      kind: 'failed',
      reason: 'exit code 128; unpacking the rules failed: tar exit 128',
    })
  },
}

test.each(rows)('$id $right', ({ id }) => {
  expect(checks[id], `${id} has a check`).toBeDefined()
  checks[id]?.()
})

test.each<[string, string, readonly string[], string | undefined]>([
  ['a leading dot', './src/a.ts', ['src/a.ts'], 'src/a.ts'],
  ['backslashes', 'src\\a.ts', ['src/a.ts'], 'src/a.ts'],
  ['a drive', 'file:///C:/ci/app/src/a.ts', ['src/a.ts'], 'src/a.ts'],
  ['a drive without a scheme', 'C:\\ci\\app\\src\\a.ts', ['src/a.ts'], 'src/a.ts'],
  ['one slash after the scheme', 'file:/ci/app/src/a.ts', ['src/a.ts'], 'src/a.ts'],
  ['a host', 'file://build/ci/app/src/a.ts', ['src/a.ts'], 'src/a.ts'],
  ['a path below the root', 'file:///work/app/src/a.ts', ['src/a.ts', 'lib/src/a.ts'], 'src/a.ts'],
  ['a run in a subdirectory', 'src/a.ts', ['packages/app/src/a.ts'], 'packages/app/src/a.ts'],
  ['two runs in subdirectories', 'src/a.ts', ['p/src/a.ts', 'q/src/a.ts'], undefined],
  ['a run in the parent', 'app/src/a.ts', ['src/a.ts'], 'src/a.ts'],
  ['a file of another package', 'packages/b/src/a.ts', ['packages/a/src/a.ts'], undefined],
  ['only the same name', 'file:///ci/node_modules/x/a.ts', ['src/a.ts'], undefined],
  ['a percent sign in a name', 'src/100%25.ts', ['src/100%.ts'], 'src/100%.ts'],
  ['a bare percent sign', 'src/100%.ts', ['src/100%.ts'], 'src/100%.ts'],
  ['a name that looks encoded', 'src/a%20b.ts', ['src/a%20b.ts'], 'src/a%20b.ts'],
  ['UTF-8 in escapes', 'src/%C3%BC.ts', ['src/ü.ts'], 'src/ü.ts'],
  ['decomposed characters', 'src/u\u0308.ts', ['src/ü.ts'], 'src/ü.ts'],
  ['a number sign in a name', 'src/c#.ts', ['src/c#.ts'], 'src/c#.ts'],
  ['a fragment', 'src/a.ts#L7', ['src/a.ts'], 'src/a.ts'],
  ['a query', 'src/a.ts?v=2', ['src/a.ts'], 'src/a.ts'],
  ['a way out of the root', '../../etc/passwd', ['src/a.ts'], undefined],
  ['a web address', 'https://example.org/src/a.ts', ['src/a.ts'], undefined],
  ['an empty URI', '', ['src/a.ts'], undefined],
])('finds the file of %s', (_, uri, files, path) => {
  const result = read(makeLog([makeResult(uri)]), { files, root: '/work/app' })
  expect(listPaths(result)).toEqual(path === undefined ? [] : [path])
  expect(result.accounting.unlocated).toBe(path === undefined ? 1 : 0)
})

test('base ids may stand on each other, miss their slash, be undefined or go round in circles', () => {
  const originalUriBaseIds = {
    ROOT: { uri: 'file:///ci/app' },
    SRC: { uri: 'src', uriBaseId: 'ROOT' },
    LOOP: { uri: 'src/', uriBaseId: 'LOOP' },
  }
  const based = (uriBaseId: string): object => makeResult('a.ts', {}, { uriBaseId })
  const log = makeLog([based('SRC'), based('%SRCROOT%')], { originalUriBaseIds })
  expect(listPaths(read(log, { files: ['src/a.ts', 'a.ts'] }))).toEqual(['src/a.ts', 'a.ts'])
  const loop = read(makeLog([based('LOOP')], { originalUriBaseIds }), { files: ['b.ts'] })
  expect(loop.accounting.unlocated).toBe(1)
})

test('a location may name its artifact by index', () => {
  const artifacts = [{ location: { uri: 'b.ts' } }, { location: { uri: 'a.ts', uriBaseId: 'SRC' } }]
  const result = {
    message: { text: 'Unused' },
    locations: [{ physicalLocation: { artifactLocation: { index: 1 } } }],
  }
  const run = { artifacts, originalUriBaseIds: { SRC: { uri: 'src/' } } }
  expect(listPaths(read(makeLog([result], run), { files: ['src/a.ts'] }))).toEqual(['src/a.ts'])
})

const rule = {
  id: 'js/xss',
  guid: '0f1e2d3c-0000-4000-8000-000000000001',
  shortDescription: { text: 'Cross-site scripting.' },
  messageStrings: { default: { text: 'Tainted {0} reaches {1}.' } },
  defaultConfiguration: { level: 'error' },
  properties: { tags: ['security', 'external/cwe/cwe-079'], 'security-severity': '9.3' },
}

test.each<[string, object, object]>([
  [
    'by index in the driver',
    { ruleId: 'js/xss', ruleIndex: 1 },
    { driver: [{ id: 'other' }, rule] },
  ],
  ['by index alone', { ruleIndex: 1 }, { driver: [{ id: 'other' }, rule] }],
  [
    'by id when the index is wrong',
    { ruleId: 'js/xss', ruleIndex: 0 },
    { driver: [{ id: 'other' }, rule] },
  ],
  ['by a reference with an id', { rule: { id: 'js/xss' } }, { driver: [rule] }],
  [
    'by guid',
    { ruleId: 'js/xss', rule: { guid: rule.guid } },
    { driver: [{ ...rule, id: 'js/xss' }] },
  ],
  [
    'in an extension by index',
    { ruleId: 'js/xss', rule: { index: 0, toolComponent: { index: 0 } } },
    { driver: [], extension: [rule] },
  ],
  ['in an extension by id', { ruleId: 'js/xss' }, { driver: [], extension: [rule] }],
  [
    'in an extension by name',
    { rule: { id: 'js/xss', toolComponent: { name: 'pack' } } },
    { driver: [], extension: [rule] },
  ],
  ['past a broken rule', { ruleId: 'js/xss', ruleIndex: 1 }, { driver: [null, rule] }],
])('finds the rule %s', (_, result, rules) => {
  const { driver, extension } = rules as { driver: object[]; extension?: object[] }
  const tool = {
    driver: { name: 'CodeQL', rules: driver },
    extensions: extension === undefined ? [] : [{ name: 'pack', rules: extension }],
  }
  const message = { id: 'default', arguments: ['text', 'innerHTML'] }
  const [draft] = read(
    makeLog([{ ...makeResult('a.ts'), ruleId: undefined, message, ...result }], { tool }),
  ).drafts
  expect(draft).toMatchObject({
    title: 'Cross-site scripting',
    summary: 'Tainted text reaches innerHTML.',
    severity: 'critical',
    lens: 'security',
    cwe: 'CWE-79',
    rule_id: 'js/xss',
    reporters: ['CodeQL'],
  })
})

test('a hierarchical rule id falls back to the rule above it', () => {
  const tool = {
    driver: {
      name: 'lint',
      rules: [{ id: 'CA1000', shortDescription: { text: 'Static members' } }],
    },
  }
  const [draft] = read(makeLog([makeResult('a.ts', { ruleId: 'CA1000/1' })], { tool })).drafts
  expect(draft).toMatchObject({ title: 'Static members', rule_id: 'CA1000/1' })
})

test.each<[object, object, string]>([
  [{ level: 'error' }, {}, 'high'],
  [{ level: 'warning' }, {}, 'medium'],
  [{ level: 'note' }, {}, 'low'],
  [{ level: 'none' }, {}, 'info'],
  [{}, {}, 'medium'],
  [{}, { defaultConfiguration: { level: 'note' } }, 'low'],
  [{ level: 'error' }, { properties: { 'security-severity': '5.0' } }, 'medium'],
  [{ rank: 90 }, {}, 'high'],
  [{ rank: -1 }, {}, 'medium'],
  [{ level: 'note', rank: 90 }, {}, 'low'],
  [{ level: 'warning', properties: { issue_severity: 'HIGH' } }, {}, 'high'],
  [{ level: 'warning', properties: { 'security-severity': 'bad' } }, {}, 'medium'],
])('reads the severity of %j under %j as %s', (result, ruleParts, severity) => {
  const tool = { driver: { name: 'lint', rules: [{ id: 'no-eval', ...ruleParts }] } }
  expect(read(makeLog([makeResult('a.ts', result)], { tool })).drafts[0]?.severity).toBe(severity)
})

test.each<[string, object, object]>([
  ['a tag', { properties: { tags: ['CWE-89: SQL Injection'] } }, {}],
  ['a property', { properties: { cwe: ['CWE-89'] } }, {}],
  ['a taxon', {}, { taxa: [{ id: '89', toolComponent: { name: 'CWE' } }] }],
  [
    'a relationship',
    { relationships: [{ target: { id: 'CWE-89', toolComponent: { name: 'CWE' } } }] },
    {},
  ],
])('reads the weakness class from %s', (_, ruleParts, result) => {
  const tool = { driver: { name: 'lint', rules: [{ id: 'no-eval', ...ruleParts }] } }
  expect(read(makeLog([makeResult('a.ts', result)], { tool })).drafts[0]?.cwe).toBe('CWE-89')
})

test('what reports no problem and what cannot be read is rejected, and the others go on', () => {
  const results = [
    makeResult('a.ts', { kind: 'pass' }),
    makeResult('a.ts', { kind: 'notApplicable' }),
    makeResult('a.ts', { baselineState: 'absent' }),
    'not an object',
    { locations: [] },
    makeResult('a.ts', { kind: 'review' }),
    { ...makeResult('a.ts'), locations: 'nowhere' },
    { ...makeResult('b.ts'), suppressions: 'none', taxa: {}, partialFingerprints: [] },
  ] as object[]
  const { accounting, elements } = read(makeLog(results))
  expect(accounting).toEqual({
    received: 8,
    kept: 2,
    merged: 0,
    suppressed: 0,
    unlocated: 1,
    rejected: 5,
  })
  expect(elements.filter(({ kind }) => kind === 'rejected').map(readReason)).toEqual([
    'its kind is pass, which reports no problem',
    'its kind is notApplicable, which reports no problem',
    'its baselineState says that it is gone',
    'it is not an object',
    'it has neither a message nor a rule',
  ])
})

function readReason(element: ImportedElement): string | undefined {
  return element.kind === 'rejected' ? element.reason : undefined
}

test('two results of one run with one fingerprint on two lines stay two', () => {
  const partialFingerprints = { primaryLocationLineHash: 'abc:1' }
  const results = [7, 9].map((startLine) => ({
    ...makeResult('a.ts', { partialFingerprints }),
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a.ts' }, region: { startLine } } }],
  }))
  expect(read(makeLog(results)).accounting).toMatchObject({ kept: 2, merged: 0 })
})

test('the same result again is merged, whatever wrote it twice', () => {
  const { accounting } = read(makeLog([makeResult('a.ts'), makeResult('a.ts')]))
  expect(accounting).toMatchObject({ received: 2, kept: 1, merged: 1 })
})

test('a run without a list of results, or that is no object, did not run', () => {
  const { runs } = read({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'lint', version: '1.2' } } }, 7, { results: [] }],
  })
  expect(runs.map(({ outcome }) => outcome.kind)).toEqual(['failed', 'failed', 'ran'])
  expect(runs[0]).toMatchObject({ tool: 'lint', version: '1.2' })
})

test('other encodings and formats get a clear reason', () => {
  const log = JSON.stringify(makeLog([makeResult('a.ts')]))
  const reason = (input: string | Uint8Array): string => {
    const result = importSarif(input)
    return result.kind === 'invalid' ? result.reason : 'imported'
  }
  expect(reason(`\uFEFF${log}`)).toBe('imported')
  expect(reason(Buffer.from(`\uFEFF${log}`))).toBe('imported')
  expect(reason(Buffer.from(`\uFEFF${log}`, 'utf16le'))).toContain('UTF-16')
  expect(reason(Buffer.from(log, 'utf16le'))).toContain('UTF-16')
  expect(reason(Buffer.from(`\uFEFF${log}`, 'utf16le').toString('utf8'))).toContain('UTF-16')
  expect(reason('')).toBe('it is empty')
  expect(reason('{"version":')).toContain('it is not JSON')
  expect(reason('{}')).toBe('it is JSON but not SARIF: it has no runs')
  expect(reason('{"version":"1.0.0","runs":[]}')).toBe('it is SARIF 1.0.0; only 2.1.0 is read')
})

test('snippets become quotes, except those of rules that look for secrets', () => {
  const results = ['no-eval', 'aws-access-token'].map((ruleId) => ({
    ruleId,
    message: { text: `Found by ${ruleId}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'a.ts' },
          region: { startLine: 1, snippet: { text: '\n  const key = "AKIAABCDEFGHIJKLMNOP"\n' } },
        },
      },
    ],
  }))
  const quotes = read(makeLog(results)).drafts.map((draft) => draft.affected_files[0]?.quoted_text)
  expect(quotes).toEqual(['  const key = "AKIAABCDEFGHIJKLMNOP"', undefined])
})

test('repairs become edits in UTF-16 offsets, however the run counts', () => {
  const text = 'const 𝒳 = eval(a)\nconst b = 2\n'
  const change = (deletedRegion: object): object => ({
    description: { text: 'Use JSON.parse' },
    artifactChanges: [
      {
        artifactLocation: { uri: 'a.ts' },
        replacements: [{ deletedRegion, insertedContent: { text: 'JSON.parse' } }],
      },
    ],
  })
  const fixOf = (deletedRegion: object, run: object) =>
    read(makeLog([makeResult('a.ts', { fixes: [change(deletedRegion)] })], run), {
      readText: () => text,
    }).drafts[0]?.fix?.edits
  const expected = [{ path: 'a.ts', start: 11, end: 15, text: 'JSON.parse' }]
  expect(fixOf({ charOffset: 11, charLength: 4 }, {})).toEqual(expected)
  expect(fixOf({ startLine: 1, startColumn: 12, endColumn: 16 }, {})).toEqual(expected)
  const points = { columnKind: 'unicodeCodePoints' }
  expect(fixOf({ charOffset: 10, charLength: 4 }, points)).toEqual(expected)
  expect(fixOf({ startLine: 1, startColumn: 11, endColumn: 15 }, points)).toEqual(expected)
  expect(fixOf({ startLine: 2 }, {})).toEqual([{ ...expected[0], start: 19, end: 30 }])
  expect(fixOf({ startLine: 9 }, {})).toBeUndefined()
})

test('an imported result is grounded by its snippet and takes its line from the tree', () => {
  const tree = makeTree({ 'a.ts': '// one\n// two\nconst a = eval(b)\n' })
  const region = { startLine: 1, snippet: { text: 'const a = eval(b)' } }
  const location = { physicalLocation: { artifactLocation: { uri: 'a.ts' }, region } }
  const [draft] = read(makeLog([makeResult('a.ts', { locations: [location] })])).drafts
  const result = draft && createGrounder(tree)(draft)
  expect(result).toMatchObject({
    kind: 'located',
    located: { grounding: { status: 'grounded', moved_from: 1 } },
  })
})

test('results over the limit of one file are counted as rejected', () => {
  const { accounting, elements } = read(makeLog(Array<never>(100_001)))
  expect(accounting).toMatchObject({ received: 100_001, rejected: 100_001 })
  expect(elements.filter((element) => readReason(element)?.startsWith('over'))).toHaveLength(1)
})
