import type { LaunchContext } from '@audit-tools/shared/providers'

import type { PreparedAudit } from '../audit-repository.ts'
import type { ReviewSummary } from '../compose-report.ts'
import type { AuditSession } from '../open-session.ts'
import type { DriveEnd } from './drive-review.ts'
import type { ReviewState } from './fold-review.ts'
import { readReview } from './read-review.ts'
import { reviewPackets, startReview } from './review-packets.ts'
import { openReviewPools, type ReviewPools } from './review-pools.ts'
import { reopenSettledPools } from './runner-end.ts'
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
    return { summary: readReview(session, prepared), end: null, items: null, unusable }
  }
  const review = startReview(session, prepared)
  reopenSettledPools(review.files)
  const { end, state } = await reviewPackets(session, review, {
    ...options,
    pools,
    onProgress: (current) => options.onProgress(countDone(current), current.size),
  })
  const summary = summarizeReview(state)
  return { summary, end, items: summary.items, unusable }
}

function countDone(state: ReviewState): number {
  return [...state.values()].filter(({ status }) => status !== 'open').length
}
