import { ClaimRegistry, type ClaimRegistryOptions } from '@audit-tools/shared/claims'
import { AuditToolsError } from '@audit-tools/shared/core'
import { openEventLog, readOptionalJsonFile } from '@audit-tools/shared/store'

import type { WorkItem } from '../../review/index.ts'
import { foldReview, type ItemState, judgeItem, type ReviewState } from './fold-review.ts'
import { readAllAttempts, readAttempts, readResult } from './record-store.ts'
import { type DispatchPlan, DispatchPlanSchema } from './records.ts'
import { planReviewFiles, type ReviewFiles } from './review-files.ts'

/** One process's hold on the review of one run. */
export interface Review {
  readonly runId: string
  readonly root: string
  readonly files: ReviewFiles
  readonly plan: DispatchPlan
  /** Claims on work items, made under this process's or this host session's name. */
  readonly claims: ClaimRegistry
  /** A trail for people; nothing is decided from it. */
  note(event: object): void
}

/** Opens a run's review. Throws `run-not-found` when the run has no plan, and what reading throws. */
export function openReview(
  runsDirectory: string,
  runId: string,
  owner: ClaimRegistryOptions = {},
): Review {
  const files = planReviewFiles(runsDirectory, runId)
  const plan = readOptionalJsonFile(files.plan, DispatchPlanSchema)
  if (plan === undefined) {
    throw new AuditToolsError(
      'run-not-found',
      `run ${runId} has no plan at ${files.plan}. Start one with \`audit-code run\` or \`audit-code next-step\``,
      { details: { runId } },
    )
  }
  const events = openEventLog(files.events)
  return {
    runId,
    root: plan.root,
    files,
    plan,
    claims: new ClaimRegistry(files.claims, owner),
    note: (event) => events.append(event),
  }
}

/** Reads where the whole review stands. */
export function readReviewState(review: Review): ReviewState {
  const completed = review.claims.listCompleted()
  const done = new Map(
    completed.map(({ id, resultRef }) => [id, readResult(review.files, resultRef)] as const),
  )
  const attempts = readAllAttempts(review.files)
  return foldReview({ packets: review.plan.packets, done, attempts })
}

/** Reads where one item stands, from its own files only. */
export function readItemState(review: Review, item: WorkItem, resultRef?: string): ItemState {
  const done = new Map(
    resultRef === undefined ? [] : [[item.id, readResult(review.files, resultRef)]],
  )
  const attempts = new Map([[item.id, readAttempts(review.files, item.id)]])
  return judgeItem({ done, attempts }, item)
}
