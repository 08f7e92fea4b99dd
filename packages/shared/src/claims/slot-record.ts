import { z } from 'zod'
import { AuditToolsError, hashContent, unreachable } from '../core/index.ts'
import { parseOwner, renderOwner } from '../store/index.ts'
import { type ClaimOwner, createProcessOwner, createSessionOwner } from './claim-owner.ts'
import { sealLine, unsealLine } from './sealed-line.ts'

/** The layout of records that this version reads and writes. */
const FORMAT = 1

interface RecordBase {
  readonly id: string
  /** Slot of the grant that the record is about; a new grant's epoch is its own slot. */
  readonly epoch: number
  /** Null where it is not known: the grant was lost to a power loss or its record is damaged. */
  readonly poolId: string | null
  readonly owner: ClaimOwner
}

export interface GrantedRecord extends RecordBase {
  readonly state: 'granted'
  /** Instant until which the owner's lease ran when the grant was made. */
  readonly leaseUntilAt: number
}

interface ReleasedRecord extends RecordBase {
  readonly state: 'released'
}

interface DoneRecord extends RecordBase {
  readonly state: 'done'
  readonly resultRef: string
}

/** One transition of one id. The record in an id's highest slot is its state. */
export type SlotRecord = GrantedRecord | ReleasedRecord | DoneRecord

/** Where a record stands: the key of its id and its slot. */
export interface SlotPlace {
  readonly key: string
  readonly slot: number
}

/** The name under which an id is stored. Any text is an id, also one that is no valid Unicode. */
export function keyClaim(id: string): string {
  return hashContent(JSON.stringify(id)).slice(0, 32)
}

const OwnerOnDiskSchema = z.union([
  z.strictObject({ process: z.unknown().describe('A process that owns something') }),
  z.strictObject({ host_session: z.string().describe('SHA-256 of the host session id') }),
])

const commonFields = {
  format: z.literal(FORMAT).describe('Layout of the record'),
  slot: z.int().positive().describe('Which transition of the id this is, from 1'),
  id: z.string().describe('The work item'),
  epoch: z.int().positive().describe('Slot of the grant that the record is about'),
  pool_id: z.string().nullable().describe('The pool that was to do the work; null when unknown'),
  owner: OwnerOnDiskSchema.describe('Who holds or held the claim'),
}

const RecordOnDiskSchema = z.discriminatedUnion('state', [
  z.object({
    ...commonFields,
    state: z.literal('granted'),
    lease_until: z.number().describe('Epoch milliseconds at which the lease ended when granted'),
  }),
  z.object({ ...commonFields, state: z.literal('released') }),
  z.object({
    ...commonFields,
    state: z.literal('done'),
    result_ref: z.string().describe('Where the accepted result is'),
  }),
])

/** The bytes of a record: one sealed line. */
export function encodeSlot(slot: number, record: SlotRecord): string {
  const common = {
    format: FORMAT,
    slot,
    state: record.state,
    id: record.id,
    epoch: record.epoch,
    pool_id: record.poolId,
    owner: renderClaimOwner(record.owner),
  }
  switch (record.state) {
    case 'granted':
      return sealLine({ ...common, lease_until: record.leaseUntilAt })
    case 'released':
      return sealLine(common)
    case 'done':
      return sealLine({ ...common, result_ref: record.resultRef })
    default:
      return unreachable(record)
  }
}

/**
 * The record at a place, or undefined when it is damaged: cut, changed, or not the record of that place. Throws
 * `store-unreadable` on a whole record of another format.
 */
export function decodeSlot(bytes: Uint8Array, place: SlotPlace): SlotRecord | undefined {
  const raw = unsealLine(bytes)
  refuseOtherFormat(raw)
  const parsed = RecordOnDiskSchema.safeParse(raw)
  if (!parsed.success) return undefined
  const onDisk = parsed.data
  const owner = parseClaimOwner(onDisk.owner)
  if (owner === undefined || onDisk.slot !== place.slot || keyClaim(onDisk.id) !== place.key) {
    return undefined
  }

  const base = { id: onDisk.id, epoch: onDisk.epoch, poolId: onDisk.pool_id, owner }
  switch (onDisk.state) {
    case 'granted':
      return { ...base, state: 'granted', leaseUntilAt: onDisk.lease_until }
    case 'released':
      return { ...base, state: 'released' }
    case 'done':
      return { ...base, state: 'done', resultRef: onDisk.result_ref }
    default:
      return unreachable(onDisk)
  }
}

function refuseOtherFormat(raw: unknown): void {
  if (typeof raw !== 'object' || raw === null || !('format' in raw) || raw.format === FORMAT) return
  throw new AuditToolsError(
    'store-unreadable',
    `a claim record has format ${JSON.stringify(raw.format)} and this version reads format ${FORMAT}; ` +
      'finish the run with the version that started it',
  )
}

function renderClaimOwner(owner: ClaimOwner): z.infer<typeof OwnerOnDiskSchema> {
  return owner.kind === 'process'
    ? { process: renderOwner(owner.identity) }
    : { host_session: owner.sessionHash }
}

function parseClaimOwner(onDisk: z.infer<typeof OwnerOnDiskSchema>): ClaimOwner | undefined {
  if ('host_session' in onDisk) return createSessionOwner(onDisk.host_session)
  const identity = parseOwner(onDisk.process)
  return identity && createProcessOwner(identity)
}
