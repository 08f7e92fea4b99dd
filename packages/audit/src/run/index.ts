export {
  type AuditOptions,
  type AuditOutcome,
  auditRepository,
  prepareAudit,
  type PreparedAudit,
  reportAudit,
} from './audit-repository.ts'
export { chooseRun, readActiveRun, writeActiveRun } from './active-run.ts'
export { readAuditState, readLatestReport } from './audit-state.ts'
export { saveBaseline } from './baseline.ts'
export { addDismissal } from './dismissals.ts'
export { isInProcess } from './is-in-process.ts'
export { importOptions, storeImport } from './external-imports.ts'
export { planLayout } from './layout.ts'
export { openArtifacts, openSessionArtifacts } from './open-artifacts.ts'
export { type AuditSession, openRoot, openSession } from './open-session.ts'
export * from './review/index.ts'
