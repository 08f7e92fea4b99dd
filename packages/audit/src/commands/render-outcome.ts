import type { Output, Style } from '@audit-tools/shared/cli'
import { formatCount } from '@audit-tools/shared/core'
import { type Finding, severities, type Severity } from '@audit-tools/shared/findings'

import type { AuditOutcome } from '../run/index.ts'

const SHOWN_FINDINGS = 10

const SEVERITY_STYLE: Readonly<Record<Severity, Style>> = {
  critical: 'red',
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'dim',
}

/** What a person reads at the end of a run: the top findings, what was covered, where the report is. */
export function renderOutcome(outcome: AuditOutcome, output: Output): string {
  const { summary } = outcome
  if (summary.files === 0) {
    return `Nothing to audit: ${summary.root} has no file in scope.${renderSkipped(outcome)}`
  }
  return [
    renderHeadline(outcome),
    ...outcome.findings.slice(0, SHOWN_FINDINGS).map((finding) => renderLine(finding, output)),
    ...renderRest(outcome),
    '',
    ...renderCoverage(outcome),
    ...summary.reports.map((path) => `Report: ${path}`),
  ].join('\n')
}

function renderHeadline({ findings, summary }: AuditOutcome): string {
  const where = `${formatCount(summary.files, 'file')} of ${summary.root}`
  if (findings.length === 0) return `No finding in ${where}.`
  const counts = severities
    .map(
      (severity) => [severity, findings.filter((one) => one.severity === severity).length] as const,
    )
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`)
  return `${formatCount(findings.length, 'finding')} in ${where}: ${counts.join(', ')}.`
}

function renderLine(finding: Finding, output: Output): string {
  const [place] = finding.affected_files
  const path = JSON.stringify(place?.path ?? '').slice(1, -1)
  const where = place?.line_start === undefined ? path : `${path}:${place.line_start}`
  const severity = output.style(SEVERITY_STYLE[finding.severity], finding.severity.padEnd(8))
  return `  ${severity} ${where}  ${finding.title}  ${output.style('dim', finding.id)}`
}

function renderRest({ findings }: AuditOutcome): string[] {
  const rest = findings.length - SHOWN_FINDINGS
  return rest > 0 ? [`  ... and ${formatCount(rest, 'more finding')} in the report.`] : []
}

function renderCoverage(outcome: AuditOutcome): string[] {
  const lines: string[] = []
  for (const { title, outcome: state, reason } of outcome.analyzers) {
    if (state === 'failed' || state === 'missing')
      lines.push(`Analyzer ${title}: ${state}: ${reason ?? ''}`)
  }
  const skipped = renderSkipped(outcome)
  if (skipped !== '') lines.push(skipped.trim())
  lines.push(renderReview(outcome))
  return lines
}

function renderReview({ summary, hasPools }: AuditOutcome): string {
  const planned = formatCount(summary.packets, 'packet')
  if (!hasPools) {
    return `Deterministic analysis only: no model pool is configured. A review would be ${planned}, about ${formatCount(summary.prompt_tokens, 'prompt token')}.`
  }
  return `${summary.packets_reviewed} of ${planned} reviewed, ${summary.packets_failed} failed, ${summary.packets_deferred} not reviewed yet.`
}

function renderSkipped({ summary }: AuditOutcome): string {
  const parts: string[] = []
  if (summary.untracked_skipped > 0) parts.push(`untracked, skipped: ${summary.untracked_skipped}`)
  if (summary.excluded > 0)
    parts.push(`not audited, with reasons in the report: ${summary.excluded}`)
  for (const rule of summary.unmatched_rules)
    parts.push(`exclusion rule that matched nothing: ${rule}`)
  return parts.length === 0 ? '' : ` ${parts.join('; ')}.`
}
