import { escapeControls, formatStableJson } from '@audit-tools/shared/core'
import type { Finding, Severity } from '@audit-tools/shared/findings'

import { rankFindings } from '../build-report.ts'
import type { ReportInput } from '../report-input.ts'

function readPlace(finding: Finding): { path: string; line: number; lastLine: number } {
  const [place] = finding.affected_files
  const line = place?.line_start ?? 1
  return { path: place?.path ?? '', line, lastLine: place?.line_end ?? line }
}

const RDJSON_SEVERITY: Readonly<Record<Severity, string>> = {
  critical: 'ERROR',
  high: 'ERROR',
  medium: 'WARNING',
  low: 'INFO',
  info: 'INFO',
}

/** Reviewdog Diagnostic Format (`rdjson`, reviewdog/proto/rdf/reviewdog.proto). */
export function renderRdjson({ findings }: ReportInput): string {
  return formatStableJson({
    source: { name: 'audit-code' },
    diagnostics: rankFindings(findings).map((finding) => {
      const { path, line, lastLine } = readPlace(finding)
      return {
        message: `${finding.title}: ${finding.summary}`,
        location: { path, range: { start: { line }, end: { line: lastLine } } },
        severity: RDJSON_SEVERITY[finding.severity],
        code: { value: finding.rule_id ?? finding.id },
      }
    }),
  })
}

const GITLAB_SEVERITY: Readonly<Record<Severity, string>> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
}

/** GitLab code quality report (the subset of the Code Climate format that GitLab documents). */
export function renderGitlab({ findings }: ReportInput): string {
  return formatStableJson(
    rankFindings(findings).map((finding) => {
      const { path, line, lastLine } = readPlace(finding)
      return {
        description: finding.title,
        check_name: finding.rule_id ?? finding.category,
        fingerprint: finding.fingerprints.primary,
        severity: GITLAB_SEVERITY[finding.severity],
        location: { path, lines: { begin: line, end: lastLine } },
      }
    }),
  )
}

/** JUnit XML: one failed test case per finding, so that a pipeline that knows only tests shows them. */
export function renderJunit({ findings }: ReportInput): string {
  const cases = rankFindings(findings).map((finding) => {
    const { path, line } = readPlace(finding)
    const text = [`${path}:${line}`, finding.summary, finding.suggestion ?? ''].join('\n').trim()
    return (
      `    <testcase name="${escapeXml(finding.title)}" classname="${escapeXml(path)}" file="${escapeXml(path)}" line="${line}">\n` +
      `      <failure type="${finding.severity}" message="${escapeXml(finding.title)}">${escapeXml(text)}</failure>\n` +
      '    </testcase>'
    )
  })
  // A suite without a case is an error to some readers: say that there was nothing to fail.
  const body =
    cases.length > 0 ? cases : ['    <testcase name="no finding" classname="audit-code"/>']
  const count = `tests="${body.length}" failures="${cases.length}" errors="0"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${count}>\n  <testsuite name="audit-code" ${count}>\n${body.join('\n')}\n  </testsuite>\n</testsuites>\n`
}

/** Comma-separated values (RFC 4180) with a header line. */
export function renderCsv({ findings }: ReportInput): string {
  const head = [
    'id',
    'severity',
    'confidence',
    'lens',
    'path',
    'line',
    'title',
    'rule',
    'cwe',
    'summary',
  ]
  const rows = rankFindings(findings).map((finding) => {
    const { path, line } = readPlace(finding)
    const { id, severity, confidence, lens, title, summary } = finding
    const cells = [id, severity, confidence, lens, path, String(line), title]
    return [...cells, finding.rule_id ?? '', finding.cwe ?? '', summary]
  })
  return [head, ...rows].map((row) => `${row.map(escapeCsv).join(',')}\r\n`).join('')
}

/** XML 1.0 has no way to write most control characters; they become visible escapes. */
function escapeXml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
    .replace(
      /[^\t\n\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    )
}

/** A cell that a spreadsheet would run as a formula gets a leading apostrophe. */
function escapeCsv(text: string): string {
  const clean = escapeControls(text, { multiline: true })
  const safe = /^[=+\-@\t]/.test(clean) ? `'${clean}` : clean
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
