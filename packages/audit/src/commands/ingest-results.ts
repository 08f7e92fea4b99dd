import { defineCommand } from '@audit-tools/shared/cli'
import { AuditToolsError, ExitCode, systemRandom } from '@audit-tools/shared/core'
import { z } from 'zod'

import {
  chooseRun,
  countProgress,
  guardDriver,
  ingestAnswers,
  openReview,
  openSession,
  openSessionArtifacts,
  readReviewState,
  recoverReview,
} from '../run/index.ts'
import { renderReceipt } from './render-receipt.ts'
import { driverFlags, readAnswerFile, readRunId, runFlags } from './run-flags.ts'

export const command = defineCommand({
  name: 'ingest-results',
  summary: 'Take in a file of answers that name their tasks or packets',
  flags: runFlags.extend(driverFlags.shape).extend({
    results: z.string().min(1).describe('File with the answers'),
  }),
  examples: ['ingest-results --results audit-results.json'],
  async run(flags, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const { layout } = session
    const runId = chooseRun(layout, readRunId(flags))
    const review = openReview(layout.runsDirectory, runId)
    guardDriver(review.files, flags.driverToken)
    recoverReview(review)
    const bytes = readAnswerFile(context.resolvePath(flags.results))
    const { elements, known, refused, taken } = ingestAnswers(review, bytes)
    if (elements === 0) {
      throw new AuditToolsError(
        'input-invalid',
        `${flags.results}: ${refused[0]?.reason ?? 'no answers'}`,
      )
    }
    const progress = countProgress(readReviewState(review))
    context.output.json({
      run_id: runId,
      elements,
      known,
      refused,
      taken: taken.map(({ itemId, receipt }) => renderReceipt(itemId, receipt)),
      progress,
    })
    return progress.open > 0 ? ExitCode.InProgress : ExitCode.Done
  },
})
