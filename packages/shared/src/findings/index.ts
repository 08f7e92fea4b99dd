export { type Conservation, renderConservation } from './conservation.ts'
export {
  type AffectedFile,
  AffectedFileSchema,
  type Finding,
  type FindingDraft,
  FindingSchema,
  type Grounding,
  groundingStatuses,
} from './finding.ts'
export { holdsTruncationMarker, TRUNCATION_MARKER } from './grounding/absence.ts'
export { createGrounder, type FileTree, type GroundingResult } from './grounding/grounding.ts'
export { type LineRange, parseLine, parseLineRange } from './grounding/lines.ts'
export { parseTreePath, type TreePath } from './grounding/path.ts'
export {
  applyDismissals,
  type BaselineComparison,
  type BaselineInput,
  compareWithBaseline,
  type DismissalsApplied,
  type VanishedReason,
} from './identity/baseline.ts'
export { assignIdentity, type LocatedDraft, mintFreeId } from './identity/identity.ts'
export { type FindingMatch, matchFindings } from './identity/match.ts'
export { compareFindings, type MergedFindings, mergeFindings } from './identity/merge.ts'
export { findEnclosingSymbol } from './identity/symbol.ts'
export {
  detectFormat,
  importAnalyzerResults,
  type ImportFormat,
  importFormats,
} from './importers/import-findings.ts'
export {
  type ImportAccounting,
  type ImportedElement,
  type ImportedRun,
  type ImportOptions,
  type ImportResult,
  renderImportAccounting,
} from './importers/import-outcome.ts'
export { coreLenses, type Lens, lenses, LensSchema, parseLens } from './lens.ts'
export {
  type Disposition,
  dispositions,
  OUTCOMES_CONTRACT_VERSION,
  type RemediationOutcomes,
  RemediationOutcomesSchema,
} from './outcomes.ts'
export type { ReadFinding } from './read-finding.ts'
export { readFindingsReport, type ReportReading } from './read-report.ts'
export {
  type AuditFindingsReport,
  AuditFindingsReportSchema,
  FINDINGS_CONTRACT_VERSION,
  type WorkBlock,
} from './report.ts'
export { importSarif } from './sarif/import.ts'
export { renderSarif, type SarifOptions } from './sarif/render.ts'
export {
  compareConfidence,
  compareSeverity,
  type Confidence,
  ConfidenceSchema,
  confidences,
  findWorstSeverity,
  parseConfidence,
  parseSeverity,
  severities,
  type Severity,
  SeveritySchema,
} from './severity.ts'
export { planWorkBlocks, type WorkBlockOptions, type WorkBlockPlan } from './work-blocks.ts'
