import { join } from 'node:path'
import { z } from 'zod'
import { AuditToolsError, hashContent, readErrorMessage } from '../core/index.ts'
import {
  describeOwner,
  inspectPath,
  linkExclusive,
  listDirectory,
  probeOwner,
  readFileBytes,
  writeFileAtomic,
} from '../store/index.ts'
import type { ClaimStore, HighestSlot, LeaseReading, ListedClaim } from './claim-store.ts'
import { findHighestSlot } from './find-highest-slot.ts'
import { sealLine, unsealLine } from './sealed-line.ts'
import { decodeSlot, encodeSlot, keyClaim, type SlotPlace } from './slot-record.ts'

const shardPattern = /^[0-9a-f]{2}$/
const slotFilePattern = /^(?<rest>[0-9a-f]{30})\.(?<slot>[1-9]\d*)$/

const LeaseSchema = z.object({ until: z.number().describe('Epoch milliseconds') })

/**
 * Claims in a directory: `<first 2 of key>/<other 30>.<slot>` is one record, spread so that no directory grows large;
 * `leases/<owner key>` is how long an owner's lease runs; `damaged/` has copies of records that could not be read as such.
 */
export function createFileClaimStore(path: string): ClaimStore {
  return {
    readHighest: (id) => readHighest(path, keyClaim(id)),
    appendExclusive: (id, slot, record) =>
      linkExclusive(locateSlot(path, { key: keyClaim(id), slot }), encodeSlot(slot, record)),
    list: () => listClaims(path),
    readLease: (ownerKey) => readLease(path, ownerKey),
    writeLease: (ownerKey, untilAt) =>
      writeFileAtomic(locateLease(path, ownerKey), sealLine({ until: untilAt })),
    describeOwner,
    probeOwner,
  }
}

function locateSlot(path: string, { key, slot }: SlotPlace): string {
  return `${path}/${key.slice(0, 2)}/${key.slice(2)}.${slot}`
}

function locateLease(path: string, ownerKey: string): string {
  return join(path, 'leases', ownerKey)
}

function readHighest(path: string, key: string): HighestSlot {
  const slot = findHighestSlot((candidate) => isPresent(locateSlot(path, { key, slot: candidate })))
  if (slot === 0) return { kind: 'absent', slot }
  const { bytes, highest } = readSlot(path, { key, slot })
  if (highest.kind === 'damaged') keepCopy(path, { key, slot }, bytes)
  return highest
}

function isPresent(path: string): boolean {
  const facts = inspectPath(path)
  if (facts.kind === 'unreadable') throw describeUnreadable(path, facts.cause)
  return facts.kind !== 'missing'
}

function readSlot(path: string, place: SlotPlace): { bytes: Uint8Array; highest: HighestSlot } {
  const bytes = readExistingFile(locateSlot(path, place))
  const record = decodeSlot(bytes, place)
  const { slot } = place
  return { bytes, highest: record ? { kind: 'record', slot, record } : { kind: 'damaged', slot } }
}

/** The record itself stays where it is: removing it would make the id look free. */
function keepCopy(path: string, { key, slot }: SlotPlace, bytes: Uint8Array): void {
  const copy = join(path, 'damaged', `${key}.${slot}.${hashContent(bytes).slice(0, 16)}`)
  if (!isPresent(copy)) writeFileAtomic(copy, bytes)
}

function listClaims(path: string): ListedClaim[] {
  const shards = listNames(path).filter((name) => shardPattern.test(name))
  return shards.flatMap((shard) => listShard(path, shard))
}

function listShard(path: string, shard: string): ListedClaim[] {
  const highestSlots = new Map<string, number>()
  for (const name of listNames(join(path, shard))) {
    const groups = slotFilePattern.exec(name)?.groups
    if (groups === undefined) continue
    const key = `${shard}${groups['rest']}`
    highestSlots.set(key, Math.max(highestSlots.get(key) ?? 0, Number(groups['slot'])))
  }
  return Array.from(highestSlots, ([key, slot]) => {
    const { highest } = readSlot(path, { key, slot })
    return { id: findId(path, key, highest), key, highest }
  })
}

/** The id that a key stands for, from the highest record of it that is whole. */
function findId(path: string, key: string, highest: HighestSlot): string | undefined {
  if (highest.kind === 'record') return highest.record.id
  for (let slot = highest.slot - 1; slot > 0; slot -= 1) {
    const below = readSlot(path, { key, slot }).highest
    if (below.kind === 'record') return below.record.id
  }
  return undefined
}

function listNames(path: string): string[] {
  const listing = listDirectory(path)
  if (listing.kind === 'unreadable') throw describeUnreadable(path, listing.cause)
  return listing.kind === 'missing' ? [] : listing.entries.map((entry) => entry.name)
}

function readLease(path: string, ownerKey: string): LeaseReading {
  const leasePath = locateLease(path, ownerKey)
  const reading = readFileBytes(leasePath)
  if (reading.kind === 'missing') return reading
  if (reading.kind === 'unreadable') throw describeUnreadable(leasePath, reading.cause)
  const lease = LeaseSchema.safeParse(unsealLine(reading.bytes))
  return lease.success ? { kind: 'ok', untilAt: lease.data.until } : { kind: 'damaged' }
}

function readExistingFile(path: string): Uint8Array {
  const reading = readFileBytes(path)
  if (reading.kind === 'ok') return reading.bytes
  throw describeUnreadable(path, reading.kind === 'unreadable' ? reading.cause : 'it vanished')
}

function describeUnreadable(path: string, cause: unknown): AuditToolsError {
  return new AuditToolsError(
    'store-unreadable',
    `cannot read ${path} (${readErrorMessage(cause)}), so nothing is granted; ` +
      'change its permissions or check the disk, then run again',
    { details: { path }, cause },
  )
}
