import { escapeControls, formatCount } from '@audit-tools/shared/core'
import { type Finding, severities } from '@audit-tools/shared/findings'

import { rankFindings } from '../build-report.ts'
import type { ReportInput } from '../report-input.ts'
import { PAGE_SCRIPT, PAGE_STYLE } from './html-assets.ts'

/**
 * One self-contained page: no network, usable by keyboard and screen reader, readable without its script. The content
 * security policy lets nothing run but the script that is written into it.
 */
export function renderHtml(input: ReportInput): string {
  const findings = rankFindings(input.findings)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Audit report</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>Audit report</h1>
<p>${renderVerdict(input)}</p>
</header>
<main>
${renderFilters(findings)}
<section aria-labelledby="findings-title">
<h2 id="findings-title">Findings</h2>
<p id="shown" role="status">${formatCount(findings.length, 'finding')}</p>
<div id="findings">
${findings.map(renderFinding).join('\n')}
</div>
</section>
${renderCoverage(input)}
${renderAside('Not grounded', input.quarantined)}
${renderAside('Known', input.known)}
${renderUsage(input)}
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`
}

function renderVerdict({
  snapshot,
  findings,
  packets,
  hasPools,
  plannedPromptTokens,
}: ReportInput): string {
  const commit =
    snapshot.commit === null ? '' : ` at commit <code>${snapshot.commit.slice(0, 12)}</code>`
  const scope = `${formatCount(findings.length, 'finding')} in ${formatCount(snapshot.files.length, 'file')}${commit}.`
  const review = hasPools
    ? `${packets.reviewed} of ${formatCount(packets.planned, 'packet')} reviewed.`
    : `Deterministic analysis only. A review would be ${formatCount(packets.planned, 'packet')}, about ${formatCount(plannedPromptTokens, 'prompt token')}.`
  return `${scope} ${review}`
}

function renderFilters(findings: readonly Finding[]): string {
  const boxes = severities
    .map((severity) => ({
      severity,
      count: findings.filter((one) => one.severity === severity).length,
    }))
    .filter(({ count }) => count > 0)
    .map(
      ({ severity, count }) =>
        `<label><input type="checkbox" name="severity" value="${severity}" checked> <span class="badge ${severity}">${severity}</span> ${count}</label>`,
    )
  return `<form id="filters" role="search" aria-label="Filter findings">
<label>Search <input id="search" type="search" autocomplete="off"></label>
<fieldset><legend>Severity</legend>${boxes.join('\n')}</fieldset>
</form>`
}

function renderFinding(finding: Finding): string {
  const [place] = finding.affected_files
  const where =
    place === undefined
      ? ''
      : `${place.path}${place.line_start === undefined ? '' : `:${place.line_start}`}`
  const facts = [`${finding.confidence} confidence`, finding.lens, finding.cwe, finding.id]
  const parts = [
    `<p>${escapeHtml(finding.summary)}</p>`,
    place?.quoted_text === undefined
      ? ''
      : `<pre tabindex="0"><code>${escapeHtml(place.quoted_text)}</code></pre>`,
    finding.suggestion === undefined
      ? ''
      : `<p><strong>What to do:</strong> ${escapeHtml(finding.suggestion)}</p>`,
    finding.evidence === undefined
      ? ''
      : `<ul>${finding.evidence.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`,
    `<p class="facts">${facts
      .filter((fact) => fact !== undefined)
      .map(escapeHtml)
      .join(' · ')} · reported by ${finding.reporters.map(escapeHtml).join(', ')}</p>`,
  ]
  return `<details class="finding" data-severity="${finding.severity}">
<summary><span class="badge ${finding.severity}">${finding.severity}</span> ${escapeHtml(finding.title)} <code>${escapeHtml(where)}</code></summary>
${parts.filter((part) => part !== '').join('\n')}
</details>`
}

function renderCoverage({ analyzers, gaps, snapshot }: ReportInput): string {
  const rows = analyzers.map(
    (one) =>
      `<tr><th scope="row">${escapeHtml(one.title)}</th><td>${escapeHtml(one.outcome.replace('_', ' '))}${one.reason === undefined ? '' : `: ${escapeHtml(one.reason)}`}</td><td>${one.filesCovered}</td><td>${one.findings}</td><td>${one.leads}</td></tr>`,
  )
  const notes = [
    ...gaps.map((gap) => `${gap.scope} ${gap.subject}: ${gap.reason}`),
    ...snapshot.excluded.map(({ path, reason }) => `${path}: ${reason}`),
    ...(snapshot.untrackedSkipped > 0 ? [`untracked, skipped: ${snapshot.untrackedSkipped}`] : []),
  ]
  const list = notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('\n')
  return `<section aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage</h2>
<table><thead><tr><th scope="col">Analyzer</th><th scope="col">State</th><th scope="col">Files</th><th scope="col">Findings</th><th scope="col">Leads</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>
${notes.length === 0 ? '' : `<details><summary>${formatCount(notes.length, 'path or part', 'paths or parts')} not covered</summary><ul>${list}</ul></details>`}
</section>`
}

function renderAside(title: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return ''
  const rows = rankFindings(findings).map((finding) => {
    const reason = finding.dismissal?.reason ?? finding.grounding.reason ?? ''
    return `<li><code>${escapeHtml(finding.affected_files[0]?.path ?? '')}</code> ${escapeHtml(finding.title)}: ${escapeHtml(reason)}</li>`
  })
  return `<section><h2>${title}</h2><ul>${rows.join('\n')}</ul></section>`
}

function renderUsage({ usage }: ReportInput): string {
  if (usage.length === 0) return ''
  const rows = usage.map(
    (pool) =>
      `<tr><th scope="row">${escapeHtml(pool.poolId)}</th><td>${pool.calls}</td><td>${pool.inputTokens}</td><td>${pool.outputTokens}</td><td>${pool.costUsd === null ? 'unknown' : `$${pool.costUsd.toFixed(4)}`}</td></tr>`,
  )
  return `<section><h2>Pools</h2>
<table><thead><tr><th scope="col">Pool</th><th scope="col">Calls</th><th scope="col">Input tokens</th><th scope="col">Output tokens</th><th scope="col">Cost</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></section>`
}

function escapeHtml(text: string): string {
  return escapeControls(text, { multiline: true }).replace(
    /[&<>"']/g,
    (character) => `&#${character.codePointAt(0)};`,
  )
}
