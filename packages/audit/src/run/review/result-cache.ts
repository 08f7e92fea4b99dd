import { join } from 'node:path'

import { hashParts } from '@audit-tools/shared/core'
import { linkExclusive, makeDirectory, readJsonFile } from '@audit-tools/shared/store'
import { formatStableJson } from '@audit-tools/shared/core'

import { PROMPT_VERSION, type ReviewPacket, type WorkItem } from '../../review/index.ts'
import type { Review } from './open-review.ts'
import { nameResult, writeResult } from './record-store.ts'
import { type ResultRecord, ResultRecordSchema } from './records.ts'

/** Owner of what is taken from the cache; nobody pays for it. */
const CACHE_POOL = 'cache'

/**
 * Keeps a complete answer beyond its run, by the content that it is about: a later run whose packet shows the same does
 * not pay again. An answer that left something open is its own run's affair.
 */
export function cacheResult(review: Review, item: WorkItem, record: ResultRecord): void {
  if (item.parentId !== null || record.uncovered.length > 0) return
  const path = locateEntry(review, item.packet)
  makeDirectory(join(path, '..'))
  linkExclusive(path, formatStableJson(record))
}

/** Completes every packet that an earlier run answered; returns how many. */
export function adoptCachedResults(review: Review): number {
  let adopted = 0
  for (const packet of review.plan.packets) {
    const reading = readJsonFile(locateEntry(review, packet), ResultRecordSchema)
    // A cache: whatever is wrong with an entry, the packet is reviewed.
    if (reading.kind !== 'ok') continue
    const claim = review.claims.claim(packet.packet_id, CACHE_POOL)
    if (!claim.acquired) continue
    const { epoch } = claim
    const known = { ...reading.value, packet_id: packet.packet_id, epoch, usage: null, reply: null }
    writeResult(review.files, known)
    review.claims.complete(packet.packet_id, epoch, nameResult(packet.packet_id, epoch))
    adopted += 1
  }
  return adopted
}

function locateEntry({ files }: Review, packet: ReviewPacket): string {
  const content = packet.files.map(({ path, hash, ranges }) => JSON.stringify([path, hash, ranges]))
  const key = hashParts([PROMPT_VERSION, packet.rank, ...packet.lenses, '', ...content])
  return join(files.directory, '..', '..', 'cache', 'reviews', `${key.slice(0, 32)}.json`)
}
