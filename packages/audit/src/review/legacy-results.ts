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
 * Turns results keyed by task into packet results and leaves everything else as it is. A result for a task that is not
 * in the packet covers nothing: which packet a reply answers is the claim's to say.
 */
export function readLegacyResults(value: unknown, scope: ReviewScope): unknown[] {
  const elements = Array.isArray(value) ? value : [value]
  return elements.map((element) => {
    const parsed = AuditResultSchema.safeParse(element)
    if (!parsed.success) return element
    const { task_id: taskId, file_coverage: coverage, findings } = parsed.data
    const assigned = scope.taskPaths.get(taskId) ?? []
    const covered =
      coverage?.map((file) => (typeof file === 'string' ? file : file.path)) ?? assigned
    return { findings, files_reviewed: covered.filter((path) => assigned.includes(path)) }
  })
}
