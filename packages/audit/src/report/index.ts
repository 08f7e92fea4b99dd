export { buildFindingsReport, rankFindings } from './build-report.ts'
export { renderMarkdownReport } from './render-markdown.ts'
export type {
  AnalyzerStatus,
  Gap,
  Intake,
  PacketCounts,
  PoolUsage,
  ReportInput,
} from './report-input.ts'
