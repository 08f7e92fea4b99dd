export {
  type AuditOutcome,
  auditRepository,
  prepareAudit,
  type PreparedAudit,
  reportAudit,
} from './audit-repository.ts'
export { chooseRun, readActiveRun } from './active-run.ts'
export { readAuditState, readLatestReport } from './audit-state.ts'
export { saveBaseline } from './baseline.ts'
export { addDismissal } from './dismissals.ts'
export { failChanged } from './review/fail-changed.ts'
export { isInProcess } from './is-in-process.ts'
export { importOptions, storeImport } from './external-imports.ts'
export { type AuditLayout, planLayout } from './layout.ts'
export { openArtifacts, openSessionArtifacts } from './open-artifacts.ts'
export { type AuditSession, openRoot, openSession } from './open-session.ts'
export { type Receipt, acceptSubmission, checkSubmission } from './review/accept-submission.ts'
export { cancelReview, isCancelled, resumeReview } from './review/cancel-review.ts'
export {
  guardActiveRun,
  guardDriver,
  nameSession,
  openDriverSession,
  ownAsHost,
} from './review/driver-session.ts'
export { type ReviewState } from './review/fold-review.ts'
export { makeNode } from './review/frontier.ts'
export { ingestAnswers } from './review/ingest-answers.ts'
export { mergeResults } from './review/merge-results.ts'
export { type Review, openReview, readReviewState } from './review/open-review.ts'
export { readReview } from './review/read-review.ts'
export { recoverReview } from './review/recover-review.ts'
export { nameItemFile, planReviewFiles } from './review/review-files.ts'
export { isDriven, reviewPackets, startReview } from './review/review-packets.ts'
export { findOversized } from './review/find-oversized.ts'
export { openReviewPools } from './review/review-pools.ts'
export { type SessionReview, reviewSession } from './review/review-session.ts'
export { describeRunnerEnd, readRunnerEnd } from './review/runner-end.ts'
export { countProgress } from './review/summarize-review.ts'
export { writePrompt } from './review/write-prompt.ts'
