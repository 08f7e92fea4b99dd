import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, systemRandom } from '@audit-tools/shared/core'
import { z } from 'zod'

import {
  cancelReview,
  chooseRun,
  guardDriver,
  openReview,
  openSession,
  openSessionArtifacts,
  resumeReview,
} from '../run/index.ts'
import { driverFlags, readRunId, runFlags } from './run-flags.ts'

export const command = defineCommand({
  name: 'cancel',
  summary: 'Stop a run for good, whoever drives it',
  flags: runFlags.extend(driverFlags.shape).extend({
    reason: z.string().default('cancelled by a person').describe('Why, for the record'),
    undo: z.boolean().default(false).describe('Let a cancelled run go on'),
  }),
  async run(flags, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const runId = chooseRun(session.layout, readRunId(flags))
    const { files } = openReview(session.layout.runsDirectory, runId)
    guardDriver(files, flags.driverToken)
    if (flags.undo) resumeReview(files)
    else cancelReview(files, flags.reason)
    const state = flags.undo ? 'may go on' : 'is cancelled'
    if (context.common.json) context.output.json({ run_id: runId, cancelled: !flags.undo })
    else context.output.write(`Run ${runId} ${state}. What is reviewed is kept.`)
    return ExitCode.Done
  },
})
