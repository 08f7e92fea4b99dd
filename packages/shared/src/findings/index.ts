export {
  type AffectedFile,
  AffectedFileSchema,
  type Finding,
  FindingSchema,
  type Grounding,
  groundingStatuses,
} from './finding.ts'
export { coreLenses, type Lens, lenses, LensSchema } from './lens.ts'
export {
  type AuditFindingsReport,
  AuditFindingsReportSchema,
  FINDINGS_CONTRACT_VERSION,
  type WorkBlock,
} from './report.ts'
export {
  compareSeverity,
  type Confidence,
  ConfidenceSchema,
  confidences,
  findWorstSeverity,
  severities,
  type Severity,
  SeveritySchema,
} from './severity.ts'
