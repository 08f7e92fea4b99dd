import { ClaimRegistry } from '@audit-tools/shared/claims'
import type { LaunchContext } from '@audit-tools/shared/providers'

import type { PreparedAudit } from '../audit-repository.ts'
import { writeActiveRun } from '../active-run.ts'
import type { AuditSession } from '../open-session.ts'
import { type DriveEnd, driveReview } from './drive-review.ts'
import type { ReviewState } from './fold-review.ts'
import { openReview, readReviewState, type Review } from './open-review.ts'
import { adoptCachedResults } from './result-cache.ts'
import type { ReviewPools } from './review-pools.ts'
import { writeRunnerEnd } from './runner-end.ts'
import { writePlan } from './write-plan.ts'

/** Claim on driving a run's in-process pools. */
const RUNNER = 'runner'

/** How often one that joined looks how the driver is doing. */
const JOIN_POLL_MS = 500

export interface ReviewPacketsOptions {
  readonly pools: ReviewPools
  readonly context: LaunchContext
  readonly signal: AbortSignal
  readonly longestWaitMs?: number | undefined
  onProgress(state: ReviewState): void
}

export interface ReviewEnd {
  readonly end: DriveEnd
  readonly state: ReviewState
}

/** Makes the review of a prepared audit, or finds it; what earlier runs reviewed is taken from the cache. */
export function startReview(
  session: AuditSession,
  prepared: Pick<PreparedAudit, 'runId' | 'packets'>,
): Review {
  const { layout, root } = session
  const { runId, packets } = prepared
  writePlan(layout.runsDirectory, { runId, root, packets })
  writeActiveRun(layout, runId)
  const review = openReview(layout.runsDirectory, runId)
  adoptCachedResults(review)
  return review
}

/**
 * Reviews with the in-process pools until nothing more can start. One process drives a run: another one joins it, tells
 * how it goes on, and takes over when it is gone.
 */
export async function reviewPackets(
  session: AuditSession,
  review: Review,
  options: ReviewPacketsOptions,
): Promise<ReviewEnd> {
  const { signal, context } = options
  const drivers = new ClaimRegistry(review.files.drivers)
  for (;;) {
    const claim = drivers.claim(RUNNER, 'in-process')
    if (claim.acquired) {
      try {
        const end = await driveReview(review, { ...options, config: session.config })
        writeRunnerEnd(review.files, end)
        return { end, state: readReviewState(review) }
      } finally {
        drivers.release(RUNNER, claim.ownerToken)
      }
    }
    const state = readReviewState(review)
    options.onProgress(state)
    const isOver = [...state.values()].every(({ status }) => status !== 'open')
    if (isOver) return { end: { kind: 'done' }, state }
    if (signal.aborted) return { end: { kind: 'cancelled' }, state }
    // Ends with a rejection when the wait is cancelled, which the next round sees.
    await context.clock.sleep(JOIN_POLL_MS, signal).catch(() => undefined)
  }
}

/** Whether a process drives the run's in-process pools now. */
export function isDriven(review: Pick<Review, 'files'>): boolean {
  return new ClaimRegistry(review.files.drivers).isClaimed(RUNNER)
}
