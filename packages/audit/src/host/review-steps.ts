import { join } from 'node:path'

import type { GrantedPacket } from '@audit-tools/shared/steps'
import {
  makeDirectory,
  readFileText,
  writeFileAtomic,
  writeJsonFile,
} from '@audit-tools/shared/store'

import { estimateTokens } from '../review/index.ts'
import { type AuditSession, nameItemFile, type Review, type ReviewState } from '../run/index.ts'
import type { HostCapabilities } from './capabilities.ts'
import { describeQuota } from './describe-quota.ts'
import type { Grant } from './grant-packets.ts'
import type { HostCommands } from './host-commands.ts'
import { describeProgress, makeStep, type StepAnswer } from './make-step.ts'
import { renderDispatchPrompt, renderSingleTaskPrompt } from './step-prompts.ts'

interface StepContext {
  readonly session: AuditSession
  readonly review: Review
  readonly known: HostCapabilities
  readonly commands: HostCommands
  readonly state: ReviewState
}

/** Where the answer to a grant goes: the epoch keeps apart what different owners of one item write. */
function locateTaskResult({ files }: Pick<Review, 'files'>, itemId: string, epoch: number): string {
  return join(files.taskResults, `${nameItemFile(itemId)}.${epoch}.json`)
}

export function makeDispatchStep(
  context: StepContext & { readonly grants: readonly Grant[]; readonly limit: number },
): StepAnswer {
  const { session, review, commands, grants, limit, state, known } = context
  makeDirectory(review.files.taskResults)
  const granted = grants.map((grant): GrantedPacket => {
    const resultPath = locateTaskResult(review, grant.item.id, grant.epoch)
    return {
      packet_id: grant.item.id,
      prompt_path: grant.promptPath,
      result_path: resultPath,
      rank: grant.item.packet.rank,
      estimated_tokens: estimateTokens(grant.item),
      claim: { epoch: grant.epoch, token: grant.ownerToken },
      submit_command: commands.submit(grant, resultPath),
    }
  })
  writeRunFiles(context, grants, limit)
  const [merge, next] = [commands.mergeAndIngest(), commands.nextStep()]
  return makeStep(session, {
    kind: 'dispatch_review',
    status: 'ready',
    runId: review.runId,
    allowedCommands: [...granted.map((packet) => packet.submit_command), merge, next],
    stopCondition:
      'Every granted packet was submitted, merge-and-ingest ran without an error, and next-step printed the next step.',
    prompt: renderDispatchPrompt({
      granted,
      maxConcurrent: limit,
      capabilities: known,
      merge,
      next,
    }),
    more: {
      progress: describeProgress(state, grants.length),
      granted,
      max_concurrent: limit,
      cooldown_until: null,
    },
  })
}

export function makeSingleTaskStep(context: StepContext & { readonly grant: Grant }): StepAnswer {
  const { session, review, commands, grant, state } = context
  const { layout } = session
  const { files } = review
  const words = commands.workerRun(grant, layout.currentTask)
  const task = {
    contract_version: 'audit-code-worker/v1alpha1',
    run_id: review.runId,
    repo_root: session.root,
    artifacts_dir: layout.directory,
    obligation_id: 'audit_results_ingested',
    preferred_executor: 'agent',
    result_path: join(files.directory, 'worker-result.json'),
    worker_command: words,
    worker_command_mode: 'deferred',
    audit_results_path: files.auditResults,
    pending_audit_tasks_path: files.pendingTasks,
    timeout_ms: session.config.timeout_ms ?? 900_000,
    max_retries: 2,
    access: {
      read_paths: grant.item.paths.map((path) => join(session.root, path)),
      write_paths: [join(files.directory, 'worker-result.json'), files.auditResults],
    },
  }
  makeDirectory(join(layout.currentTask, '..'))
  writeJsonFile(layout.currentTask, task)
  writeJsonFile(files.task, task)
  writeRunFiles(context, [grant], 1)
  const reading = readFileText(grant.promptPath)
  const command = commands.quote(words)
  const prompt = renderSingleTaskPrompt({
    reviewPrompt: reading.kind === 'ok' ? reading.text : '',
    resultsPath: files.auditResults,
    workerCommand: command,
  })
  writeFileAtomic(layout.singleTaskPrompt, prompt)
  return makeStep(session, {
    kind: 'single_task_fallback',
    status: 'ready',
    runId: review.runId,
    allowedCommands: [command],
    stopCondition: 'The worker command ran once. What it prints as next_likely_step comes next.',
    prompt,
    more: {
      progress: describeProgress(state, 1),
      artifact_paths: {
        active_review_task: layout.currentTask,
        active_review_prompt: layout.singleTaskPrompt,
        single_task_prompt: layout.singleTaskPrompt,
        audit_results: files.auditResults,
      },
    },
  })
}

/** What scripts read beside the step: the granted work as tasks, limits and warnings. */
function writeRunFiles(
  { session, review, state }: StepContext,
  grants: readonly Grant[],
  limit: number,
): void {
  const tasks = grants.flatMap(({ item }) =>
    item.packet.tasks.map((task) => ({
      ...task,
      file_paths: task.file_paths.filter((path) => item.paths.includes(path)),
      status: 'pending',
    })),
  )
  writeJsonFile(review.files.pendingTasks, tasks)
  const open = [...state.values()].filter(({ status }) => status === 'open')
  writeJsonFile(
    review.files.quota,
    describeQuota(review.runId, {
      config: session.config,
      limit,
      tokens: open.map(({ item }) => estimateTokens(item)),
    }),
  )
  // Oversized packets are only known where limits are, and a host states none.
  writeJsonFile(review.files.warnings, [])
}
