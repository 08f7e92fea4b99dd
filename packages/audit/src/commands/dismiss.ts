import { defineCommand } from '@audit-tools/shared/cli'
import { AuditToolsError, ExitCode, systemRandom } from '@audit-tools/shared/core'
import { z } from 'zod'

import { addDismissal, openSession, openSessionArtifacts, readLatestReport } from '../run/index.ts'
import { findFinding } from './explain.ts'

export const command = defineCommand({
  name: 'dismiss',
  summary: 'Mark a finding as known, with a reason',
  flags: z.object({
    reason: z.string().min(1).describe('Why it is not to be shown again'),
    until: z.string().optional().describe('Day or instant after which it counts again: 2027-01-31'),
  }),
  args: z.object({ id: z.string().describe('Id of the finding') }),
  examples: ['dismiss F-0123456789 --reason "test fixture" --until 2027-01-31'],
  async run({ id, reason, until }, context) {
    const untilAt = until === undefined ? undefined : Date.parse(until)
    if (untilAt !== undefined && !(untilAt > context.clock.now())) {
      throw new AuditToolsError(
        'usage-invalid',
        `--until ${until} is not a day to come. Write it as 2027-01-31`,
      )
    }
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const finding = findFinding(readLatestReport(session.layout), id)
    await addDismissal(session.layout, {
      ...finding,
      dismissal: {
        reason,
        at: new Date(context.clock.now()).toISOString(),
        ...(untilAt === undefined ? {} : { until: new Date(untilAt).toISOString() }),
      },
    })
    context.output.write(
      `Dismissed ${id}: ${finding.title}. It is listed as known from the next run on.`,
    )
    return ExitCode.Done
  },
})
