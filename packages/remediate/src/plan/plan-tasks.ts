import { formatCount } from '@audit-tools/shared/core'
import { type Finding, planWorkBlocks, type Severity } from '@audit-tools/shared/findings'

/** One node of the plan: what one worker does in one workspace. */
export interface Task {
  readonly id: string
  readonly items: readonly string[]
  /** Files that only this task may change. */
  readonly files: readonly string[]
  readonly intent: string
  readonly max_severity: Severity
  readonly depends_on: readonly string[]
}

export interface Plan {
  /** Each comes after those it depends on. No file is in two tasks. */
  readonly tasks: readonly Task[]
  /** Items that were declared to depend on each other in a circle; each circle became one task. */
  readonly cycles: readonly (readonly string[])[]
}

/** Longer intents repeat the items rather than say what to do. */
const MAX_TITLES = 3

/** The light plan: items by file overlap and package, in declared order, without a model. */
export function planTasks(items: readonly Finding[]): Plan {
  const { blocks, cycles } = planWorkBlocks(items)
  const titles = new Map(items.map(({ id, title }) => [id, title]))
  return {
    tasks: blocks.map((block) => ({
      id: nameTask(block.id),
      items: block.finding_ids,
      files: block.owned_files,
      intent: describeIntent(block.finding_ids.map((id) => titles.get(id) ?? id)),
      max_severity: block.max_severity,
      depends_on: block.depends_on.map(nameTask),
    })),
    cycles,
  }
}

function nameTask(blockId: string): string {
  return blockId.replace(/^WB-/, 'T-')
}

function describeIntent(titles: readonly string[]): string {
  const distinct = [...new Set(titles)]
  const more = distinct.length - MAX_TITLES
  const listed = distinct.slice(0, MAX_TITLES).join('; ')
  return more > 0
    ? `Repair: ${listed}; and ${formatCount(more, 'more', 'more')}`
    : `Repair: ${listed}`
}
