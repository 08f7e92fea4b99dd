import { basename, join } from 'node:path'

import { formatStableJson, hashContent, hashParts } from '@audit-tools/shared/core'
import { type AuditFindingsReport, AuditFindingsReportSchema } from '@audit-tools/shared/findings'
import {
  listDirectory,
  readFileBytes,
  readJsonFile,
  writeJsonFile,
} from '@audit-tools/shared/store'
import { z } from 'zod'

import type { AnalyzerStatus } from '../report/index.ts'
import type { Snapshot } from '../snapshot/index.ts'
import { readDismissals } from './dismissals.ts'
import type { AuditLayout } from './layout.ts'
import type { AuditSession } from './open-session.ts'

const FinishedSchema = z.strictObject({
  key: z.string().describe('Hash over everything that the reports depend on'),
  packets: z.int().describe('Packets of the plan'),
  prompt_tokens: z.int().describe('Tokens of their prompts'),
  analyzers: z.array(z.custom<AnalyzerStatus>()).describe('How each analyzer ended'),
  files: z.record(z.string(), z.string()).describe('Hash of each report as it was written'),
})

export interface FinishedAudit {
  readonly report: AuditFindingsReport
  readonly packets: number
  readonly promptTokens: number
  readonly analyzers: readonly AnalyzerStatus[]
}

/** Names everything that a report without review depends on; equal keys mean equal reports. */
export function computeAuditKey(
  session: AuditSession,
  snapshot: Snapshot,
  request: {
    readonly scope: readonly (readonly string[] | string | undefined)[]
    readonly nowMs: number
  },
): string {
  const { layout, config, version } = session
  const inForce = readDismissals(layout).filter(
    ({ dismissal }) => !(Date.parse(dismissal?.until ?? '') <= request.nowMs),
  )
  const imports = listDirectory(layout.importsDirectory)
  return hashParts([
    version,
    process.versions.node,
    snapshot.root,
    snapshot.commit ?? '',
    snapshot.treeHash,
    formatStableJson([snapshot.excluded, snapshot.untrackedSkipped, snapshot.unmatchedRules]),
    formatStableJson(config),
    formatStableJson(request.scope),
    formatStableJson(inForce),
    hashFile(layout.baseline) ?? '',
    imports.kind === 'ok' ? imports.entries.map(({ name }) => name).join('\n') : imports.kind,
  ])
}

/** What the last audit wrote, when it had this key and every file is still as it was written. */
export function readFinishedAudit(layout: AuditLayout, key: string): FinishedAudit | undefined {
  const reading = readJsonFile(layout.latest, FinishedSchema)
  if (reading.kind !== 'ok' || reading.value.key !== key) return undefined
  const { files, packets, prompt_tokens: promptTokens, analyzers } = reading.value
  const entries = Object.entries(files)
  if (entries.some(([name, hash]) => hashFile(join(layout.directory, name)) !== hash))
    return undefined
  const report = readJsonFile(layout.findings, AuditFindingsReportSchema)
  if (report.kind !== 'ok') return undefined
  return { report: report.value, packets, promptTokens, analyzers }
}

export function recordFinishedAudit(
  layout: AuditLayout,
  key: string,
  audit: Omit<FinishedAudit, 'report'> & { readonly paths: readonly string[] },
): void {
  const files = audit.paths.map((path) => [basename(path), hashFile(path) ?? ''] as const)
  writeJsonFile(layout.latest, {
    key,
    packets: audit.packets,
    prompt_tokens: audit.promptTokens,
    analyzers: [...audit.analyzers],
    files: Object.fromEntries(files),
  } satisfies z.input<typeof FinishedSchema>)
}

function hashFile(path: string): string | undefined {
  const reading = readFileBytes(path)
  return reading.kind === 'ok' ? hashContent(reading.bytes) : undefined
}
