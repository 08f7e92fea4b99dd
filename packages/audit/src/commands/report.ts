import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, systemRandom } from '@audit-tools/shared/core'

import { auditRepository, openSession } from '../run/index.ts'
import { readConfigFlags, reportFlags } from './audit-flags.ts'

export const command = defineCommand({
  name: 'report',
  summary: 'Write the report again from what is known now',
  flags: reportFlags.pick({ format: true }),
  examples: ['report --format html', 'report --format sarif --format junit'],
  async run(flags, context) {
    const session = await openSession(context, readConfigFlags(flags))
    const { summary } = await auditRepository(session, {
      includeUntracked: false,
      signal: context.signal,
      clock: context.clock,
      random: systemRandom,
      onStage: (stage) => context.output.progress(stage),
    })
    context.output.progress('')
    if (context.common.json) context.output.json(summary)
    else for (const path of summary.reports) context.output.write(`Report: ${path}`)
    return ExitCode.Done
  },
})
