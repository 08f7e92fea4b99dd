import { type CommandContext, defineCommand } from '@audit-tools/shared/cli'
import { AuditToolsError, ExitCode, systemRandom } from '@audit-tools/shared/core'
import { z } from 'zod'

import {
  checkSubmission,
  chooseRun,
  ingestAnswers,
  openReview,
  openSession,
  openSessionArtifacts,
  readReviewState,
  type Review,
} from '../run/index.ts'
import { readAnswerFile, readRunId, runFlags } from './run-flags.ts'

export const command = defineCommand({
  name: 'validate-results',
  summary: 'Check answers as submitting would, and change nothing',
  flags: runFlags.extend({
    packet: z.string().min(1).optional().describe('Packet that each file answers'),
  }),
  args: z.object({ file: z.array(z.string()).min(1).describe('Files with answers') }),
  examples: ['validate-results result.json --packet p-0123456789abcdef'],
  async run(flags, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const runId = chooseRun(session.layout, readRunId(flags))
    const review = openReview(session.layout.runsDirectory, runId)
    const checks = flags.file.map((file) => ({
      file,
      ...checkFile(review, { path: context.resolvePath(file), packet: flags.packet }),
    }))
    printChecks(checks, context)
    return checks.every(({ valid }) => valid) ? ExitCode.Done : ExitCode.AnswerIsNo
  },
})

interface Check {
  readonly valid: boolean
  readonly problems: readonly string[]
}

function checkFile(
  review: Review,
  { path, packet }: { path: string; packet: string | undefined },
): Check {
  const bytes = readAnswerFile(path)
  if (packet === undefined) {
    const { refused } = ingestAnswers(review, bytes, false)
    const problems = refused.map(({ what, reason }) => `${what}: ${reason}`)
    return { valid: problems.length === 0, problems }
  }
  const item = readReviewState(review).get(packet)?.item
  if (item === undefined) {
    throw new AuditToolsError('usage-invalid', `run ${review.runId} has no packet ${packet}`)
  }
  const judgement = checkSubmission(item, bytes)
  if (judgement.kind === 'bad_output') {
    return { valid: false, problems: [`${judgement.problem}. ${judgement.repair}`] }
  }
  const { tickets, uncovered } = judgement.result
  const problems = [
    ...tickets.map(({ element, problem }) => `${element}: ${problem}`),
    ...uncovered.map((uncoveredPath) => `${uncoveredPath} is not covered`),
  ]
  return { valid: problems.length === 0, problems }
}

function printChecks(
  checks: readonly (Check & { readonly file: string })[],
  { common, output }: CommandContext,
): void {
  if (common.json) {
    output.json(checks)
    return
  }
  for (const { file, valid, problems } of checks) {
    output.write(`${file}: ${valid ? 'valid' : 'not valid'}`)
    for (const problem of problems) output.write(`  ${problem}`)
  }
}
