import { formatCount } from '@audit-tools/shared/core'

import type { Intake } from '../intake/index.ts'
import type { Plan, Task } from './plan-tasks.ts'

/** The plan as text for a person: tasks, what was left out and why, and the sums. */
export function renderPlan({ tasks }: Plan, intake: Intake): string {
  return [
    ...tasks.flatMap((task) => renderTask(task)),
    ...renderList(
      'Not planned',
      intake.rejected.map(({ what, reason }) => `${what}: ${reason}`),
    ),
    ...renderList(
      'Merged',
      intake.merged.map(({ what, into }) => `${what} into ${into}`),
    ),
    ...renderList(
      'Read with care',
      intake.flagged.map(({ what, note }) => `${what}: ${note}`),
    ),
    renderSums(intake, tasks.length),
  ].join('\n')
}

/** `92 items in = 90 planned + 1 merged + 1 rejected, in 14 tasks`. */
function renderSums(intake: Intake, tasks: number): string {
  const { received, items, merged, rejected } = intake
  const parts = `${items.length} planned + ${merged.length} merged + ${rejected.length} rejected`
  return `${formatCount(received, 'item')} in = ${parts}, in ${formatCount(tasks, 'task')}`
}

function renderTask(task: Task): string[] {
  return [
    `${task.id}  ${task.max_severity}  ${task.intent}`,
    `  items: ${task.items.join(', ')}`,
    ...(task.files.length > 0 ? [`  files: ${task.files.join(', ')}`] : []),
    ...(task.depends_on.length > 0 ? [`  after: ${task.depends_on.join(', ')}`] : []),
    '',
  ]
}

function renderList(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`), '']
}
