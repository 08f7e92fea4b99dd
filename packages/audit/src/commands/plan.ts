import { type CommandContext, defineCommand } from '@audit-tools/shared/cli'
import { ExitCode, formatCount, groupBy, systemRandom } from '@audit-tools/shared/core'

import type { Plan } from '../plan/index.ts'
import { openSession, prepareAudit, type PreparedAudit } from '../run/index.ts'
import { readConfigFlags, readScopePaths, scopeFlags } from './audit-flags.ts'

export const command = defineCommand({
  name: 'plan',
  summary: 'Show scope, packets and tokens; spend nothing',
  flags: scopeFlags,
  examples: ['plan', 'plan --depth deep --json'],
  async run(flags, context) {
    const session = await openSession(context, readConfigFlags(flags))
    const prepared = await prepareAudit(session, {
      paths: readScopePaths(session.root, flags.paths, (path) => context.resolvePath(path)),
      since: flags.since,
      includeUntracked: flags.includeUntracked,
      signal: context.signal,
      random: systemRandom,
      onStage: (stage) => context.output.progress(stage),
    })
    context.output.progress('')
    if (context.common.json) context.output.json(summarize(prepared))
    else printPlan(prepared, context)
    return ExitCode.Done
  },
})

function summarize({ runId, snapshot, plan }: PreparedAudit): object {
  return {
    run_id: runId,
    tree_hash: snapshot.treeHash,
    files: snapshot.files.length,
    excluded: snapshot.excluded.length,
    untracked_skipped: snapshot.untrackedSkipped,
    packets: plan.packets.map((packet) => ({
      packet_id: packet.id,
      pass: packet.passId,
      lenses: packet.lenses,
      rank: packet.rank,
      prompt_tokens: packet.promptTokens,
      files: packet.files.map(({ path }) => path),
    })),
    not_covered: plan.notCovered,
    prompt_tokens: plan.totals.promptTokens,
    source_tokens: plan.totals.sourceTokens,
  }
}

function printPlan({ snapshot, plan }: PreparedAudit, { output }: CommandContext): void {
  output.write(
    `${formatCount(snapshot.files.length, 'file')} in scope, ${formatCount(snapshot.excluded.length, 'path')} not audited, untracked and skipped: ${snapshot.untrackedSkipped}`,
  )
  output.write(renderTotals(plan))
  for (const pass of plan.passes) {
    const own = plan.packets.filter(({ passId }) => passId === pass.id)
    const ranks = [...groupBy(own, ({ rank }) => rank)].map(
      ([rank, list]) => `${list.length} ${rank}`,
    )
    output.write(
      `  ${pass.id}: ${formatCount(own.length, 'packet')} (${ranks.join(', ') || 'none'}) under ${pass.lenses.join(', ')}`,
    )
  }
  for (const { path, lines, reason } of plan.notCovered.slice(0, 20)) {
    output.write(
      `  not covered: ${JSON.stringify(path).slice(1, -1)}:${lines.first}-${lines.last}: ${reason}`,
    )
  }
  if (plan.notCovered.length > 20) {
    output.write(
      `  ... and ${formatCount(plan.notCovered.length - 20, 'more part')} not covered; --json lists them`,
    )
  }
}

function renderTotals({ packets, totals }: Plan): string {
  const { promptTokens, sourceTokens } = totals
  const overhead =
    sourceTokens === 0 ? '' : `, ${(promptTokens / sourceTokens).toFixed(2)} per token of source`
  return `${formatCount(packets.length, 'packet')}, about ${formatCount(promptTokens, 'prompt token')}${overhead}`
}
