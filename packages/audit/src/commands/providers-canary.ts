import { join } from 'node:path'

import { type CommandContext, defineCommand } from '@audit-tools/shared/cli'
import type { SourceConfig } from '@audit-tools/shared/config'
import { AuditToolsError, ExitCode, hashParts } from '@audit-tools/shared/core'
import { collectDispatchableSources, type DispatchableSource } from '@audit-tools/shared/dispatch'
import { type CanaryResult, findProvider, runCanary } from '@audit-tools/shared/providers'
import { z } from 'zod'

import { type AuditSession, openSession } from '../run/index.ts'

export const command = defineCommand({
  name: 'providers canary',
  summary: 'Send one tiny question with a known answer to each source',
  flags: z.object({}),
  args: z.object({ id: z.string().optional().describe('Ask this source only') }),
  examples: ['providers canary', 'providers canary my-source --json'],
  async run({ id }, context) {
    const session = await openSession(context)
    const chosen = chooseSources(session, id)
    const views = []
    for (const source of chosen) views.push(describe(source, await send(session, source, context)))
    if (context.common.json) context.output.json({ sources: views })
    else {
      if (views.length === 0) context.output.write('No source is configured.')
      for (const view of views) context.output.write(render(view))
    }
    return views.every(({ usable }) => usable) ? ExitCode.Done : ExitCode.AnswerIsNo
  },
})

function chooseSources({ config }: AuditSession, id: string | undefined): DispatchableSource[] {
  const sources = collectDispatchableSources(config).filter(
    ({ source }) => findProvider(source.provider)?.inProcess !== 'never',
  )
  const chosen = sources.filter((source) => id === undefined || source.id === id)
  if (id === undefined || chosen.length > 0) return chosen
  throw new AuditToolsError(
    'usage-invalid',
    `there is no source ${id} that this tool may ask. There are: ${sources.map((source) => source.id).join(', ') || 'none'}`,
    { details: { id } },
  )
}

/** Runs where no repository is, so that a client finds nothing to read. */
function send(
  { stateDirectory }: AuditSession,
  { id, source }: DispatchableSource,
  context: CommandContext,
): Promise<CanaryResult> {
  const directory = join(stateDirectory, 'canary', hashParts([id]).slice(0, 16))
  return runCanary(source as SourceConfig, { directory, context, signal: context.signal })
}

interface CanaryView {
  readonly id: string
  readonly usable: boolean
  readonly problem: string
  readonly class: string
  readonly asked_model: string | null
  readonly answered_model: string | null
  readonly downgraded: boolean
}

function describe({ id, source }: DispatchableSource, result: CanaryResult): CanaryView {
  const { isUsable, problem, outcome, modelMatch } = result
  return {
    id,
    usable: isUsable,
    problem,
    class: outcome.class,
    asked_model: source.model ?? null,
    answered_model: outcome.answeredModel,
    downgraded: modelMatch === 'different',
  }
}

function render(view: CanaryView): string {
  if (!view.usable) return `${view.id}: not usable: ${view.problem}`
  const model = view.answered_model === null ? '' : `, ${view.answered_model} answered`
  const asked = view.downgraded ? `, though ${view.asked_model ?? ''} was asked for` : ''
  return `${view.id}: usable${model}${asked}`
}
