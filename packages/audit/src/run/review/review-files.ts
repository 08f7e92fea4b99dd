import { join } from 'node:path'

import { hashContent } from '@audit-tools/shared/core'

/** Where the files of one run's review live. All paths are absolute. */
export interface ReviewFiles {
  readonly directory: string
  readonly plan: string
  /** Where the answer to each packet goes, by packet. */
  readonly resultMap: string
  readonly prompts: string
  /** Claims on work items. */
  readonly claims: string
  /** Claims on driving the run. */
  readonly drivers: string
  /** Answers as they came, kept before anything else happens to them. */
  readonly replies: string
  /** Where reviewers of the host put their answers. */
  readonly taskResults: string
  readonly results: string
  readonly attempts: string
  /** Answers that count for nothing, as evidence. */
  readonly rejected: string
  readonly workers: string
  readonly settledPools: string
  readonly events: string
  readonly pendingTasks: string
  readonly auditResults: string
  readonly task: string
  readonly quota: string
  readonly warnings: string
  readonly cancelled: string
  readonly runnerLog: string
  readonly runnerEnd: string
}

export function planReviewFiles(runsDirectory: string, runId: string): ReviewFiles {
  const directory = join(runsDirectory, runId)
  return {
    directory,
    plan: join(directory, 'dispatch-plan.json'),
    resultMap: join(directory, 'dispatch-result-map.json'),
    prompts: join(directory, 'prompts'),
    claims: join(directory, 'claims'),
    drivers: join(directory, 'drivers'),
    replies: join(directory, 'replies'),
    taskResults: join(directory, 'task-results'),
    results: join(directory, 'results'),
    attempts: join(directory, 'attempts'),
    rejected: join(directory, 'rejected'),
    workers: join(directory, 'workers'),
    settledPools: join(directory, 'settled-pools.json'),
    events: join(directory, 'events.jsonl'),
    pendingTasks: join(directory, 'pending-audit-tasks.json'),
    auditResults: join(directory, 'audit-results.json'),
    task: join(directory, 'task.json'),
    quota: join(directory, 'dispatch-quota.json'),
    warnings: join(directory, 'dispatch-warnings.json'),
    cancelled: join(directory, 'cancelled.json'),
    runnerLog: join(directory, 'runner.log'),
    runnerEnd: join(directory, 'runner-end.json'),
  }
}

/** An id as part of a file name: ids of our own plans as they are, anything else by its hash. */
export function nameItemFile(itemId: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,80}$/.test(itemId)
    ? itemId
    : `h${hashContent(itemId).slice(0, 24)}`
}
