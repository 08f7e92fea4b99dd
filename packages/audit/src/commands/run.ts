import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, systemRandom } from '@audit-tools/shared/core'
import { compareSeverity } from '@audit-tools/shared/findings'

import { auditRepository, openSession } from '../run/index.ts'
import { readConfigFlags, readScopePaths, reportFlags, scopeFlags } from './audit-flags.ts'
import { renderOutcome } from './render-outcome.ts'

export const command = defineCommand({
  name: 'run',
  summary: 'Audit the repository and write the report',
  flags: scopeFlags.extend(reportFlags.shape),
  examples: [
    'run',
    'run --root ../project --fail-on high',
    'run --since origin/main --format sarif',
  ],
  async run(flags, context) {
    const session = await openSession(context, readConfigFlags(flags))
    const outcome = await auditRepository(session, {
      paths: readScopePaths(session.root, flags.paths, (path) => context.resolvePath(path)),
      since: flags.since,
      includeUntracked: flags.includeUntracked,
      signal: context.signal,
      clock: context.clock,
      random: systemRandom,
      onStage: (stage) => context.output.progress(stage),
    })
    context.output.progress('')
    if (context.common.json) context.output.json(outcome.summary)
    else context.output.write(renderOutcome(outcome, context.output))
    const { failOn } = flags
    const bad = outcome.findings.some(
      (finding) => failOn !== undefined && compareSeverity(finding.severity, failOn) <= 0,
    )
    return bad ? ExitCode.AnswerIsNo : ExitCode.Done
  },
})
