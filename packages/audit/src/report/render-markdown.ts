import { formatCount } from '@audit-tools/shared/core'
import { type Finding, severities } from '@audit-tools/shared/findings'

import { rankFindings } from './build-report.ts'
import { escapeMarkdown, renderCode, renderFence, renderTable } from './markdown.ts'
import type { ReportInput } from './report-input.ts'

/** Findings shown in full; the rest is a table. A report nobody reads to the end helps nobody. */
const FULL_FINDINGS = 30
const TABLE_FINDINGS = 500
const EXCLUDED_EXAMPLES = 20
const QUOTE_LINES = 12

/** What `audit-report.md` holds: the few proven findings first, then coverage, then the rest. */
export function renderMarkdownReport(input: ReportInput): string {
  const sections = [
    renderHead(input),
    renderFindings(input.findings),
    renderWorkBlocks(input),
    renderCoverage(input),
    renderAside(
      'Not grounded',
      'Claims whose quote was not found where they say.',
      input.quarantined,
    ),
    renderAside('Known', 'Dismissed by a person.', input.known),
    renderBaseline(input),
    renderSums(input),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function renderHead({
  snapshot,
  findings,
  packets,
  hasPools,
  plannedPromptTokens,
}: ReportInput): string {
  const commit = snapshot.commit === null ? '' : ` at commit ${snapshot.commit.slice(0, 12)}`
  const counts = severities
    .map((severity) => ({
      severity,
      count: findings.filter((finding) => finding.severity === severity).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`)
  const verdict =
    findings.length === 0
      ? 'No finding.'
      : `**${formatCount(findings.length, 'finding')}**: ${counts.join(', ')}.`
  const review = hasPools
    ? `${packets.reviewed} of ${formatCount(packets.planned, 'packet')} reviewed.`
    : `Deterministic analysis only: no model pool is configured. A review would be ${formatCount(packets.planned, 'packet')}, about ${formatCount(plannedPromptTokens, 'prompt token')}.`
  return `# Audit report\n\n${verdict}\n\n${formatCount(snapshot.files.length, 'file')} in scope${commit}. ${review}`
}

function renderFindings(findings: readonly Finding[]): string {
  if (findings.length === 0) return ''
  const ranked = rankFindings(findings)
  const rest = ranked.slice(FULL_FINDINGS)
  const full = ranked.slice(0, FULL_FINDINGS).map(renderFinding).join('\n\n')
  if (rest.length === 0) return `## Findings\n\n${full}`
  const cut = rest.length - TABLE_FINDINGS
  const more = cut > 0 ? `\n\n${formatCount(cut, 'more finding')} in audit-findings.json.` : ''
  return `## Findings\n\n${full}\n\n### More findings\n\n${renderFindingTable(rest.slice(0, TABLE_FINDINGS))}${more}`
}

function renderFinding(finding: Finding): string {
  const [place] = finding.affected_files
  const facts = [finding.severity, `${finding.confidence} confidence`, finding.lens, finding.cwe]
  const parts = [
    `### ${escapeMarkdown(finding.title)}`,
    `${renderCode(renderPlace(finding))} · ${facts.filter(Boolean).join(' · ')} · ${renderCode(finding.id)}`,
    escapeMarkdown(finding.summary),
  ]
  if (place?.quoted_text !== undefined) parts.push(renderFence(cutLines(place.quoted_text)))
  if (finding.suggestion !== undefined)
    parts.push(`What to do: ${escapeMarkdown(finding.suggestion)}`)
  parts.push(`Reported by ${finding.reporters.map(renderCode).join(', ')}.`)
  return parts.join('\n\n')
}

function renderFindingTable(findings: readonly Finding[]): string {
  return renderTable(
    ['severity', 'place', 'finding', 'id'],
    findings.map((finding) => [
      finding.severity,
      renderCode(renderPlace(finding)).replaceAll('|', '\\|'),
      escapeMarkdown(finding.title),
      renderCode(finding.id),
    ]),
  )
}

function renderPlace(finding: Finding): string {
  const [place] = finding.affected_files
  if (place === undefined) return '(no place)'
  return place.line_start === undefined ? place.path : `${place.path}:${place.line_start}`
}

function renderWorkBlocks({ workBlocks }: ReportInput): string {
  if (workBlocks.length === 0) return ''
  const rows = workBlocks.slice(0, FULL_FINDINGS).map((block) => [
    renderCode(block.id),
    block.max_severity,
    String(block.finding_ids.length),
    block.owned_files
      .slice(0, 3)
      .map((path) => renderCode(path).replaceAll('|', '\\|'))
      .join(', ') +
      (block.owned_files.length > 3 ? ` and ${block.owned_files.length - 3} more` : ''),
  ])
  const cut = workBlocks.length - rows.length
  const more = cut > 0 ? `\n\n${formatCount(cut, 'more block')} in audit-findings.json.` : ''
  return `## Work blocks\n\nFindings to repair together; no two blocks own one file.\n\n${renderTable(['block', 'worst', 'findings', 'files'], rows)}${more}`
}

function renderCoverage(input: ReportInput): string {
  const parts = ['## Coverage', renderAnalyzers(input), renderScope(input)]
  if (input.gaps.length > 0) {
    const rows = input.gaps.map((gap) => [
      gap.scope,
      renderCode(gap.subject).replaceAll('|', '\\|'),
      escapeMarkdown(gap.reason),
    ])
    parts.push(`### Gaps\n\n${renderTable(['what', 'which', 'why'], rows)}`)
  }
  return parts.join('\n\n')
}

function renderAnalyzers({ analyzers }: ReportInput): string {
  const rows = analyzers.map((analyzer) => [
    escapeMarkdown(`${analyzer.title} (${analyzer.version})`),
    analyzer.outcome.replace('_', ' ') +
      (analyzer.reason === undefined ? '' : `: ${escapeMarkdown(analyzer.reason)}`),
    String(analyzer.filesCovered),
    String(analyzer.findings),
    String(analyzer.leads),
  ])
  return renderTable(['analyzer', 'state', 'files', 'findings', 'leads'], rows)
}

function renderScope({ snapshot }: ReportInput): string {
  const byReason = new Map<string, string[]>()
  for (const { path, reason } of snapshot.excluded) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), path])
  }
  const lines = [...byReason].map(([reason, paths]) => {
    const shown = paths.slice(0, EXCLUDED_EXAMPLES).map(renderCode).join(', ')
    const more = paths.length > EXCLUDED_EXAMPLES ? ', ...' : ''
    return `- ${formatCount(paths.length, 'path')} not audited, ${escapeMarkdown(reason)}: ${shown}${more}`
  })
  if (snapshot.untrackedSkipped > 0)
    lines.push(`- untracked, skipped: ${snapshot.untrackedSkipped}`)
  for (const rule of snapshot.unmatchedRules) {
    lines.push(`- exclusion rule ${renderCode(rule)} matched nothing`)
  }
  return lines.length === 0 ? 'Every tracked file is in scope.' : lines.join('\n')
}

function renderAside(title: string, note: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return ''
  const rows = rankFindings(findings).map((finding) => [
    renderCode(renderPlace(finding)).replaceAll('|', '\\|'),
    escapeMarkdown(finding.title),
    escapeMarkdown(finding.dismissal?.reason ?? finding.grounding.reason ?? ''),
    renderCode(finding.id),
  ])
  return `## ${title}\n\n${note}\n\n${renderTable(['place', 'finding', 'reason', 'id'], rows)}`
}

const VANISHED: Readonly<Record<ReportInput['resolved'][number]['reason'], string>> = {
  file_gone: 'the file is gone',
  code_gone: 'the code is gone',
  not_reported: 'looked at again and not reported',
}

function renderBaseline({ resolved, notRechecked }: ReportInput): string {
  const rows = [
    ...resolved.map(({ finding, reason }) => [finding, 'resolved', VANISHED[reason]] as const),
    ...notRechecked.map((finding) => [finding, 'not re-checked', 'nobody looked again'] as const),
  ]
  if (rows.length === 0) return ''
  const cells = rows.map(([finding, state, reason]) => [
    state,
    renderCode(renderPlace(finding)).replaceAll('|', '\\|'),
    escapeMarkdown(finding.title),
    reason,
  ])
  return `## Since the baseline\n\n${renderTable(['state', 'place', 'finding', 'why'], cells)}`
}

function renderSums({ intake, packets, usage, hasPools }: ReportInput): string {
  const total = (key: 'received' | 'rejected'): number =>
    intake.sources.reduce((sum, source) => sum + source[key], 0)
  const parts = [
    '## Sums',
    `${formatCount(total('received'), 'result')} received = ${intake.kept} kept + ${intake.merged} merged + ${total('rejected')} rejected.`,
    renderTable(
      ['source', 'received', 'rejected'],
      intake.sources.map((source) => [
        escapeMarkdown(source.name),
        String(source.received),
        String(source.rejected),
      ]),
    ),
  ]
  if (hasPools) {
    parts.push(
      `Packets: ${packets.planned} planned = ${packets.reviewed} reviewed + ${packets.failed} failed + ${packets.deferred} not tried.`,
    )
  }
  if (usage.length > 0) {
    const usageRows = usage.map((pool) => [
      renderCode(pool.poolId),
      String(pool.calls),
      String(pool.inputTokens),
      String(pool.outputTokens),
      pool.costUsd === null ? 'unknown' : `$${pool.costUsd.toFixed(4)}`,
    ])
    parts.push(renderTable(['pool', 'calls', 'input tokens', 'output tokens', 'cost'], usageRows))
  }
  return parts.join('\n\n')
}

function cutLines(text: string): string {
  const lines = text.split('\n')
  if (lines.length <= QUOTE_LINES) return text
  return [...lines.slice(0, QUOTE_LINES), `... ${lines.length - QUOTE_LINES} more lines`].join('\n')
}
