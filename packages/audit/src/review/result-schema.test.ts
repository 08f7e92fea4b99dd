import { expect, test } from 'vitest'

import { ReviewedFindingSchema } from './result-schema.ts'

const finding = { title: 't', lens: 'security', severity: 'high', path: 'a.ts', summary: 's' }

test('severity is read whatever its case and spaces, and an unknown one is refused with the allowed list', () => {
  expect(ReviewedFindingSchema.parse({ ...finding, severity: 'High ' }).severity).toBe('high')
  const refused = ReviewedFindingSchema.safeParse({ ...finding, severity: 'blocker' })
  expect(refused.error?.issues[0]?.message).toMatch(/"critical".*"info"/)
})

test.each([
  [{ line_start: 0, line_end: -1 }, undefined],
  [{ line_start: '42' }, 42],
  [{ line_start: 1.5 }, undefined],
  [{ line_start: null }, undefined],
  [{ line_start: 'many' }, undefined],
])('lines %j are read as %s', (lines, expected) => {
  expect(ReviewedFindingSchema.parse({ ...finding, ...lines }).line_start).toBe(expected)
})

test('null for an optional field loses nothing', () => {
  const nulls = { evidence: null, suggestion: null, quote: null, impact: null, reproduction: null }
  expect(ReviewedFindingSchema.parse({ ...finding, ...nulls }).title).toBe('t')
})
