import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { RemediationOutcomesSchema } from './outcomes.ts'
import { AuditFindingsReportSchema } from './report.ts'

function readFixture(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'))
}

test('audit-findings.json keeps its shape', () => {
  const fixture = readFixture('audit-findings.json')
  expect(AuditFindingsReportSchema.parse(fixture)).toEqual(fixture)
})

test('remediation-outcomes.json keeps its shape', () => {
  const fixture = readFixture('remediation-outcomes.json')
  expect(RemediationOutcomesSchema.parse(fixture)).toEqual(fixture)
})

test('what we write holds no key that the contract does not know', () => {
  const fixture = { ...readFixture('audit-findings.json'), extra: 1 }
  expect(AuditFindingsReportSchema.safeParse(fixture).success).toBe(false)
})
