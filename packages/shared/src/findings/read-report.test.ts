import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { makeFinding } from './fixtures/drafts.ts'
import type { ReadFinding } from './read-finding.ts'
import { readFindingsReport, type ReportReading } from './read-report.ts'

type Report = Extract<ReportReading, { kind: 'report' }>

function read(findings: readonly unknown[], parts: object = {}): Report {
  const reading = readFindingsReport(JSON.stringify({ findings, ...parts }))
  if (reading.kind === 'invalid') throw new Error(reading.reason)
  return reading
}

function findingOf(
  element: ReadFinding | undefined,
): Extract<ReadFinding, { kind: 'read' }>['finding'] {
  if (element?.kind !== 'read')
    throw new Error(`expected a finding, got ${JSON.stringify(element)}`)
  return element.finding
}

test('a report of this version is read as it is', () => {
  const text = readFileSync(new URL('fixtures/audit-findings.json', import.meta.url), 'utf8')
  const reading = readFindingsReport(text)
  const report = JSON.parse(text)
  expect(reading).toEqual({
    kind: 'report',
    elements: [{ position: 'findings[0]', notes: [], kind: 'read', finding: report.findings[0] }],
    workBlocks: report.work_blocks,
    setAside: { quarantined: 0, known: 0 },
  })
})

test('fields of a newer version are ignored, at every depth', () => {
  const finding = makeFinding({ id: 'F-1', affected_files: [{ path: 'a.ts' }] })
  const newer = {
    ...finding,
    novelty: 3,
    affected_files: [{ path: 'a.ts', column: 4 }],
    grounding: { status: 'grounded', score: 1 },
    fix: { description: 'x', edits: [{ path: 'a.ts', start: 0, end: 1, text: '', kind: 'x' }] },
  }
  const [element] = read([newer], { contract_version: 'audit-code-findings/v1alpha7' }).elements
  expect(findingOf(element)).toMatchObject({ id: 'F-1', affected_files: [{ path: 'a.ts' }] })
  expect(findingOf(element).fix?.edits[0]).not.toHaveProperty('kind')
})

test('J18 one finding with a null field is flagged, and all ninety are read', () => {
  const findings: object[] = Array.from({ length: 90 }, (_, index) =>
    makeFinding({ id: `F-${index}` }),
  )
  findings[41] = { ...findings[41], recommendation: null }
  const { elements } = read(findings)
  expect(elements.every(({ kind }) => kind === 'read')).toBe(true)
  expect(elements.filter(({ notes }) => notes.length > 0)).toMatchObject([
    { position: 'findings[41]', notes: ['recommendation is null and was ignored'] },
  ])
})

test('J12 a severity that is none of ours rejects that one finding with the list, case does not matter', () => {
  const { elements } = read([
    { title: 'a', severity: 'blocker' },
    { title: 'b', severity: 'High ' },
  ])
  expect(elements[0]).toMatchObject({
    kind: 'rejected',
    reason: 'its severity is "blocker"; allowed are critical, high, medium, low, info',
  })
  expect(findingOf(elements[1]).severity).toBe('high')
})

test('J19 a finding that names only paths outside the root is rejected', () => {
  const { elements } = read([
    { title: 'a', severity: 'low', affected_files: ['../../home/user/.ssh/config', '/etc/passwd'] },
    { title: 'b', severity: 'low', affected_files: ['/etc/passwd', { path: 'src\\b.ts' }] },
  ])
  expect(elements[0]).toMatchObject({ reason: 'it names only paths outside the root' })
  expect(findingOf(elements[1]).affected_files).toEqual([{ path: 'src/b.ts' }])
  expect(elements[1]?.notes).toEqual(['a path that leads out of the root was dropped'])
})

test('J11 an id that is used for several findings is kept for the first and made anew for the others', () => {
  const { elements } = read(
    ['a', 'b', 'c'].map((title) => ({ id: 'F-001', title, severity: 'low' })),
  )
  const ids = elements.map((element) => findingOf(element).id)
  expect(ids[0]).toBe('F-001')
  expect(new Set(ids).size).toBe(3)
  expect(elements[1]?.notes).toEqual([`the id F-001 is used twice; now ${ids[1]}`])
})

test('what is missing is filled where that is safe, and lines are read as reporters write them', () => {
  const place = { path: 'a.ts', line_start: '42', line_end: -1 }
  const [element] = read([{ summary: 'Leaks', affected_files: [place] }]).elements
  expect(findingOf(element)).toMatchObject({
    title: 'Leaks',
    severity: 'medium',
    lens: 'correctness',
    affected_files: [{ path: 'a.ts', line_start: 42, line_end: 42 }],
    grounding: { status: 'ungrounded' },
  })
  expect(findingOf(element).id).toMatch(/^F-[0-9a-f]{10}$/)
  expect(element?.notes).toEqual(['it names no severity; taken as medium'])
})

test('a repair that would write outside the root is dropped with a note', () => {
  const edits = [{ path: '../x.ts', start: 0, end: 1, text: '' }]
  const [element] = read([
    { title: 'a', severity: 'low', fix: { description: 'x', edits } },
  ]).elements
  expect(findingOf(element)).not.toHaveProperty('fix')
  expect(element?.notes).toHaveLength(1)
})

test.each<[string, unknown]>([
  ['text', 'a finding'],
  ['null', null],
  ['a finding without words', { severity: 'low' }],
  ['a wrong type', { title: 7, severity: 'low' }],
  ['an unknown lens', { title: 'a', severity: 'low', lens: 'feelings' }],
  ['a place without a path', { title: 'a', severity: 'low', affected_files: [{}] }],
  ['a broken fix', { title: 'a', severity: 'low', fix: { edits: 'all' } }],
])('%s is rejected with a reason and the next one is read', (_, bad) => {
  const { elements } = read([bad, { title: 'good', severity: 'low' }])
  expect(elements.map(({ kind }) => kind)).toEqual(['rejected', 'read'])
})

test('files that are no report get a reason', () => {
  const reason = (text: string): string => {
    const reading = readFindingsReport(text)
    return reading.kind === 'invalid' ? reading.reason : 'read'
  }
  expect(reason('')).toBe('it is empty')
  expect(reason('{"findings":{}}')).toBe('it has no list of findings')
  expect(reason('{"contract_version":"audit-code-findings/v2","findings":[]}')).toContain('v2')
})
