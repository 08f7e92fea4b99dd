import { z } from 'zod'
import { hashContent, systemRandom } from '../core/index.ts'
import { linkExclusive, writeFileAtomic } from './atomic-file.ts'
import { removeFile } from './change-files.ts'
import { describeReadFailure } from './failures.ts'
import {
  describeOwner,
  type OwnerIdentity,
  OwnerSchema,
  parseOwner,
  probeOwner,
  renderOwner,
} from './owner.ts'
import { readFileBytes } from './read-file.ts'

/*
 * The record beside a lock says who holds it. It appears as a whole by an exclusive link, so there is no moment in which
 * a lock is held and nobody can tell by whom. A record is replaced only when its owner is proved dead or names nobody,
 * and only by the holder of a permit: one more record, linked under a name made from the abandoned record's content. A
 * slow contender that still believes in an abandoned record can win a permit, but then sees that the record has changed.
 */

const LockRecordSchema = z.strictObject({
  version: z.literal(1),
  token: z.string().describe('Makes every record different'),
  owner: OwnerSchema,
})

export type TakeResult =
  /** `inherited`: the former holder died, so whatever else it left at the lock is ours to remove. */
  | { readonly kind: 'taken'; readonly inherited: boolean }
  | { readonly kind: 'busy'; readonly holder: OwnerIdentity | undefined }

/** A record for one holding of a lock by this process. */
export function renderLockRecord(): Buffer {
  const token = systemRandom.hex(32)
  const owner = renderOwner(describeOwner('file-lock'))
  return Buffer.from(`${JSON.stringify({ version: 1, token, owner })}\n`)
}

export function locateLockRecord(lockPath: string): string {
  return `${lockPath}.owner`
}

/** Tries once to become the holder of `lockPath`. */
export function takeLockRecord(lockPath: string, record: Buffer): TakeResult {
  return takeRecord(locateLockRecord(lockPath), record, lockPath)
}

/** Whether `record` still is what stands at the lock. */
export function holdsLockRecord(lockPath: string, record: Buffer): boolean {
  return readRecord(locateLockRecord(lockPath))?.equals(record) ?? false
}

function takeRecord(path: string, record: Buffer, lockPath: string): TakeResult {
  if (linkExclusive(path, record) === 'created') return { kind: 'taken', inherited: false }
  const current = readRecord(path)
  if (current === undefined) return { kind: 'busy', holder: undefined }
  const holder = parseLockRecord(current)
  if (holder !== undefined && probeOwner(holder) !== 'dead') return { kind: 'busy', holder }
  return replaceAbandoned(path, current, { record, lockPath })
    ? { kind: 'taken', inherited: true }
    : { kind: 'busy', holder: undefined }
}

function replaceAbandoned(
  path: string,
  abandoned: Buffer,
  { record, lockPath }: { record: Buffer; lockPath: string },
): boolean {
  const permitPath = `${lockPath}.takeover-${hashContent(abandoned).slice(0, 32)}`
  if (takeRecord(permitPath, record, lockPath).kind === 'busy') return false
  const unchanged = readRecord(path)?.equals(abandoned) ?? false
  if (unchanged) writeFileAtomic(path, record)
  removeFile(permitPath)
  return unchanged
}

function readRecord(path: string): Buffer | undefined {
  const reading = readFileBytes(path)
  if (reading.kind === 'unreadable') throw describeReadFailure(path, reading.cause)
  return reading.kind === 'ok' ? reading.bytes : undefined
}

function parseLockRecord(bytes: Buffer): OwnerIdentity | undefined {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const parsed = LockRecordSchema.safeParse(value)
  return parsed.success ? parseOwner(parsed.data.owner) : undefined
}
