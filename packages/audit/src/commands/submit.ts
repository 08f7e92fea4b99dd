import { defineCommand } from '@audit-tools/shared/cli'
import { AuditToolsError, ExitCode, systemRandom } from '@audit-tools/shared/core'
import { z } from 'zod'

import {
  acceptSubmission,
  chooseRun,
  guardDriver,
  ingestAnswers,
  openReview,
  openSession,
  openSessionArtifacts,
  readReviewState,
} from '../run/index.ts'
import { renderReceipt } from './render-receipt.ts'
import { claimFlags, driverFlags, readAnswerFile, readRunId, runFlags } from './run-flags.ts'

export const command = defineCommand({
  name: 'submit',
  summary: 'Hand in the answer to a granted packet',
  flags: runFlags.extend(claimFlags.shape).extend(driverFlags.shape),
  args: z.object({ file: z.string().describe('File with the answer') }),
  examples: ['submit result.json --packet p-0123456789abcdef --epoch 1 --claim TOKEN'],
  async run(flags, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const runId = chooseRun(session.layout, readRunId(flags))
    const review = openReview(session.layout.runsDirectory, runId)
    const bytes = readAnswerFile(context.resolvePath(flags.file))
    const { packet, epoch, claim } = flags
    if (claim === undefined || epoch === undefined || packet === undefined) {
      // Without a claim an answer has to name what it answers, and nobody else may drive the run.
      guardDriver(review.files, flags.driverToken)
      const { elements, known, refused, taken } = ingestAnswers(review, bytes)
      context.output.json({
        run_id: runId,
        elements,
        known,
        refused,
        taken: taken.map(({ itemId, receipt }) => renderReceipt(itemId, receipt)),
      })
      return ExitCode.Done
    }
    const item = readReviewState(review).get(packet)?.item
    if (item === undefined) {
      throw new AuditToolsError('usage-invalid', `run ${runId} has no packet ${packet}`, {
        details: { packet },
      })
    }
    const submission = { item, epoch, ownerToken: claim, poolId: 'host', bytes }
    context.output.json(renderReceipt(packet, acceptSubmission(review, submission)))
    return ExitCode.Done
  },
})
