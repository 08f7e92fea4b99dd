import { expect, test } from 'vitest'

import { parseReply } from './parse-reply.ts'
import { validateResult, type ValidatedResult } from './validate-result.ts'

const scope = {
  paths: ['a.ts', 'b.ts', 'c.ts'],
  taskPaths: new Map([['T1', ['a.ts', 'b.ts']]]),
}

function finding(overrides: object = {}): object {
  return {
    title: 't',
    lens: 'security',
    severity: 'high',
    path: 'a.ts',
    quote: 'q',
    summary: 's',
    ...overrides,
  }
}

function validate(value: unknown, cut = 0): ValidatedResult {
  const json = typeof value === 'string' ? value : JSON.stringify(value)
  const reply = parseReply(json.slice(0, json.length - cut))
  if (reply.kind !== 'parsed') throw new Error(`not parsed: ${reply.kind}`)
  return validateResult(reply, scope, 'pool-1')
}

test('one bad element goes back with what is allowed; its siblings stay and only its file stays open', () => {
  const result = validate({
    files_reviewed: [{ path: 'a.ts' }, { path: './b.ts' }, { path: 'c.ts' }],
    findings: [
      finding(),
      finding({ severity: 'blocker', path: 'b.ts' }),
      finding({ path: 'c.ts' }),
    ],
  })
  expect(result.drafts.map((draft) => draft.affected_files[0]?.path)).toEqual(['a.ts', 'c.ts'])
  expect(result.tickets).toMatchObject([{ element: 'findings[1]', path: 'b.ts' }])
  expect(result.tickets[0]?.problem).toMatch(/severity.*critical/)
  expect(result).toMatchObject({ covered: ['a.ts', 'c.ts'], uncovered: ['b.ts'], received: 3 })
})

test('an empty answer covers nothing: silence is not a clean file', () => {
  expect(validate({ findings: [], files_reviewed: [] })).toMatchObject({
    covered: [],
    uncovered: scope.paths,
  })
})

test('files that were not assigned are not covered by being named', () => {
  expect(validate({ findings: [], files_reviewed: ['z.ts', 'a.ts'] }).covered).toEqual(['a.ts'])
})

test('a reply that was cut among its findings keeps the whole ones and covers no file', () => {
  const value = {
    files_reviewed: [{ path: 'a.ts' }],
    findings: [finding(), finding({ title: 'u' })],
  }
  expect(validate(value, 20)).toMatchObject({
    drafts: [{ title: 't' }],
    covered: [],
    truncated: true,
  })
})

test('a reply that was cut in its list of files covers those that it names', () => {
  const value = { findings: [finding()], files_reviewed: [{ path: 'a.ts' }, { path: 'b.ts' }] }
  expect(validate(value, 6)).toMatchObject({ drafts: [{ title: 't' }], covered: ['a.ts'] })
})

test('a finding without evidence is kept', () => {
  expect(validate({ findings: [finding()] }).drafts[0]).not.toHaveProperty('evidence')
})

test('control characters are stored as they came', () => {
  const title = 'bell \u0008 \u001b[31m'
  expect(validate({ findings: [finding({ title })] }).drafts[0]?.title).toBe(title)
})

test('results keyed by task cover the files of their task, and a foreign task covers nothing', () => {
  const own = { task_id: 'T1', findings: [finding()], file_coverage: [{ path: 'a.ts' }, 'c.ts'] }
  expect(validate([own])).toMatchObject({ covered: ['a.ts'], drafts: [{ title: 't' }] })
  expect(validate([{ task_id: 'T1', findings: [] }]).covered).toEqual(['a.ts', 'b.ts'])
  expect(validate([{ task_id: 'T9', findings: [] }]).covered).toEqual([])
})

test('a place given as affected_files is read like a path', () => {
  const { path: _, ...rest } = finding() as { path: string }
  const result = validate({
    findings: [{ ...rest, affected_files: [{ path: 'b.ts', line_start: 3 }] }],
  })
  expect(result.drafts[0]?.affected_files[0]).toMatchObject({ path: 'b.ts', line_start: 3 })
  expect(validate({ findings: [{ ...rest, affected_files: ['src/core/'] }] }).drafts).toHaveLength(
    1,
  )
})

test('a file under two lenses is covered once both of its tasks are answered', () => {
  const two = {
    paths: ['a.ts', 'b.ts'],
    taskPaths: new Map([
      ['S', ['a.ts', 'b.ts']],
      ['C', ['a.ts']],
    ]),
  }
  const check = (value: unknown): readonly string[] => {
    const reply = parseReply(JSON.stringify(value))
    if (reply.kind !== 'parsed') throw new Error(reply.kind)
    return validateResult(reply, two, 'pool').covered
  }
  const answer = (taskId: string) => ({ task_id: taskId, findings: [] })
  expect(check([answer('S')])).toEqual(['b.ts'])
  expect(check([answer('S'), answer('C')])).toEqual(['a.ts', 'b.ts'])
})
