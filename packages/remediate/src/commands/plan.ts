import { defineCommand } from '@audit-tools/shared/cli'
import { AuditToolsError, ExitCode } from '@audit-tools/shared/core'
import { readFileBytes } from '@audit-tools/shared/store'
import { z } from 'zod'

import { type Intake, readSources, type Source } from '../intake/index.ts'
import { type Plan, planTasks, renderPlan } from '../plan/index.ts'
import { openTree } from './open-tree.ts'

const sourceFlag = z.array(z.string().min(1)).default([])

export const command = defineCommand({
  name: 'plan',
  summary: 'Group findings into tasks that can be worked on side by side',
  flags: z.object({
    from: sourceFlag.describe('audit-findings.json or SARIF; repeatable, all are used'),
    input: sourceFlag.describe('The same as --from'),
  }),
  examples: [
    'plan --from .audit-tools/audit/audit-findings.json',
    'plan --from a.json --from codeql.sarif --json',
  ],
  async run({ from, input }, context) {
    const names = [...new Set([...from, ...input])]
    if (names.length === 0) {
      throw new AuditToolsError(
        'usage-invalid',
        'There is nothing to plan. Name a file with --from',
      )
    }
    const sources = names.map((name) => readSource(name, context.resolvePath(name)))
    const intake = readSources(sources, await openTree(context))
    const plan = planTasks(intake.items)
    for (const notice of intake.notices) context.output.warn(notice)
    for (const cycle of plan.cycles) {
      context.output.warn(`A circle of dependencies became one task: ${cycle.join(' -> ')}`)
    }
    if (context.common.json) context.output.json(describePlan(names, intake, plan))
    else context.output.write(renderPlan(plan, intake))
    return ExitCode.Done
  },
})

function readSource(name: string, path: string): Source {
  const reading = readFileBytes(path)
  if (reading.kind === 'ok') return { name, bytes: reading.bytes }
  const problem = reading.kind === 'missing' ? 'there is no such file' : 'it cannot be read'
  throw new AuditToolsError('input-invalid', `${path}: ${problem}. Name a file with findings`, {
    details: { path },
    cause: reading.kind === 'unreadable' ? reading.cause : undefined,
  })
}

function describePlan(sources: readonly string[], intake: Intake, plan: Plan): object {
  const { received, items, merged, rejected, flagged, notices } = intake
  return {
    contract_version: 'remediate-code-plan/v1alpha1',
    mode: 'light',
    sources,
    conservation: {
      received,
      planned: items.length,
      merged: merged.length,
      rejected: rejected.length,
    },
    tasks: plan.tasks,
    cycles: plan.cycles,
    merged,
    rejected,
    flagged,
    notices,
  }
}
