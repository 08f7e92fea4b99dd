export { buildFindingsReport, rankFindings } from './build-report.ts'
export { renderMarkdownReport } from './render-markdown.ts'
export type {
  AnalyzerStatus,
  Gap,
  IntakeCount,
  PacketCounts,
  PoolUsage,
  ReportInput,
} from './report-input.ts'
