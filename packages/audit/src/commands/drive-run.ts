import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, systemRandom } from '@audit-tools/shared/core'

import {
  chooseRun,
  describeRunnerEnd,
  openReview,
  openReviewPools,
  openSession,
  openSessionArtifacts,
  reviewPackets,
} from '../run/index.ts'
import { readRunId, runFlags } from './run-flags.ts'

export const command = defineCommand({
  name: 'drive-run',
  summary: 'Review a run with the pools that this tool launches itself',
  flags: runFlags,
  async run(flags, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const review = openReview(
      session.layout.runsDirectory,
      chooseRun(session.layout, readRunId(flags)),
    )
    const { end } = await reviewPackets(session, review, {
      pools: openReviewPools(session.config, context),
      context,
      signal: context.signal,
      onProgress: () => undefined,
    })
    context.output.write(JSON.stringify(describeRunnerEnd(end)))
    return ExitCode.Done
  },
})
