import {
  makeHalves,
  makeRemainder,
  makeWorkItem,
  MAX_ATTEMPTS,
  type ReviewPacket,
  type WorkItem,
} from '../../review/index.ts'
import type { AttemptRecord, ResultRecord } from './records.ts'

/** What is known of a work item. `split`: its halves stand in its place. */
export interface ItemState {
  readonly item: WorkItem
  readonly status: 'done' | 'failed' | 'split' | 'open'
  /** The accepted answer of a done item. */
  readonly result: ResultRecord | null
  readonly attempts: readonly AttemptRecord[]
  /** Why it failed. */
  readonly reason: string | null
}

/** What the files of a run say. A done item without a record is one whose accepted answer was lost. */
export interface ReviewFacts {
  readonly packets: readonly ReviewPacket[]
  readonly done: ReadonlyMap<string, ResultRecord | null>
  readonly attempts: ReadonlyMap<string, readonly AttemptRecord[]>
}

/** Where the review stands: every packet and what answers left of it, by id, each packet followed by its remainders. */
export type ReviewState = ReadonlyMap<string, ItemState>

/** Pure: the state of a review is what its plan, its accepted answers and its failed attempts say. */
export function foldReview(facts: ReviewFacts): ReviewState {
  const state = new Map<string, ItemState>()
  for (const packet of facts.packets) foldItem(facts, makeWorkItem(packet), state)
  return state
}

function foldItem(facts: ReviewFacts, item: WorkItem, state: Map<string, ItemState>): void {
  const judged = judgeItem(facts, item)
  state.set(item.id, judged)
  for (const child of listChildren(judged)) foldItem(facts, child, state)
}

/** What an item left to others. */
export function listChildren({ item, status, result }: ItemState): WorkItem[] {
  if (status === 'split') return makeHalves(item)
  if (result === null) return []
  const remainder = makeRemainder(item, result)
  return remainder === undefined ? [] : [remainder]
}

export function judgeItem(
  { done, attempts }: Omit<ReviewFacts, 'packets'>,
  item: WorkItem,
): ItemState {
  const tried = attempts.get(item.id) ?? []
  const result = done.get(item.id)
  const base = { item, attempts: tried, result: result ?? null, reason: null }
  if (result === null) {
    return { ...base, status: 'failed', reason: 'its accepted answer is gone from results/' }
  }
  if (result !== undefined) return { ...base, status: 'done' }
  if (tried.some(({ split }) => split)) return { ...base, status: 'split' }
  const last = tried.at(-1)
  if (last !== undefined && hasFailed(tried)) {
    return { ...base, status: 'failed', reason: `${last.outcome}: ${last.message}` }
  }
  const repairs = [...item.repairs, ...tried.flatMap(describeRepair)]
  return { ...base, item: { ...item, repairs: [...new Set(repairs)] }, status: 'open' }
}

function hasFailed(attempts: readonly AttemptRecord[]): boolean {
  return (
    attempts.some(({ final }) => final) ||
    attempts.filter(({ charged }) => charged).length >= MAX_ATTEMPTS
  )
}

/** Only what an answer got wrong helps the next reviewer; that a connection broke does not. */
function describeRepair({ outcome, message }: AttemptRecord): string[] {
  return outcome === 'bad_output' ? [message] : []
}
