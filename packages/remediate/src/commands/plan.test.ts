import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'

import { runCli } from '@audit-tools/shared/cli'
import { expect, test } from 'vitest'

import { commands } from './index.ts'

interface Answer {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A directory with these files; objects become JSON. */
async function makeFolder(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'remediate-plan-')))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(folder, path), text)
  }
  return folder
}

async function remediate(cwd: string, ...argv: readonly string[]): Promise<Answer> {
  const [stdout, stderr] = [new TextSink(), new TextSink()]
  const exitCode = await runCli({
    name: 'remediate-code',
    version: '1.2.3',
    summary: 'Plan.',
    commands,
    argv,
    cwd,
    environment: {},
    stdout,
    stderr,
  })
  return { exitCode, stdout: stdout.text, stderr: stderr.text }
}

class TextSink extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8')
    done()
  }
}

interface PlanAnswer {
  readonly conservation: Readonly<Record<string, number>>
  readonly tasks: readonly { id: string; items: string[]; files: string[]; depends_on: string[] }[]
  readonly cycles: readonly string[][]
  readonly rejected: readonly { what: string; reason: string }[]
  readonly flagged: readonly { what: string; note: string }[]
  readonly notices: readonly string[]
}

async function plan(cwd: string, ...files: readonly string[]): Promise<PlanAnswer> {
  const flags = files.flatMap((file) => ['--from', file])
  const { exitCode, stdout, stderr } = await remediate(cwd, 'plan', '--json', ...flags)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  return JSON.parse(stdout) as PlanAnswer
}

function makeFinding(id: string, path: string, overrides: object = {}): object {
  return { id, title: `Title of ${id}`, severity: 'high', affected_files: [{ path }], ...overrides }
}

function makeReport(findings: readonly unknown[], parts: object = {}): object {
  return { contract_version: 'audit-code-findings/v1alpha1', findings, ...parts }
}

test('items are grouped by the files they share, and the sums are told', async () => {
  const findings = [
    makeFinding('F-1', 'api/a.ts'),
    makeFinding('F-2', 'api/a.ts', { severity: 'critical' }),
    makeFinding('F-3', 'web/b.ts'),
  ]
  const folder = await makeFolder({ 'findings.json': makeReport(findings) })
  const { tasks, conservation } = await plan(folder, 'findings.json')
  expect(tasks.map(({ items, files }) => ({ items, files }))).toEqual([
    { items: ['F-1', 'F-2'], files: ['api/a.ts'] },
    { items: ['F-3'], files: ['web/b.ts'] },
  ])
  expect(conservation).toEqual({ received: 3, planned: 3, merged: 0, rejected: 0 })
  const { stdout } = await remediate(folder, 'plan', '--input', 'findings.json')
  expect(stdout).toContain('3 items in = 3 planned + 0 merged + 0 rejected, in 2 tasks')
  expect(stdout).toContain('Repair: Title of F-1; Title of F-2')
})

test('J18 one odd element is flagged, one bad element is rejected, and all others are planned', async () => {
  const findings: object[] = Array.from({ length: 90 }, (_, index) =>
    makeFinding(`F-${index}`, `src/${index}.ts`),
  )
  findings[7] = { ...findings[7], recommendation: null }
  const folder = await makeFolder({
    'findings.json': makeReport([...findings, makeFinding('F-x', 'a', { severity: 'blocker' })]),
  })
  const { conservation, flagged, rejected } = await plan(folder, 'findings.json')
  expect(conservation).toEqual({ received: 91, planned: 90, merged: 0, rejected: 1 })
  expect(flagged).toEqual([
    { what: 'findings.json findings[7]', note: 'recommendation is null and was ignored' },
  ])
  expect(rejected[0]?.what).toBe('findings.json findings[90]')
})

test('R05 items that only mention each other are not ordered; declared need orders them', async () => {
  const findings = [
    makeFinding('F-a', 'a/x.ts', { related_findings: ['F-b'] }),
    makeFinding('F-b', 'b/x.ts', { related_findings: ['F-a'], depends_on: ['F-a'] }),
  ]
  const folder = await makeFolder({ 'findings.json': makeReport(findings) })
  const { tasks, cycles } = await plan(folder, 'findings.json')
  expect(cycles).toEqual([])
  expect(tasks.map(({ items }) => items)).toEqual([['F-a'], ['F-b']])
  expect(tasks[1]?.depends_on).toEqual([tasks[0]?.id])
})

test('R06 a circle between work blocks is printed and becomes one task', async () => {
  const block = (id: string, finding: string, needed: string): object => ({
    id,
    finding_ids: [finding],
    owned_files: [],
    max_severity: 'high',
    depends_on: [needed],
    rationale: '',
  })
  const report = makeReport([makeFinding('F-a', 'a/x.ts'), makeFinding('F-b', 'b/x.ts')], {
    work_blocks: [block('A', 'F-a', 'B'), block('B', 'F-b', 'A')],
  })
  const folder = await makeFolder({ 'findings.json': report })
  const { tasks, cycles } = await plan(folder, 'findings.json')
  expect(cycles).toEqual([['F-a', 'F-b', 'F-a']])
  expect(tasks.map(({ items }) => items)).toEqual([['F-a', 'F-b']])
  const { stderr } = await remediate(folder, 'plan', '--from', 'findings.json')
  expect(stderr).toContain('F-a -> F-b -> F-a')
})

test('R11 all inputs are used, and the same finding from two of them is one item', async () => {
  const shared = makeFinding('F-1', 'src/a.ts')
  const folder = await makeFolder({
    'a.json': makeReport([shared]),
    'b.json': makeReport([shared, makeFinding('F-2', 'src/b.ts')]),
  })
  const { exitCode, stdout } = await remediate(
    folder,
    'plan',
    '--json',
    '--input',
    'a.json',
    '--input',
    'b.json',
  )
  expect(exitCode).toBe(0)
  const answer = JSON.parse(stdout) as PlanAnswer
  expect(answer.conservation).toEqual({ received: 3, planned: 2, merged: 1, rejected: 0 })
  expect(answer.tasks.flatMap(({ items }) => items)).toEqual(['F-1', 'F-2'])
})

test('an id that two sources give to different findings stays with the first', async () => {
  const folder = await makeFolder({
    'a.json': makeReport([makeFinding('F-1', 'src/a.ts')]),
    'b.json': makeReport([makeFinding('F-1', 'src/b.ts')]),
  })
  const { conservation, flagged } = await plan(folder, 'a.json', 'b.json')
  expect(conservation).toMatchObject({ planned: 2, merged: 0 })
  expect(flagged[0]?.note).toMatch(/^another source uses this id; now F-[0-9a-f]{10}$/)
})

test('SARIF is planned against the tracked files of the repository', async () => {
  const result = (uri: string, overrides: object = {}): object => ({
    ruleId: 'no-eval',
    message: { text: 'Do not use eval.' },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } }],
    ...overrides,
  })
  const log = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'lint' } },
        results: [
          result('file:///ci/app/src/a.ts'),
          result('file:///ci/app/src/a.ts'),
          result('src/gone.ts'),
          result('src/a.ts', { suppressions: [{ kind: 'inSource' }] }),
        ],
        invocations: [{ executionSuccessful: false, exitCode: 2 }],
      },
    ],
  }
  const folder = await makeFolder({ 'src/a.ts': 'eval(a)\n', 'sub/b.ts': '', 'lint.sarif': log })
  await promisify(execFile)('git', ['init', '-q', folder])
  await promisify(execFile)('git', ['-C', folder, 'add', 'src', 'sub'])
  const answer = await plan(join(folder, 'sub'), '../lint.sarif')
  expect(answer.conservation).toEqual({ received: 4, planned: 1, merged: 1, rejected: 2 })
  expect(answer.tasks[0]?.files).toEqual(['src/a.ts'])
  expect(answer.rejected).toEqual([
    {
      what: '../lint.sarif runs[0].results[2]',
      reason: 'no file of the tree is src/gone.ts',
    },
    { what: '../lint.sarif runs[0].results[3]', reason: 'suppressed in the file' },
  ])
  expect(answer.notices).toEqual([
    '../lint.sarif: lint failed to run: exit code 2. Its silence is not a clean result',
  ])
})

test('files that are not in the tree are planned and flagged', async () => {
  const folder = await makeFolder({ 'a.json': makeReport([makeFinding('F-1', 'src/gone.ts')]) })
  await promisify(execFile)('git', ['init', '-q', folder])
  const { conservation, flagged } = await plan(folder, 'a.json')
  expect(conservation).toMatchObject({ planned: 1 })
  expect(flagged).toEqual([{ what: 'F-1', note: 'src/gone.ts is not in the tree' }])
})

test('findings that the report keeps apart are not planned, and that is said', async () => {
  const report = makeReport([], { quarantined_findings: [{}, {}], known_findings: [{}] })
  const folder = await makeFolder({ 'a.json': report })
  expect((await plan(folder, 'a.json')).notices).toEqual([
    'a.json keeps 2 quarantined and 1 dismissed findings apart: not planned',
  ])
})

test.each<[string, readonly string[], string]>([
  ['no file', [], 'There is nothing to plan'],
  ['a file that is not there', ['--from', 'none.json'], 'there is no such file'],
  ['a file that is no JSON', ['--from', 'bad.json'], 'it is not JSON'],
  ['a file of another kind', ['--from', 'other.json'], 'its format is unknown'],
])('%s is an error of use that names what to do', async (_, flags, message) => {
  const folder = await makeFolder({ 'bad.json': '{', 'other.json': { a: 1 } })
  const { exitCode, stderr } = await remediate(folder, 'plan', ...flags)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
})
