import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, systemRandom } from '@audit-tools/shared/core'

import {
  chooseRun,
  countProgress,
  guardDriver,
  mergeResults,
  openReview,
  openSession,
  openSessionArtifacts,
  ownAsHost,
  planReviewFiles,
  readReviewState,
  recoverReview,
} from '../run/index.ts'
import { renderReceipt } from './render-receipt.ts'
import { driverFlags, readRunId, runFlags } from './run-flags.ts'

export const command = defineCommand({
  name: 'merge-and-ingest',
  summary: 'Take in every answer that the reviewers of a host wrote',
  flags: runFlags.extend(driverFlags.shape),
  async run(flags, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const { layout } = session
    const runId = chooseRun(layout, readRunId(flags))
    const { driverToken: token } = flags
    guardDriver(planReviewFiles(layout.runsDirectory, runId), token)
    const owner = token === undefined ? {} : ownAsHost(token)
    const review = openReview(layout.runsDirectory, runId, owner)
    recoverReview(review)
    const merge = mergeResults(review)
    const progress = countProgress(readReviewState(review))
    context.output.json({
      run_id: runId,
      files: merge.files,
      taken: merge.taken.map(({ itemId, receipt }) => renderReceipt(itemId, receipt)),
      taken_before: merge.settled,
      held_by_others: merge.held,
      set_aside: merge.setAside,
      progress,
    })
    return progress.open > 0 ? ExitCode.InProgress : ExitCode.Done
  },
})
