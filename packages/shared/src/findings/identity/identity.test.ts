import { expect, test } from 'vitest'

import { identify, makeDraft, makeTree } from '../fixtures/drafts.ts'
import type { FindingDraft } from '../finding.ts'
import { assignIdentity, mintFreeId } from './identity.ts'
import { mergeFindings } from './merge.ts'

const grounding = { status: 'grounded' } as const
const tree = makeTree({
  'a.ts':
    'function load(key) {\n  return cache.get(key)\n}\nfunction peek(key) {\n  return cache.get(key)\n}\n',
})

test('ids are short and stable', () => {
  const [finding] = identify(
    [makeDraft({ path: 'a.ts', quoted_text: 'return cache.get(key)' })],
    tree,
  )
  expect(finding?.id).toMatch(/^F-[0-9a-f]{10}$/)
  expect(finding?.fingerprints.primary).toMatch(/^[0-9a-f]{32}:1$/)
})

test('an id that is taken gives way to the next free one', () => {
  const first = mintFreeId('fingerprint', new Set())
  const second = mintFreeId('fingerprint', new Set([first]))
  expect(second).not.toBe(first)
  expect(mintFreeId('fingerprint', new Set([first]))).toBe(second)
})

test('J11 five workers with five bodies give five findings', () => {
  const text = Array.from({ length: 5 }, (_, index) => `const value${index} = compute()`).join('\n')
  const drafts = Array.from({ length: 5 }, (_, index) =>
    makeDraft(
      { path: 'a.ts', quoted_text: `const value${index} = compute()` },
      { title: 'F-001', reporters: [`worker-${index}`] },
    ),
  )
  const { findings } = mergeFindings(identify(drafts, makeTree({ 'a.ts': text })))
  expect(new Set(findings.map(({ id }) => id)).size).toBe(5)
})

test('equal quotes of one file are held apart by their order', () => {
  const quote = { path: 'a.ts', quoted_text: 'return cache.get(key)' }
  const findings = identify(
    [makeDraft({ ...quote, line_start: 2 }), makeDraft({ ...quote, line_start: 5 })],
    tree,
  )
  expect(new Set(findings.map(({ id }) => id)).size).toBe(2)
})

test('quotes that differ only in style, or only far from their start, are still two places', () => {
  const long = Array.from({ length: 60 }, (_, index) => `value${index}`).join(' + ')
  const lines = ['send("a", b)', "send('a', b);", `${long} + first`, `${long} + second`]
  const drafts = lines.map((quoted_text) => makeDraft({ path: 'b.ts', quoted_text }))
  const findings = identify(drafts, makeTree({ 'b.ts': lines.join('\n') }))
  expect(new Set(findings.map(({ id }) => id)).size).toBe(4)
})

test('without text equal quotes are held apart by their lines', () => {
  const at = (line_start: number) => ({
    draft: makeDraft({ quoted_text: 'return cache.get(key)', line_start }),
    grounding,
  })
  const [first, second, again] = assignIdentity([at(40), at(91), at(40)])
  expect(first?.id).toBe(again?.id)
  expect(first?.id).not.toBe(second?.id)
})

test('two titles of one reporter for one place are two findings', () => {
  const quote = { path: 'a.ts', quoted_text: 'return cache.get(key)', line_start: 2 }
  const drafts = ['a is never used', 'b is never used'].map((title) => makeDraft(quote, { title }))
  expect(mergeFindings(identify(drafts, tree)).findings).toHaveLength(2)
})

test('two rules for one place are two findings', () => {
  const quote = { path: 'a.ts', quoted_text: 'return cache.get(key)', line_start: 2 }
  const drafts = ['no-await', 'no-cache'].map((rule_id) =>
    makeDraft(quote, { rule_id, reporters: [rule_id] }),
  )
  expect(mergeFindings(identify(drafts, tree)).findings).toHaveLength(2)
})

test('the worst severity, all evidence and what only one reporter knows survive a merge', () => {
  const quote = { path: 'a.ts', quoted_text: 'return cache.get(key)', line_start: 2 }
  const drafts: FindingDraft[] = [
    makeDraft(quote, { severity: 'low', evidence: ['one'], reporters: ['a'], cwe: 'CWE-79' }),
    makeDraft(quote, { severity: 'critical', summary: 'Worse.', reporters: ['b'], impact: 'Loss' }),
  ]
  const { findings, conservation } = mergeFindings(identify(drafts, tree))
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatchObject({
    severity: 'critical',
    summary: 'Worse.',
    evidence: ['Values are never dropped.', 'one'],
    reporters: ['a', 'b'],
    cwe: 'CWE-79',
    impact: 'Loss',
  })
  expect(conservation).toEqual({
    received: 2,
    kept: 1,
    merged: [{ what: `${findings[0]?.id} of a`, into: findings[0]?.id }],
    rejected: [],
  })
})

test('other reporters may quote more or less of the same lines', () => {
  const short = makeDraft({ path: 'a.ts', quoted_text: 'return cache.get(key)', line_start: 2 })
  const long = makeDraft(
    { path: 'a.ts', quoted_text: 'function load(key) {\n  return cache.get(key)', line_start: 1 },
    { reporters: ['pool-b'] },
  )
  const elsewhere = makeDraft(
    { path: 'a.ts', quoted_text: 'return cache.get(key)', line_start: 5 },
    { reporters: ['pool-b'] },
  )
  const { findings } = mergeFindings(identify([short, long, elsewhere], tree))
  expect(findings.map(({ reporters }) => reporters)).toEqual([['pool-a', 'pool-b'], ['pool-b']])
})
