import { defineCommand } from '@audit-tools/shared/cli'
import { AuditToolsError, ExitCode, systemRandom } from '@audit-tools/shared/core'
import { readOptionalJsonFile, writeJsonFile } from '@audit-tools/shared/store'
import { z } from 'zod'

import { writeHostCommands } from '../host/index.ts'
import {
  acceptSubmission,
  guardDriver,
  openReview,
  openSession,
  openSessionArtifacts,
  readReviewState,
  type Receipt,
} from '../run/index.ts'
import { describeWords } from './describe-words.ts'
import { renderReceipt } from './render-receipt.ts'
import { claimFlags, driverFlags, readAnswerFile, runFlags } from './run-flags.ts'

const TaskSchema = z.looseObject({
  run_id: z.string(),
  obligation_id: z.string(),
  preferred_executor: z.string(),
  result_path: z.string(),
  audit_results_path: z.string(),
})

export const command = defineCommand({
  name: 'worker-run',
  summary: 'Take in the answer to the single task of a host without subagents',
  flags: runFlags
    .extend(claimFlags.shape)
    .extend(driverFlags.shape)
    .extend({ task: z.string().min(1).describe('File with the task') }),
  async run(flags, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const path = context.resolvePath(flags.task)
    const task = readOptionalJsonFile(path, TaskSchema)
    const { packet, epoch, claim } = flags
    if (task === undefined || packet === undefined || epoch === undefined || claim === undefined) {
      throw new AuditToolsError(
        'usage-invalid',
        `worker-run needs an existing task file and the claim of its packet; run the worker_command that stands in ${path}`,
      )
    }
    const review = openReview(session.layout.runsDirectory, task.run_id)
    guardDriver(review.files, flags.driverToken)
    const item = readReviewState(review).get(packet)?.item
    if (item === undefined) {
      throw new AuditToolsError('usage-invalid', `run ${task.run_id} has no packet ${packet}`)
    }
    const bytes = readAnswerFile(task.audit_results_path)
    const submission = { item, epoch, ownerToken: claim, poolId: 'host', bytes }
    const receipt = acceptSubmission(review, submission)
    const words = describeWords(context, session)
    const token = flags.driverToken ?? ''
    const commands = writeHostCommands(words, { runId: task.run_id, token })
    const result = {
      contract_version: 'audit-code-worker-result/v1alpha1',
      run_id: task.run_id,
      obligation_id: task.obligation_id,
      status: describeStatus(receipt),
      progress_made: receipt.kind === 'accepted',
      selected_executor: task.preferred_executor,
      artifacts_written: 'resultRef' in receipt ? [receipt.resultRef] : [],
      summary: (renderReceipt(packet, receipt) as { message: string }).message,
      next_likely_step: commands.nextStep(),
      errors: receipt.kind === 'bad_output' ? [receipt.problem] : [],
    }
    writeJsonFile(task.result_path, result)
    context.output.json(result)
    return ExitCode.Done
  },
})

function describeStatus({ kind }: Receipt): 'completed' | 'no_progress' | 'failed' {
  switch (kind) {
    case 'accepted':
      return 'completed'
    case 'duplicate':
    case 'stale':
      return 'no_progress'
    case 'bad_output':
      return 'failed'
  }
}
