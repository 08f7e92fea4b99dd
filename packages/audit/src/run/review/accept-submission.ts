import type { LaunchOutcome } from '@audit-tools/shared/providers'

import {
  describeScope,
  judgeReply,
  MAX_ATTEMPTS,
  renderTicket,
  type RepairTicket,
  type ReplyJudgement,
  type WorkItem,
} from '../../review/index.ts'
import { cacheResult } from './result-cache.ts'
import type { Review } from './open-review.ts'
import {
  addAttempt,
  keepRejected,
  type KeptReply,
  keepReply,
  nameResult,
  readResult,
  writeResult,
} from './record-store.ts'
import type { AttemptRecord, ResultRecord } from './records.ts'

/** An answer that somebody hands in under a claim. */
export interface Submission {
  readonly item: WorkItem
  readonly epoch: number
  /** Proves that the claim is the submitter's. */
  readonly ownerToken: string
  readonly poolId: string
  /** The answer as it came. */
  readonly bytes: Uint8Array
  readonly modelAsked?: string | null
  readonly modelAnswered?: string | null
  readonly usage?: LaunchOutcome['usage']
  /** Whether it comes from a launch of our own, so that equal bytes are still another answer and another try. */
  readonly isLaunched?: boolean
}

/** What became of a submission. */
export type Receipt =
  | {
      readonly kind: 'accepted' | 'duplicate'
      readonly resultRef: string
      readonly covered: readonly string[]
      readonly uncovered: readonly string[]
      readonly tickets: readonly RepairTicket[]
    }
  /** Somebody else has the item, or another answer was taken before; the answer is kept as evidence. */
  | { readonly kind: 'stale'; readonly keptAt: string; readonly reason: string }
  | {
      readonly kind: 'bad_output'
      readonly problem: string
      readonly repair: string
      readonly byteOffset: number | null
      readonly attemptsLeft: number
    }

/**
 * The only way in for answers, whoever wrote them: keeps the bytes, checks each element, persists what holds, and
 * completes the claim by its epoch. The same submission again changes nothing and gets the same kind of answer.
 */
export function acceptSubmission(review: Review, submission: Submission): Receipt {
  const { item, epoch, bytes } = submission
  const reply = keepReply(review.files, { itemId: item.id, epoch, bytes })
  const taken = readResult(review.files, nameResult(item.id, epoch))
  if (taken !== null) return answerTaken(review, submission, { reply, taken })
  if (!review.claims.isCurrentGrant(item.id, submission.ownerToken)) {
    return refuse(review, submission, reply, 'the claim is not the submitter’s any more')
  }
  const text = new TextDecoder().decode(bytes)
  const judgement = judgeReply(text, describeScope(item), submission.poolId)
  return judgement.kind === 'answered'
    ? complete(review, submission, makeResult(submission, reply, judgement.result))
    : chargeAttempt(review, submission, { reply, judgement })
}

/** Checks an answer and changes nothing. */
export function checkSubmission(item: WorkItem, bytes: Uint8Array): ReplyJudgement {
  return judgeReply(new TextDecoder().decode(bytes), describeScope(item), 'check')
}

/** Under this claim an answer stands already: the same one again, or another that came too late. */
function answerTaken(
  review: Review,
  submission: Submission,
  { reply, taken }: { reply: KeptReply; taken: ResultRecord },
): Receipt {
  const receipt = complete(review, submission, taken)
  if (taken.reply_hash === reply.hash) return receipt
  return refuse(review, submission, reply, 'another answer under this claim was accepted before')
}

function complete(review: Review, submission: Submission, result: ResultRecord): Receipt {
  const { item, epoch } = submission
  const record = writeResult(review.files, result)
  const resultRef = nameResult(item.id, epoch)
  const answer = review.claims.complete(item.id, epoch, resultRef)
  review.note({ kind: 'submission', item: item.id, epoch, pool: record.pool_id, answer })
  if (answer === 'stale') {
    const reply = { name: record.reply ?? '', hash: record.reply_hash }
    return refuse(review, submission, reply, 'a later claim holds the item, or has answered it')
  }
  cacheResult(review, item, record)
  const { covered, uncovered, tickets } = record
  return { kind: answer, resultRef, covered, uncovered, tickets }
}

function refuse(
  review: Review,
  { item, epoch, poolId }: Submission,
  reply: KeptReply,
  reason: string,
): Receipt {
  const evidence = { item: item.id, epoch, pool: poolId, reply: reply.name, reason }
  const keptAt = keepRejected(review.files, evidence)
  review.note({ kind: 'refused', ...evidence })
  return { kind: 'stale', keptAt, reason }
}

function chargeAttempt(
  review: Review,
  submission: Submission,
  {
    reply,
    judgement,
  }: { reply: KeptReply; judgement: Extract<ReplyJudgement, { kind: 'bad_output' }> },
): Receipt {
  const { problem, repair, byteOffset, result } = judgement
  const record: AttemptRecord = {
    ...describeSubmission(submission),
    drafts: [...(result?.drafts ?? [])],
    tickets: [...(result?.tickets ?? [])],
    outcome: 'bad_output',
    message: [problem, ...(result?.tickets ?? []).map(renderTicket)].join('; '),
    charged: true,
    final: false,
    split: false,
    reply: reply.name,
    reply_hash: submission.isLaunched === true ? null : reply.hash,
    evidence: null,
  }
  const attempts = addAttempt(review.files, record)
  review.note({ kind: 'bad_output', item: submission.item.id, problem })
  return { kind: 'bad_output', problem, repair, byteOffset, attemptsLeft: countLeft(attempts) }
}

/** Tries that an item still has. */
export function countLeft(attempts: readonly AttemptRecord[]): number {
  if (attempts.some(({ final }) => final)) return 0
  return Math.max(0, MAX_ATTEMPTS - attempts.filter(({ charged }) => charged).length)
}

function makeResult(
  submission: Submission,
  reply: KeptReply,
  result: Extract<ReplyJudgement, { kind: 'answered' }>['result'],
): ResultRecord {
  return {
    ...describeSubmission(submission),
    drafts: [...result.drafts],
    tickets: [...result.tickets],
    reply: reply.name,
    reply_hash: reply.hash,
    covered: [...result.covered],
    uncovered: [...result.uncovered],
    truncated: result.truncated,
    received: result.received,
  }
}

/** What results and attempts have in common. */
export function describeSubmission({
  item,
  epoch,
  poolId,
  modelAsked,
  modelAnswered,
  usage,
}: Omit<Submission, 'bytes' | 'ownerToken'>): Pick<
  ResultRecord,
  'packet_id' | 'epoch' | 'pool_id' | 'model_asked' | 'model_answered' | 'usage'
> {
  return {
    packet_id: item.id,
    epoch,
    pool_id: poolId,
    model_asked: modelAsked ?? null,
    model_answered: modelAnswered ?? null,
    usage:
      usage === null || usage === undefined
        ? null
        : {
            input_tokens: usage.inputTokens,
            output_tokens: usage.outputTokens,
            cached_input_tokens: usage.cachedInputTokens,
            cost_usd: usage.costUsd,
          },
  }
}
