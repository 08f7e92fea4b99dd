import { expect, test } from 'vitest'

import { identify, makeDraft, makeTree } from '../fixtures/drafts.ts'
import type { Finding } from '../finding.ts'
import { applyDismissals, type BaselineInput, compareWithBaseline } from './baseline.ts'

const code = 'function load(key) {\n  return cache.get(key)\n}\n'
const quote = { quoted_text: 'return cache.get(key)', line_start: 2 }

function find(path: string, text = code, title = 'Stale'): Finding[] {
  return identify([makeDraft({ ...quote, path }, { title })], makeTree({ [path]: text }))
}

function compare(input: Partial<BaselineInput>, files: Record<string, string>) {
  return compareWithBaseline({
    open: [],
    resolved: [],
    current: [],
    wasRechecked: () => true,
    readText: (path) => files[path],
    ...input,
  })
}

test('a finding that the baseline does not know is new', () => {
  const current = find('a.ts')
  expect(compare({ current }, { 'a.ts': code }).findings).toEqual(current)
})

test('a known finding persists with its id when lines move and words change', () => {
  const [known] = find('a.ts')
  const current = find('a.ts', `// added\n// added\n${code}`, 'Other words')
  const { findings } = compare({ open: find('a.ts'), current }, { 'a.ts': code })
  expect(findings[0]).toMatchObject({ id: known?.id, state: 'persisting', title: 'Other words' })
})

test('a finding in a renamed file has moved and keeps its id', () => {
  const open = find('a.ts')
  const { findings, resolved } = compare({ open, current: find('lib/b.ts') }, { 'lib/b.ts': code })
  expect(findings[0]).toMatchObject({ id: open[0]?.id, state: 'moved' })
  expect(resolved).toEqual([])
})

test('when a moved finding carries the id that a new one would get, the new one gets another', () => {
  const carried = { ...find('lib/b.ts')[0], id: find('a.ts')[0]?.id } as Finding
  const current = [...find('a.ts'), ...find('lib/b.ts')]
  const { findings } = compare({ open: [carried], current }, {})
  const [fresh, moved] = findings
  expect(moved).toMatchObject({ id: carried.id, state: 'persisting' })
  expect(fresh?.state).toBe('new')
  expect(fresh?.id).not.toBe(carried.id)
})

test('a copy of the quoted line that comes above it does not change identity', () => {
  const twice =
    'function load(key) {\n  if (key) return cache.get(key)\n  return cache.get(key)\n}\n'
  const open = find('a.ts')
  const current = identify(
    [makeDraft({ ...quote, path: 'a.ts', line_start: 3 })],
    makeTree({ 'a.ts': twice }),
  )
  expect(current[0]?.fingerprints).not.toEqual(open[0]?.fingerprints)
  expect(compare({ open, current }, {}).findings[0]).toMatchObject({
    id: open[0]?.id,
    state: 'persisting',
  })
})

test('a function that gets another name keeps the identity of what is in it', () => {
  const open = find('a.ts')
  const current = find('a.ts', code.replace('load', 'fetchValue'))
  expect(compare({ open, current }, {}).findings[0]).toMatchObject({ id: open[0]?.id })
})

test('a finding that comes back after it was resolved is reopened', () => {
  const resolved = find('a.ts')
  const { findings } = compare({ resolved, current: find('a.ts') }, { 'a.ts': code })
  expect(findings[0]).toMatchObject({ id: resolved[0]?.id, state: 'reopened' })
})

test('a vanished finding is resolved with the reason why', () => {
  const open = find('a.ts')
  expect(compare({ open }, {}).resolved[0]?.reason).toBe('file_gone')
  expect(compare({ open }, { 'a.ts': 'fixed' }).resolved[0]?.reason).toBe('code_gone')
  expect(compare({ open }, { 'a.ts': code }).resolved[0]?.reason).toBe('not_reported')
})

test('J24 what was not looked at again is carried and never taken for fixed', () => {
  const open = [...find('a.ts'), ...find('b.ts')]
  const result = compare(
    { open, wasRechecked: ({ affected_files: [place] }) => place?.path === 'a.ts' },
    { 'a.ts': 'fixed', 'b.ts': 'changed' },
  )
  expect(result.resolved.map(({ finding }) => finding)).toEqual([open[0]])
  expect(result.notRechecked).toEqual([open[1]])
})

test('every finding of the baseline and of the run is in exactly one place', () => {
  const open = ['a.ts', 'b.ts', 'c.ts'].flatMap((path) => find(path))
  const current = ['a.ts', 'd.ts', 'e.ts'].flatMap((path) => find(path))
  const result = compare({ open, current }, { 'a.ts': code, 'd.ts': code, 'e.ts': code })
  expect(result.findings).toHaveLength(current.length)
  const matched = result.findings.filter(({ state }) => state !== 'new').length
  expect(matched + result.resolved.length + result.notRechecked.length).toBe(open.length)
})

test('J20 a dismissed finding in other words, twelve lines on, is known and not new', () => {
  const [old] = find('a.ts')
  const dismissed = [{ ...old, dismissal: { reason: 'by design' } } as Finding]
  const current = find(
    'a.ts',
    `${'// added\n'.repeat(12)}${code}`,
    'The lookup is never invalidated',
  )
  const { active, known } = applyDismissals(current, dismissed, Date.parse('2030-01-01'))
  expect(active).toEqual([])
  expect(known[0]).toMatchObject({ id: old?.id, dismissal: { reason: 'by design' } })
})

test('a dismissal counts until its time has passed', () => {
  const [old] = find('a.ts')
  const dismissal = { reason: 'later', until: '2030-01-01T00:00:00Z' }
  const dismissed = [{ ...old, dismissal } as Finding]
  const untilMs = Date.parse(dismissal.until)
  expect(applyDismissals(find('a.ts'), dismissed, untilMs - 1).known).toHaveLength(1)
  expect(applyDismissals(find('a.ts'), dismissed, untilMs).active).toHaveLength(1)
})
