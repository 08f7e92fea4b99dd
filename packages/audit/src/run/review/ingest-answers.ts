import { z } from 'zod'

import { parseReply, type WorkItem } from '../../review/index.ts'
import { acceptSubmission, checkSubmission, type Receipt } from './accept-submission.ts'
import type { ReviewState } from './fold-review.ts'
import { readReviewState, type Review } from './open-review.ts'
import { keepRejected, keepReply } from './record-store.ts'

const NamedSchema = z.looseObject({
  task_id: z.string().optional(),
  packet_id: z.string().optional(),
})

/** What became of the answers of one file: elements = taken + known + refused. */
export interface Ingestion {
  readonly elements: number
  readonly taken: readonly { readonly itemId: string; readonly receipt: Receipt }[]
  /** Elements for work that is answered already. */
  readonly known: number
  readonly refused: readonly { readonly what: string; readonly reason: string }[]
}

/** Pool that answers without a claim are booked on. */
const INGEST_POOL = 'ingest'

/**
 * Takes in a file of answers that nobody claimed for: `AuditResult[]` keyed by task, or packet results that name their
 * packet. Each answer is claimed first, so what somebody works on is left to them. An answer that covers nothing is set
 * aside and costs its packet no attempt. Without `apply` it only says what would happen.
 */
export function ingestAnswers(review: Review, bytes: Uint8Array, apply = true): Ingestion {
  if (apply) keepReply(review.files, { itemId: INGEST_POOL, epoch: 1, bytes })
  const reply = parseReply(new TextDecoder().decode(bytes))
  if (reply.kind === 'empty') return refuseAll('the file is empty')
  if (reply.kind === 'unparsable') {
    const { byteOffset, problem } = reply
    return refuseAll(
      `it is not JSON: ${problem} at byte ${byteOffset}. Mend it there and try again`,
    )
  }
  const elements = reply.values.flatMap((value): unknown[] =>
    Array.isArray(value) ? value : [value],
  )
  const state = readReviewState(review)
  const { byItem, known, refused } = sortElements(state, elements)
  const taken: { itemId: string; receipt: Receipt }[] = []
  for (const [item, own] of byItem) {
    const answer = Buffer.from(JSON.stringify(own))
    const problem = apply ? claimAndAccept(review, { item, answer, taken }) : check(item, answer)
    if (problem === undefined) continue
    refused.push({ what: item.id, reason: problem })
    if (apply) keepRejected(review.files, { item: item.id, reason: problem, answer: own })
  }
  return { elements: elements.length, taken, known, refused }
}

function check(item: WorkItem, answer: Uint8Array): string | undefined {
  const judgement = checkSubmission(item, answer)
  return judgement.kind === 'answered' ? undefined : `${judgement.problem}. ${judgement.repair}`
}

function claimAndAccept(
  review: Review,
  job: { item: WorkItem; answer: Uint8Array; taken: { itemId: string; receipt: Receipt }[] },
): string | undefined {
  const { item, answer, taken } = job
  const problem = check(item, answer)
  if (problem !== undefined) return problem
  const claim = review.claims.claim(item.id, INGEST_POOL)
  if (!claim.acquired) {
    return 'heldBy' in claim ? `${claim.heldBy} works on it` : 'it is answered already'
  }
  const { epoch, ownerToken } = claim
  const submission = { item, epoch, ownerToken, poolId: INGEST_POOL, bytes: answer }
  taken.push({ itemId: item.id, receipt: acceptSubmission(review, submission) })
  return undefined
}

function refuseAll(reason: string): Ingestion {
  return { elements: 0, taken: [], known: 0, refused: [{ what: 'file', reason }] }
}

/** Which open item each element answers; the claim would say it, and here only the element itself can. */
function sortElements(
  state: ReviewState,
  elements: readonly unknown[],
): {
  byItem: Map<WorkItem, unknown[]>
  known: number
  refused: { what: string; reason: string }[]
} {
  const byItem = new Map<WorkItem, unknown[]>()
  const refused: { what: string; reason: string }[] = []
  let known = 0
  for (const [index, element] of elements.entries()) {
    const named = NamedSchema.safeParse(element)
    const name = named.data?.task_id ?? named.data?.packet_id
    const items = name === undefined ? [] : findItems(state, name)
    if (items.length === 0) {
      const reason =
        name === undefined ? 'it names no task and no packet' : `${name} is not planned`
      refused.push({ what: `element ${index}`, reason })
      continue
    }
    const open = items.find((item) => state.get(item.id)?.status === 'open')
    if (open === undefined) known += 1
    else byItem.set(open, [...(byItem.get(open) ?? []), element])
  }
  return { byItem, known, refused }
}

function findItems(state: ReviewState, name: string): WorkItem[] {
  return [...state.values()]
    .map(({ item }) => item)
    .filter(
      ({ id, packet }) =>
        id === name ||
        packet.packet_id === name ||
        packet.tasks.some(({ task_id: taskId }) => taskId === name),
    )
}
