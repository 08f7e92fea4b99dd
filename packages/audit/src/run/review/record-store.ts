import { join } from 'node:path'

import { AuditToolsError, formatStableJson, groupBy, hashContent } from '@audit-tools/shared/core'
import {
  linkExclusive,
  listDirectory,
  makeDirectory,
  readFileBytes,
  readOptionalJsonFile,
} from '@audit-tools/shared/store'

import {
  type AttemptRecord,
  AttemptRecordSchema,
  type ResultRecord,
  ResultRecordSchema,
} from './records.ts'
import { nameItemFile, type ReviewFiles } from './review-files.ts'

/** A reference to an accepted answer, relative to the run's folder; what `ClaimRegistry.complete` is told. */
export function nameResult(itemId: string, epoch: number): string {
  return `results/${nameItemFile(itemId)}.${epoch}.json`
}

/** Null when the file is gone. Throws `store-corrupt` and `store-unreadable`. */
export function readResult(files: ReviewFiles, resultRef: string): ResultRecord | null {
  return readOptionalJsonFile(join(files.directory, resultRef), ResultRecordSchema) ?? null
}

/**
 * Persists an answer under its claim, once: the record that stands under the name afterwards, which is an earlier one
 * when the claim was answered before.
 */
export function writeResult(files: ReviewFiles, record: ResultRecord): ResultRecord {
  const ref = nameResult(record.packet_id, record.epoch)
  makeDirectory(files.results)
  linkExclusive(join(files.directory, ref), formatStableJson(record), { durable: true })
  return readResult(files, ref) ?? record
}

/** Answers on disk, whether accepted or not, with their references. */
export function listResults(files: ReviewFiles): { ref: string; record: ResultRecord }[] {
  return listNames(files.results).flatMap((name) => {
    const ref = `results/${name}`
    const record = readResult(files, ref)
    return record === null ? [] : [{ ref, record }]
  })
}

/** The answer that an earlier grant of the item left on disk without being accepted, newest first. */
export function findEarlierResult(
  files: ReviewFiles,
  itemId: string,
  epoch: number,
): { ref: string; record: ResultRecord } | undefined {
  for (let earlier = epoch; earlier > 0; earlier -= 1) {
    const ref = nameResult(itemId, earlier)
    const record = readResult(files, ref)
    if (record !== null) return { ref, record }
  }
  return undefined
}

/** Failed attempts of one item, oldest first. */
export function readAttempts(files: ReviewFiles, itemId: string): AttemptRecord[] {
  const attempts: AttemptRecord[] = []
  for (let number = 1; ; number += 1) {
    const record = readOptionalJsonFile(locateAttempt(files, itemId, number), AttemptRecordSchema)
    if (record === undefined) return attempts
    attempts.push(record)
  }
}

export function readAllAttempts(files: ReviewFiles): ReadonlyMap<string, readonly AttemptRecord[]> {
  const numbered = listNames(files.attempts).flatMap((name) => {
    const record = readOptionalJsonFile(join(files.attempts, name), AttemptRecordSchema)
    const number = Number(/\.(\d+)\.json$/.exec(name)?.[1])
    return record === undefined ? [] : [{ number, record }]
  })
  const ordered = numbered.toSorted((left, right) => left.number - right.number)
  return groupBy<AttemptRecord, string>(
    ordered.map(({ record }) => record),
    ({ packet_id: id }) => id,
  )
}

/** Adds a failed attempt; the same answer under the same claim is one attempt. Returns all attempts of the item. */
export function addAttempt(files: ReviewFiles, record: AttemptRecord): AttemptRecord[] {
  makeDirectory(files.attempts)
  for (;;) {
    const known = readAttempts(files, record.packet_id)
    if (record.reply_hash !== null && known.some((other) => isSameAnswer(other, record)))
      return known
    const path = locateAttempt(files, record.packet_id, known.length + 1)
    const answer = linkExclusive(path, formatStableJson(record), { durable: true })
    if (answer === 'created') return [...known, record]
  }
}

function isSameAnswer(left: AttemptRecord, right: AttemptRecord): boolean {
  return left.epoch === right.epoch && left.reply_hash === right.reply_hash
}

function locateAttempt(files: ReviewFiles, itemId: string, number: number): string {
  return join(files.attempts, `${nameItemFile(itemId)}.${number}.json`)
}

/** An answer as it came: the file that keeps it, and its hash. The same bytes under one claim are kept once. */
export interface KeptReply {
  /** Name in `replies/`. */
  readonly name: string
  readonly hash: string
}

/** Keeps an answer before anything else happens to it. */
export function keepReply(
  files: ReviewFiles,
  { itemId, epoch, bytes }: { itemId: string; epoch: number; bytes: Uint8Array },
): KeptReply {
  makeDirectory(files.replies)
  const hash = hashContent(bytes)
  for (let number = 1; ; number += 1) {
    const name = `${nameItemFile(itemId)}.${epoch}.${number}.txt`
    const path = join(files.replies, name)
    if (linkExclusive(path, bytes, { durable: true }) === 'created') return { name, hash }
    const reading = readFileBytes(path)
    if (reading.kind === 'ok' && hashContent(reading.bytes) === hash) return { name, hash }
  }
}

/** Keeps, with the reason, what counts for nothing. */
export function keepRejected(
  files: ReviewFiles,
  evidence: { readonly item: string; readonly reason: string; readonly [key: string]: unknown },
): string {
  makeDirectory(files.rejected)
  const text = formatStableJson(evidence)
  const name = `${nameItemFile(evidence.item)}.${hashContent(text).slice(0, 12)}.json`
  const path = join(files.rejected, name)
  linkExclusive(path, text, { durable: true })
  return path
}

function listNames(directory: string): string[] {
  const listing = listDirectory(directory)
  if (listing.kind === 'ok') {
    return listing.entries.map(({ name }) => name).filter((name) => name.endsWith('.json'))
  }
  if (listing.kind === 'missing') return []
  throw new AuditToolsError('store-unreadable', `${directory} cannot be listed: ${listing.kind}`)
}
