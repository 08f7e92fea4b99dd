import { type CommandContext, defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, formatCount, systemRandom } from '@audit-tools/shared/core'
import { collectDispatchableSources } from '@audit-tools/shared/dispatch'
import { compareSeverity, type Severity } from '@audit-tools/shared/findings'
import { z } from 'zod'

import {
  type AuditOutcome,
  auditRepository,
  openSession,
  reviewSession,
  type SessionReview,
} from '../run/index.ts'
import { readConfigFlags, readScopePaths, reportFlags, scopeFlags } from './audit-flags.ts'
import { renderOutcome } from './render-outcome.ts'
import { chooseReviewExit, renderReviewEnd } from './render-review-end.ts'

const driveFlags = z.object({
  wait: z.boolean().default(false).describe('Wait for pools that rest, as long as it takes'),
})

export const command = defineCommand({
  name: 'run',
  summary: 'Audit the repository and write the report',
  flags: scopeFlags.extend(reportFlags.shape).extend(driveFlags.shape),
  examples: [
    'run',
    'run --root ../project --fail-on high',
    'run --since origin/main --format sarif',
  ],
  async run(flags, context) {
    const session = await openSession(context, readConfigFlags(flags))
    const review: { made?: SessionReview } = {}
    const outcome = await auditRepository(
      session,
      {
        paths: readScopePaths(session.root, flags.paths, (path) => context.resolvePath(path)),
        since: flags.since,
        includeUntracked: flags.includeUntracked,
        signal: context.signal,
        clock: context.clock,
        random: systemRandom,
        onStage: (stage) => context.output.progress(stage),
      },
      collectDispatchableSources(session.config).length === 0
        ? undefined
        : async (prepared) => {
            review.made = await reviewSession(session, prepared, {
              context,
              signal: context.signal,
              longestWaitMs: flags.wait ? Number.POSITIVE_INFINITY : undefined,
              onProgress: (done, all) =>
                context.output.progress(`Reviewing: ${done} of ${formatCount(all, 'packet')}`),
            })
            return review.made.summary
          },
    )
    context.output.progress('')
    printOutcome(outcome, review.made, context)
    return chooseExit(outcome, review.made, flags.failOn)
  },
})

function printOutcome(
  outcome: AuditOutcome,
  review: SessionReview | undefined,
  { common, output, name }: CommandContext,
): void {
  if (common.json) {
    output.json({ ...outcome.summary, review: review?.end?.kind ?? null })
    return
  }
  output.write(renderOutcome(outcome, output))
  for (const line of renderReviewEnd(review, name)) output.write(line)
}

/** A finding at the asked severity outweighs that the review is not whole: the answer is no either way. */
function chooseExit(
  { findings, summary }: AuditOutcome,
  review: SessionReview | undefined,
  failOn: Severity | undefined,
): ExitCode {
  const bad = findings.some(
    (finding) => failOn !== undefined && compareSeverity(finding.severity, failOn) <= 0,
  )
  if (bad) return ExitCode.AnswerIsNo
  return chooseReviewExit(review, summary.packets_failed)
}
