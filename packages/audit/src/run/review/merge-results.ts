import { join } from 'node:path'

import { listDirectory, readFileBytes } from '@audit-tools/shared/store'

import { acceptSubmission, type Receipt } from './accept-submission.ts'
import { readReviewState, type Review } from './open-review.ts'
import { keepRejected } from './record-store.ts'
import { nameItemFile } from './review-files.ts'

/** What lay in `task-results/`: files = taken + settled before + left to others + set aside. */
export interface Merge {
  readonly files: number
  readonly taken: readonly { readonly itemId: string; readonly receipt: Receipt }[]
  /** Files of work that is answered already. */
  readonly settled: number
  /** Files of work that another session holds. */
  readonly held: readonly string[]
  readonly setAside: readonly { readonly file: string; readonly reason: string }[]
}

/**
 * Takes in every answer file of the host. Which packet a file answers is said by the claim that named its path, never by
 * what stands in it.
 */
export function mergeResults(review: Review): Merge {
  const listing = listDirectory(review.files.taskResults)
  const names = listing.kind === 'ok' ? listing.entries.map(({ name }) => name).toSorted() : []
  const state = readReviewState(review)
  const byName = new Map([...state.keys()].map((id) => [nameItemFile(id), id]))
  const taken: { itemId: string; receipt: Receipt }[] = []
  const held: string[] = []
  const setAside: { file: string; reason: string }[] = []
  let settled = 0
  for (const name of names) {
    const itemId = byName.get(/^(.+)\.\d+\.json$/.exec(name)?.[1] ?? '')
    const known = itemId === undefined ? undefined : state.get(itemId)
    const reading = readFileBytes(join(review.files.taskResults, name))
    if (known === undefined || reading.kind !== 'ok') {
      const reason =
        known === undefined ? 'no grant names this file' : `it cannot be read: ${reading.kind}`
      const text = reading.kind === 'ok' ? Buffer.from(reading.bytes).toString('utf8') : null
      keepRejected(review.files, { item: name, reason, text })
      setAside.push({ file: name, reason })
      continue
    }
    if (known.status !== 'open') {
      settled += 1
      continue
    }
    const { item } = known
    const claim = review.claims.claim(item.id, 'host')
    if (!claim.acquired) {
      if ('done' in claim) settled += 1
      else held.push(name)
      continue
    }
    const { epoch, ownerToken } = claim
    const submission = { item, epoch, ownerToken, poolId: 'host', bytes: reading.bytes }
    taken.push({ itemId: item.id, receipt: acceptSubmission(review, submission) })
  }
  return { files: names.length, taken, settled, held, setAside }
}
