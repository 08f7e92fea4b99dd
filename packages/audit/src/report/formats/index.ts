import { formatStableJson } from '@audit-tools/shared/core'
import { renderSarif } from '@audit-tools/shared/findings'

import { buildFindingsReport } from '../build-report.ts'
import { renderMarkdownReport } from '../render-markdown.ts'
import type { ReportInput } from '../report-input.ts'
import { renderHtml } from './html.ts'
import { renderCsv, renderGitlab, renderJunit, renderRdjson } from './text-formats.ts'

export const reportFormats = [
  'md',
  'json',
  'sarif',
  'html',
  'rdjson',
  'gitlab',
  'junit',
  'csv',
] as const

export type ReportFormat = (typeof reportFormats)[number]

interface Renderer {
  readonly fileName: string
  render(input: ReportInput, version: string): string
}

/** Every format is a projection of the same input. */
export const renderers: Readonly<Record<ReportFormat, Renderer>> = {
  md: { fileName: 'audit-report.md', render: renderMarkdownReport },
  json: {
    fileName: 'audit-findings.json',
    render: (input) => formatStableJson(buildFindingsReport(input)),
  },
  sarif: {
    fileName: 'audit-report.sarif',
    render: (input, version) =>
      renderSarif(buildFindingsReport(input), { tool: 'audit-code', version }),
  },
  html: { fileName: 'audit-report.html', render: renderHtml },
  rdjson: { fileName: 'audit-report.rdjson', render: renderRdjson },
  gitlab: { fileName: 'gl-code-quality-report.json', render: renderGitlab },
  junit: { fileName: 'audit-report.junit.xml', render: renderJunit },
  csv: { fileName: 'audit-report.csv', render: renderCsv },
}
