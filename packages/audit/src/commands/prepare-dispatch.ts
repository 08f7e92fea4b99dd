import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, systemRandom } from '@audit-tools/shared/core'
import { writeJsonFile } from '@audit-tools/shared/store'

import { describeQuota } from '../host/index.ts'
import {
  findOversized,
  guardActiveRun,
  openReviewPools,
  openSession,
  prepareAudit,
  readReviewState,
  startReview,
  writePrompt,
} from '../run/index.ts'
import { driverFlags } from './run-flags.ts'

export const command = defineCommand({
  name: 'prepare-dispatch',
  summary: 'Plan the review and write every prompt; start nothing',
  flags: driverFlags,
  async run(flags, context) {
    const session = await openSession(context)
    guardActiveRun(session.layout, flags.driverToken)
    const prepared = await prepareAudit(session, {
      includeUntracked: false,
      signal: context.signal,
      random: systemRandom,
      onStage: (stage) => context.output.progress(stage),
    })
    context.output.progress('')
    const review = startReview(session, prepared)
    const open = [...readReviewState(review).values()].filter(({ status }) => status === 'open')
    for (const { item } of open) writePrompt(review, item)
    const { files, plan } = review
    const tokens = plan.packets.map((packet) => packet.estimated_tokens)
    writeJsonFile(
      files.quota,
      describeQuota(review.runId, {
        config: session.config,
        limit: session.config.parallel_workers,
        tokens,
      }),
    )
    const { pools } = openReviewPools(session.config, context)
    const reserved = session.config.quota.reserved_output_tokens
    const warnings = findOversized(plan.packets, pools, reserved)
    writeJsonFile(files.warnings, warnings)
    const largest = plan.packets.toSorted((a, b) => b.estimated_tokens - a.estimated_tokens)[0]
    context.output.json({
      run_id: review.runId,
      dispatch_plan_path: files.plan,
      dispatch_quota_path: files.quota,
      packet_count: plan.packets.length,
      task_count: plan.packets.reduce((sum, packet) => sum + packet.tasks.length, 0),
      largest_packet:
        largest === undefined
          ? null
          : { packet_id: largest.packet_id, estimated_tokens: largest.estimated_tokens },
      warning_count: warnings.length,
      dispatch_warnings_path: files.warnings,
    })
    return ExitCode.Done
  },
})
