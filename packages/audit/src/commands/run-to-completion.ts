import { type CommandContext, defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, systemRandom } from '@audit-tools/shared/core'
import { writeStep } from '@audit-tools/shared/steps'

import { nextStep } from '../host/index.ts'
import {
  type AuditSession,
  auditRepository,
  guardActiveRun,
  openReviewPools,
  openSession,
  prepareAudit,
  type PreparedAudit,
  readAuditState,
  reviewSession,
  type SessionReview,
  startReview,
} from '../run/index.ts'
import { describeWords } from './describe-words.ts'
import { renderReviewEnd, chooseReviewExit } from './render-review-end.ts'
import { driverFlags } from './run-flags.ts'
import { intakeFlags, type IntakeReport, takeInFiles } from './take-in-files.ts'

export const command = defineCommand({
  name: 'run-to-completion',
  summary: 'Take in what is given, review as far as pools allow, and report',
  flags: intakeFlags.extend(driverFlags.shape),
  async run(flags, context) {
    const session = await openSession(context)
    guardActiveRun(session.layout, flags.driverToken)
    const prepared = await prepare(session, context)
    startReview(session, prepared)
    const intake = await takeInFiles(session, prepared.runId, { flags, context })
    const pools = openReviewPools(session.config, context)
    if (pools.pools.length === 0)
      return leaveStep(session, { intake, token: flags.driverToken, context })
    const made: { review?: SessionReview } = {}
    const outcome = await auditRepository(session, makeOptions(context), async (again) => {
      made.review = await reviewSession(session, again, {
        context,
        signal: context.signal,
        onProgress: () => undefined,
      })
      return made.review.summary
    })
    context.output.json({
      ...describeEnvelope(session, intake),
      progress_made: true,
      progress_summary: renderReviewEnd(made.review, context.name).join(' '),
      artifacts_written: outcome.summary.reports,
      next_likely_step: null,
    })
    return chooseReviewExit(made.review, outcome.summary.packets_failed)
  },
})

/** Without a pool of ours the host reviews: a ready step is left for it, so that no second command is needed. */
async function leaveStep(
  session: AuditSession,
  {
    intake,
    token,
    context,
  }: { intake: IntakeReport; token: string | undefined; context: CommandContext },
): Promise<ExitCode> {
  const words = describeWords(context, session)
  const { step, prompt } = await nextStep(session, {
    capabilities: { can_dispatch_subagents: session.config.host_can_dispatch_subagents ?? false },
    token,
    takeOver: false,
    words,
    context,
    random: systemRandom,
    signal: context.signal,
  })
  writeStep(step, prompt)
  context.output.json({
    ...describeEnvelope(session, intake),
    progress_made: intake.taken > 0,
    progress_summary: `No pool is configured that this tool can start itself; a ${step.step_kind} step is ready at ${step.artifact_paths.current_step ?? step.prompt_path}`,
    artifacts_written: [step.artifact_paths.current_step, step.prompt_path],
    next_likely_step: step.allowed_commands[0] ?? null,
  })
  return step.step_kind === 'present_report' ? ExitCode.Done : ExitCode.InProgress
}

function describeEnvelope(session: AuditSession, intake: IntakeReport): object {
  const { state } = readAuditState(session.layout)
  return {
    contract_version: 'audit-code/v1alpha1',
    audit_state: state,
    selected_obligation: 'audit_results_ingested',
    selected_executor: intake.taken > 0 ? 'result_ingestion_executor' : 'agent',
    intake,
  }
}

function makeOptions(context: CommandContext) {
  return {
    includeUntracked: false,
    signal: context.signal,
    clock: context.clock,
    random: systemRandom,
    onStage: (stage: string) => context.output.progress(stage),
  }
}

function prepare(session: AuditSession, context: CommandContext): Promise<PreparedAudit> {
  return prepareAudit(session, makeOptions(context))
}
