import { z } from 'zod'

import type { ReviewScope } from './review-scope.ts'

/** A result keyed by the task it answers, as hosts and scripts already write it; a list of them is one reply. */
const AuditResultSchema = z.looseObject({
  task_id: z.string(),
  status: z.string().optional(),
  file_coverage: z.array(z.union([z.string(), z.looseObject({ path: z.string() })])).optional(),
  findings: z.array(z.unknown()).default([]),
})

/**
 * Turns results keyed by task into packet results and leaves everything else as it is. A task is one lens, so a file is
 * covered once every task of the packet that holds it is answered. A result for a task that is not in the packet covers
 * nothing: which packet a reply answers is the claim's to say.
 */
export function readLegacyResults(
  { values, truncated }: { readonly values: readonly unknown[]; readonly truncated: boolean },
  scope: ReviewScope,
): unknown[] {
  const elements = values.flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]))
  const answered = new Map<string, Set<string>>()
  const results = elements.map((element) => {
    const parsed = AuditResultSchema.safeParse(element)
    if (!parsed.success) return element
    const { task_id: taskId, file_coverage: coverage, findings } = parsed.data
    const assigned = scope.taskPaths.get(taskId) ?? []
    const named = coverage?.map((file) => (typeof file === 'string' ? file : file.path))
    const covered = new Set((named ?? assigned).filter((path) => assigned.includes(path)))
    answered.set(taskId, new Set([...(answered.get(taskId) ?? []), ...covered]))
    return { findings }
  })
  const isAnswered = (path: string): boolean => {
    const holders = [...scope.taskPaths].filter(([, paths]) => paths.includes(path))
    return (
      holders.length > 0 && holders.every(([taskId]) => answered.get(taskId)?.has(path) === true)
    )
  }
  // Of a cut list nobody knows what its last result was still going to say.
  const byTask = truncated ? [] : scope.paths.filter(isAnswered)
  return byTask.length > 0 ? [...results, { findings: [], files_reviewed: byTask }] : results
}
