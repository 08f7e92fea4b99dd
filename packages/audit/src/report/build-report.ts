import {
  type AuditFindingsReport,
  compareSeverity,
  type Finding,
  FINDINGS_CONTRACT_VERSION,
  groundingStatuses,
  lenses,
  severities,
} from '@audit-tools/shared/findings'
import { compareText } from '@audit-tools/shared/core'

import type { ReportInput } from './report-input.ts'

/** What `audit-findings.json` holds. Pure: equal input gives an equal report. */
export function buildFindingsReport(input: ReportInput): AuditFindingsReport {
  const { snapshot } = input
  return {
    contract_version: FINDINGS_CONTRACT_VERSION,
    run_id: input.runId,
    snapshot: {
      commit: snapshot.commit,
      tree_hash: snapshot.treeHash,
      files: snapshot.files.length,
    },
    summary: buildSummary(input),
    findings: rankFindings(input.findings),
    work_blocks: [...input.workBlocks],
    quarantined_findings: rankFindings(input.quarantined),
    known_findings: rankFindings(input.known),
    excluded_scope: snapshot.excluded.map(({ path, reason }) => ({ path, reason })),
    gaps: input.gaps.map(({ scope, subject, reason }) => ({ scope, subject, reason })),
  }
}

/** What matters first: severity, then how sure we are, then place; ids break the last ties. */
export function rankFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (left, right) =>
      compareSeverity(left.severity, right.severity) ||
      CONFIDENCE_ORDER[left.confidence] - CONFIDENCE_ORDER[right.confidence] ||
      compareText(left.affected_files[0]?.path ?? '', right.affected_files[0]?.path ?? '') ||
      (left.affected_files[0]?.line_start ?? 0) - (right.affected_files[0]?.line_start ?? 0) ||
      compareText(left.id, right.id),
  )
}

const CONFIDENCE_ORDER = { high: 0, medium: 1, low: 2 } as const

function buildSummary(input: ReportInput): AuditFindingsReport['summary'] {
  const { findings, quarantined, known, snapshot } = input
  const present = lenses.filter((lens) => findings.some((finding) => finding.lens === lens))
  const everything = [...findings, ...quarantined, ...known]
  return {
    finding_count: findings.length,
    severity_breakdown: countBy(severities, (severity) =>
      findings.filter((finding) => finding.severity === severity),
    ),
    lens_breakdown: countBy(present, (lens) => findings.filter((finding) => finding.lens === lens)),
    grounding_status_breakdown: countBy(groundingStatuses, (status) =>
      everything.filter((finding) => finding.grounding.status === status),
    ),
    audited_file_count: snapshot.files.length,
    excluded_file_count: snapshot.excluded.length,
    packets: { ...input.packets },
    usage: input.usage.map((usage) => ({
      pool_id: usage.poolId,
      calls: usage.calls,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cost_usd: usage.costUsd,
    })),
  }
}

function countBy<Key extends string>(
  keys: readonly Key[],
  select: (key: Key) => readonly unknown[],
): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, select(key).length])) as Record<Key, number>
}
