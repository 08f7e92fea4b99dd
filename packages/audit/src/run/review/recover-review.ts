import { foldReview } from './fold-review.ts'
import type { Review } from './open-review.ts'
import { keepRejected, listResults, readAllAttempts } from './record-store.ts'
import type { ResultRecord } from './records.ts'

/**
 * Takes in what an ended process left: answers on disk whose claim was never completed are completed, and only then are
 * the claims of dead processes freed. Returns the ids that were completed.
 */
export function recoverReview(review: Review): string[] {
  const { claims, files } = review
  const accepted = new Map(claims.listCompleted().map(({ id, resultRef }) => [id, resultRef]))
  const done = new Map<string, ResultRecord | null>()
  const completed: string[] = []
  const results = listResults(files)
  for (const { ref, record } of results)
    if (accepted.get(record.packet_id) === ref) done.set(record.packet_id, record)
  for (const { ref, record } of results) {
    const { packet_id: id, epoch } = record
    if (accepted.has(id)) continue
    if (!isKnown(review, done, id)) continue
    claims.raiseFloor(id, epoch)
    if (claims.complete(id, epoch, ref) === 'stale') continue
    accepted.set(id, ref)
    done.set(id, record)
    completed.push(id)
  }
  for (const { ref, record } of results) {
    if (accepted.get(record.packet_id) === ref || !accepted.has(record.packet_id)) continue
    const reason = 'another answer was accepted'
    keepRejected(files, { item: record.packet_id, epoch: record.epoch, result: ref, reason })
  }
  claims.reclaimStale()
  for (const id of completed) review.note({ kind: 'recovered', item: id })
  return completed
}

/** A result for an id that no plan and no remainder explains claims work that nobody gave out. */
function isKnown(
  { plan, files }: Review,
  done: ReadonlyMap<string, ResultRecord | null>,
  id: string,
): boolean {
  if (plan.packets.some(({ packet_id: packetId }) => packetId === id)) return true
  return foldReview({ packets: plan.packets, done, attempts: readAllAttempts(files) }).has(id)
}
