import { AuditToolsError } from '@audit-tools/shared/core'
import { type AuditFindingsReport, AuditFindingsReportSchema } from '@audit-tools/shared/findings'
import { readOptionalJsonFile, writeJsonFile } from '@audit-tools/shared/store'
import { z } from 'zod'

import type { AuditLayout } from './layout.ts'

const ObligationSchema = z.strictObject({
  id: z.string().describe('Stage of the pipeline'),
  status: z.enum(['missing', 'stale', 'present', 'blocked']).describe('Whether it is up to date'),
  reason: z.string().optional().describe('Why it is not'),
})

const AuditStateSchema = z.strictObject({
  status: z.enum(['not_started', 'active', 'blocked', 'complete']).describe('Where the audit is'),
  obligations: z.array(ObligationSchema).describe('Every stage, in order'),
  blockers: z.array(z.string()).describe('What a person has to do'),
})

export type AuditState = z.infer<typeof AuditStateSchema>

export function writeAuditState(layout: AuditLayout, state: AuditState): void {
  writeJsonFile(layout.state, state)
}

/** What the files of the last run say; a run that never was is `not_started`. */
export function readAuditState(layout: AuditLayout): {
  state: AuditState
  report: AuditFindingsReport | null
} {
  const state = readOptionalJsonFile(layout.state, AuditStateSchema)
  return {
    state: state ?? { status: 'not_started', obligations: [], blockers: [] },
    report: readOptionalJsonFile(layout.findings, AuditFindingsReportSchema) ?? null,
  }
}

/** The last report. Throws `run-not-found` when there is none. */
export function readLatestReport(layout: AuditLayout): AuditFindingsReport {
  const { report } = readAuditState(layout)
  if (report !== null) return report
  throw new AuditToolsError(
    'run-not-found',
    `${layout.findings} is not there yet. Make it with \`audit-code run\``,
    { details: { path: layout.findings } },
  )
}
