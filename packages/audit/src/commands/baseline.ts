import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, formatCount, systemRandom } from '@audit-tools/shared/core'
import { z } from 'zod'

import { openSession, openSessionArtifacts, readLatestReport, saveBaseline } from '../run/index.ts'

export const command = defineCommand({
  name: 'baseline',
  summary: 'Make the findings of the last report the baseline for states',
  flags: z.object({}),
  async run(_, context) {
    const session = await openSession(context)
    await openSessionArtifacts(session, systemRandom)
    const { layout } = session
    const saved = saveBaseline(layout, readLatestReport(layout))
    if (context.common.json) context.output.json(saved)
    else {
      context.output.write(
        `Baseline: ${formatCount(saved.open, 'open finding')}, ${saved.resolved} remembered as resolved. ` +
          'Later runs say new, persisting, moved or reopened.',
      )
    }
    return ExitCode.Done
  },
})
