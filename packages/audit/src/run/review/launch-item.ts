import { join } from 'node:path'

import type { SourceConfig } from '@audit-tools/shared/config'
import type { NodeAssignment, WorkOutcome } from '@audit-tools/shared/dispatch'
import {
  findProvider,
  type LaunchContext,
  type LaunchOutcome,
  type OutcomeClass,
} from '@audit-tools/shared/providers'
import { makeDirectory } from '@audit-tools/shared/store'

import type { WorkItem } from '../../review/index.ts'
import {
  acceptSubmission,
  checkSubmission,
  describeSubmission,
  type Receipt,
  type Submission,
} from './accept-submission.ts'
import { failChanged } from './fail-changed.ts'
import { type Review, readItemState } from './open-review.ts'
import { addAttempt, findEarlierResult, keepReply } from './record-store.ts'
import { nameItemFile } from './review-files.ts'
import { writePrompt } from './write-prompt.ts'

/** Ends that count against an item; limits and closed pools are nobody's fault. */
const CHARGED: ReadonlySet<OutcomeClass> = new Set([
  'bad_output',
  'timeout',
  'crash',
  'spawn_failed',
  'transient',
])

/** Ends that leave a record of the attempt. */
const RECORDED: ReadonlySet<OutcomeClass> = new Set([...CHARGED, 'refused'])

export interface Launcher {
  readonly review: Review
  readonly context: LaunchContext
  readonly timeoutMs: number
  findSource(poolId: string): SourceConfig | undefined
  /** Lets a pool feel an end that came with a valid answer. */
  observePool(poolId: string, outcome: WorkOutcome): void
}

/**
 * Does one assigned item: prompt, launch, acceptance. An answer that an earlier owner left on disk is taken instead of
 * paying again. Every end of the launch is an outcome; rejects only when the run's own files cannot be used.
 */
export async function launchItem(
  launcher: Launcher,
  { item, assignment }: { item: WorkItem; assignment: NodeAssignment },
  signal: AbortSignal,
): Promise<WorkOutcome> {
  const { review } = launcher
  const earlier = findEarlierResult(review.files, item.id, assignment.epoch)
  if (earlier !== undefined) return { class: 'ok', resultRef: earlier.ref, usage: NOTHING_USED }
  const state = readItemState(review, item)
  // Somebody else used up its tries meanwhile; whoever asked takes it off the frontier.
  if (state.status !== 'open') return { class: 'cancelled', message: state.reason ?? '' }
  const prompt = writePrompt(review, state.item)
  if (prompt.kind === 'changed') {
    failChanged(review, item, { ...assignment, path: prompt.path })
    return { class: 'cancelled', message: `${prompt.path} changed` }
  }
  const outcome = await launch(launcher, { item, assignment, prompt }, signal)
  review.note({ kind: 'ended', item: item.id, pool: assignment.poolId, class: outcome.class })
  return takeIn(launcher, { item, assignment }, outcome)
}

const NOTHING_USED = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 }

interface Job {
  readonly item: WorkItem
  readonly assignment: NodeAssignment
}

async function launch(
  launcher: Launcher,
  { item, assignment, prompt }: Job & { prompt: { path: string; text: string } },
  signal: AbortSignal,
): Promise<LaunchOutcome> {
  const { review, context, timeoutMs } = launcher
  const { poolId, epoch, providerName, estimate } = assignment
  const source = launcher.findSource(poolId)
  const provider = findProvider(providerName)
  if (source === undefined || provider === undefined) {
    throw new TypeError(`pool ${poolId} has no ${source === undefined ? 'source' : 'provider'}`)
  }
  const attempts = readItemState(review, item).attempts.length
  const base = join(review.files.workers, `${nameItemFile(item.id)}.${epoch}.${attempts + 1}`)
  makeDirectory(review.files.workers)
  review.note({ kind: 'started', item: item.id, pool: poolId, epoch })
  const request = {
    prompt: prompt.text,
    promptPath: prompt.path,
    resultPath: `${base}.result.json`,
    stdoutPath: `${base}.stdout.log`,
    stderrPath: `${base}.stderr.log`,
    repoRoot: review.root,
    maxOutputTokens: estimate.maxOutputTokens,
    timeoutMs,
    signal,
  }
  return provider.launch(source, request, context)
}

/** A text and an end are two facts: a valid answer before a limit is kept, and the pool feels the limit all the same. */
function takeIn(launcher: Launcher, job: Job, outcome: LaunchOutcome): WorkOutcome {
  const { item, assignment } = job
  const ended = describeEnd(outcome)
  if (outcome.class === 'cancelled' && outcome.text === null) return ended
  if (outcome.text === null) return recordAttempt(launcher, job, outcome)
  const submission: Submission = {
    item,
    epoch: assignment.epoch,
    ownerToken: assignment.ownerToken,
    poolId: assignment.poolId,
    bytes: Buffer.from(outcome.text),
    modelAsked: assignment.hostModel,
    modelAnswered: outcome.answeredModel,
    usage: outcome.usage,
    isLaunched: true,
  }
  const endedWell = outcome.class === 'ok' || outcome.class === 'bad_output'
  if (!endedWell && checkSubmission(item, submission.bytes).kind !== 'answered') {
    return recordAttempt(launcher, job, outcome)
  }
  const receipt = acceptSubmission(launcher.review, submission)
  if (receipt.kind !== 'bad_output' && !endedWell) launcher.observePool(assignment.poolId, ended)
  return describeReceipt(receipt, ended)
}

function describeReceipt(receipt: Receipt, ended: WorkOutcome): WorkOutcome {
  switch (receipt.kind) {
    case 'accepted':
    case 'duplicate':
      return { ...ended, class: 'ok', resultRef: receipt.resultRef }
    case 'stale':
      return { class: 'cancelled', message: receipt.reason }
    case 'bad_output':
      return { ...ended, class: 'bad_output', message: receipt.problem }
  }
}

function describeEnd(outcome: LaunchOutcome): WorkOutcome {
  const { usage, until, scope, message, headers } = outcome
  return { class: outcome.class, usage, until, scope, message, headers }
}

function recordAttempt({ review }: Launcher, job: Job, outcome: LaunchOutcome): WorkOutcome {
  const { item, assignment } = job
  const { epoch } = assignment
  const reply =
    outcome.text === null
      ? null
      : keepReply(review.files, { itemId: item.id, epoch, bytes: Buffer.from(outcome.text) })
  if (RECORDED.has(outcome.class)) {
    addAttempt(review.files, {
      ...describeJob(job, outcome),
      outcome: outcome.class,
      message: outcome.message,
      charged: CHARGED.has(outcome.class),
      final: false,
      split: false,
      reply: reply?.name ?? null,
      reply_hash: null,
      evidence: outcome.evidence === null ? null : { ...outcome.evidence },
    })
  }
  return describeEnd(outcome)
}

/** What the record of an attempt without an answer says of the job. */
function describeJob(
  { item, assignment: { epoch, poolId, hostModel } }: Job,
  outcome?: LaunchOutcome,
): ReturnType<typeof describeSubmission> & { drafts: []; tickets: [] } {
  const described = describeSubmission({
    item,
    epoch,
    poolId,
    modelAsked: hostModel,
    modelAnswered: outcome?.answeredModel ?? null,
    usage: outcome?.usage ?? null,
  })
  return { ...described, drafts: [], tickets: [] }
}
