import {
  type BaselineComparison,
  compareWithBaseline,
  type Finding,
  FindingSchema,
} from '@audit-tools/shared/findings'
import { makeDirectory, readOptionalJsonFile, writeJsonFile } from '@audit-tools/shared/store'
import { z } from 'zod'

import type { AuditLayout } from './layout.ts'

const BaselineSchema = z.strictObject({
  run_id: z.string().describe('Run whose findings these are'),
  open: z.array(FindingSchema).describe('Findings that were open then'),
  resolved: z
    .array(FindingSchema)
    .describe('Findings that were gone then and had been open before'),
})

export interface BaselineInput {
  readonly current: readonly Finding[]
  /** Whether this run looked again, with success, where the finding was. */
  wasRechecked(finding: Finding): boolean
  readText(path: string): string | undefined
}

/** Sets findings against the saved baseline; without one every finding is new. Throws `store-corrupt`. */
export function compareWithSaved(layout: AuditLayout, input: BaselineInput): BaselineComparison {
  const saved = readOptionalJsonFile(layout.baseline, BaselineSchema)
  if (saved === undefined) return { findings: input.current, resolved: [], notRechecked: [] }
  return compareWithBaseline({ ...input, open: saved.open, resolved: saved.resolved })
}

/**
 * Makes the findings of a report the baseline. What was open in the one before and is not among them is remembered as
 * resolved, so that it is `reopened` when it comes back.
 */
export function saveBaseline(
  layout: AuditLayout,
  report: { readonly run_id: string; readonly findings: readonly Finding[] },
): { readonly open: number; readonly resolved: number } {
  const before = readOptionalJsonFile(layout.baseline, BaselineSchema)
  const open = [...report.findings]
  const ids = new Set(open.map(({ id }) => id))
  const gone = [...(before?.open ?? []), ...(before?.resolved ?? [])].filter(
    ({ id }) => !ids.has(id),
  )
  makeDirectory(layout.directory)
  writeJsonFile(
    layout.baseline,
    { run_id: report.run_id, open, resolved: gone } satisfies z.infer<typeof BaselineSchema>,
    { durable: true },
  )
  return { open: open.length, resolved: gone.length }
}
