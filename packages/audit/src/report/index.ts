export { buildFindingsReport, rankFindings } from './build-report.ts'
export { renderers, type ReportFormat, reportFormats } from './formats/index.ts'
export type {
  AnalyzerStatus,
  Gap,
  Intake,
  PacketCounts,
  PoolUsage,
  ReportInput,
} from './report-input.ts'
