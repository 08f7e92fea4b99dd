import type { LaunchContext } from '@audit-tools/shared/providers'
import { inspectPath } from '@audit-tools/shared/store'

import { forecastReview, type PreparedAudit } from '../audit-repository.ts'
import type { ReviewSummary } from '../compose-report.ts'
import type { AuditSession } from '../open-session.ts'
import type { DriveEnd } from './drive-review.ts'
import type { ReviewState } from './fold-review.ts'
import { openReview, readReviewState } from './open-review.ts'
import { planReviewFiles } from './review-files.ts'
import { reviewPackets, startReview } from './review-packets.ts'
import { openReviewPools, type ReviewPools } from './review-pools.ts'
import { type ReviewDigest, summarizeReview } from './summarize-review.ts'

/** What came of reviewing in this process. */
export interface SessionReview {
  readonly summary: ReviewSummary
  /** Null without pools. */
  readonly end: DriveEnd | null
  readonly items: ReviewDigest['items'] | null
  readonly unusable: ReviewPools['unusable']
}

export interface SessionReviewOptions {
  readonly context: LaunchContext
  readonly signal: AbortSignal
  readonly longestWaitMs?: number | undefined
  onProgress(done: number, all: number): void
}

/** Reviews the packets of a prepared audit with the configured pools; without any, what others reviewed is what there is. */
export async function reviewSession(
  session: AuditSession,
  prepared: PreparedAudit,
  options: SessionReviewOptions,
): Promise<SessionReview> {
  const pools = openReviewPools(session.config, options.context)
  const { unusable } = pools
  if (pools.pools.length === 0) {
    const summary = readReview(session, prepared, unusable.length > 0)
    return { summary, end: null, items: null, unusable }
  }
  const review = startReview(session, prepared)
  const { end, state } = await reviewPackets(session, review, {
    ...options,
    pools,
    onProgress: (current) => options.onProgress(countDone(current), current.size),
  })
  const summary = summarizeReview(state)
  return { summary, end, items: summary.items, unusable }
}

/** What is known of the review of a prepared audit, without doing anything about it. */
export function readReview(
  { layout }: AuditSession,
  prepared: PreparedAudit,
  hasPools: boolean,
): ReviewSummary {
  const { runsDirectory } = layout
  const { plan } = planReviewFiles(runsDirectory, prepared.runId)
  if (inspectPath(plan).kind === 'missing') return { ...forecastReview(prepared), hasPools }
  return summarizeReview(readReviewState(openReview(runsDirectory, prepared.runId)))
}

function countDone(state: ReviewState): number {
  return [...state.values()].filter(({ status }) => status !== 'open').length
}
