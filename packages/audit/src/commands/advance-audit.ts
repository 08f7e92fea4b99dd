import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, systemRandom } from '@audit-tools/shared/core'

import {
  countProgress,
  guardActiveRun,
  openSession,
  prepareAudit,
  readAuditState,
  readReview,
  readReviewState,
  recoverReview,
  reportAudit,
  startReview,
} from '../run/index.ts'
import { driverFlags } from './run-flags.ts'
import { intakeFlags, takeInFiles } from './take-in-files.ts'

export const command = defineCommand({
  name: 'advance-audit',
  summary: 'Go one stage on: take in what is given and write the report as it is now',
  flags: intakeFlags.extend(driverFlags.shape),
  async run(flags, context) {
    const session = await openSession(context)
    guardActiveRun(session.layout, flags.driverToken)
    const { signal, clock } = context
    const onStage = (stage: string): void => context.output.progress(stage)
    const prepared = await prepareAudit(session, {
      includeUntracked: false,
      signal,
      random: systemRandom,
      onStage,
    })
    const review = startReview(session, prepared)
    recoverReview(review)
    const intake = await takeInFiles(session, prepared.runId, { flags, context })
    const outcome = reportAudit(session, prepared, {
      clock,
      onStage,
      review: readReview(session, prepared),
    })
    context.output.progress('')
    const { open, reviewed, total } = countProgress(readReviewState(review))
    context.output.json({
      contract_version: 'audit-code/v1alpha1',
      audit_state: readAuditState(session.layout).state,
      selected_obligation: open > 0 ? 'audit_results_ingested' : null,
      selected_executor: open > 0 ? 'agent' : null,
      progress_made: intake.taken + intake.imported > 0,
      artifacts_written: outcome.summary.reports,
      progress_summary: `${reviewed} of ${total} packets and remainders reviewed`,
      next_likely_step: open > 0 ? `${context.name} next-step` : null,
      intake,
    })
    return open > 0 ? ExitCode.InProgress : ExitCode.Done
  },
})
