export {
  acceptSubmission,
  checkSubmission,
  type Receipt,
  type Submission,
} from './accept-submission.ts'
export { cancelReview, isCancelled, resumeReview } from './cancel-review.ts'
export {} from './drive-review.ts'
export { type ItemState, type ReviewState } from './fold-review.ts'
export { makeNode } from './frontier.ts'
export { openReview, readReviewState, type Review } from './open-review.ts'
export { recoverReview } from './recover-review.ts'
export { nameItemFile, planReviewFiles, type ReviewFiles } from './review-files.ts'
export { openReviewPools, type ReviewPools } from './review-pools.ts'
export { countProgress, type ReviewDigest, summarizeReview } from './summarize-review.ts'
export { writePrompt } from './write-prompt.ts'
export {
  isDriven,
  type ReviewEnd,
  reviewPackets,
  type ReviewPacketsOptions,
  startReview,
} from './review-packets.ts'
export { readReview } from './read-review.ts'
export { reviewSession, type SessionReview, type SessionReviewOptions } from './review-session.ts'
export {
  guardActiveRun,
  guardDriver,
  nameSession,
  openDriverSession,
  ownAsHost,
} from './driver-session.ts'
export { describeRunnerEnd, readRunnerEnd, type RunnerEnd } from './runner-end.ts'
export { ingestAnswers, type Ingestion } from './ingest-answers.ts'
export { type Merge, mergeResults } from './merge-results.ts'
