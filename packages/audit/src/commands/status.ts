import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, formatCount } from '@audit-tools/shared/core'
import { z } from 'zod'

import { openSession, readAuditState } from '../run/index.ts'

export const command = defineCommand({
  name: 'status',
  summary: 'Show what the last run did and what is left',
  flags: z.object({}),
  async run(_, context) {
    const session = await openSession(context)
    const { state, report } = readAuditState(session.layout)
    const { output } = context
    if (context.common.json) {
      output.json({ ...state, run_id: report?.run_id ?? null, summary: report?.summary ?? null })
      return ExitCode.Done
    }
    output.write(`Status: ${state.status.replace('_', ' ')}`)
    for (const { id, status, reason } of state.obligations) {
      output.write(`  ${status.padEnd(8)} ${id}${reason === undefined ? '' : `: ${reason}`}`)
    }
    for (const blocker of state.blockers) output.write(`Blocked: ${blocker}`)
    if (report === null) {
      output.write('No report yet. Start with `audit-code run`.')
      return ExitCode.Done
    }
    const { packets, finding_count: findings } = report.summary
    output.write(`Run ${report.run_id}: ${formatCount(findings, 'finding')}`)
    output.write(
      `Packets: ${packets.planned} planned = ${packets.reviewed} reviewed + ${packets.failed} failed + ${packets.deferred} not tried`,
    )
    output.write(`Report: ${session.layout.report}`)
    return ExitCode.Done
  },
})
