import type { OwnerIdentity, OwnerState } from '../store/index.ts'
import type { SlotRecord } from './slot-record.ts'

/** What stands in an id's highest slot. A damaged record is there, so it counts, but says nothing. */
export type HighestSlot =
  | { readonly kind: 'absent'; readonly slot: 0 }
  | { readonly kind: 'record'; readonly slot: number; readonly record: SlotRecord }
  | { readonly kind: 'damaged'; readonly slot: number }

export interface ListedClaim {
  /** Undefined when every record of the id is damaged. */
  readonly id: string | undefined
  /** The name under which the id is stored. */
  readonly key: string
  readonly highest: HighestSlot
}

export type LeaseReading =
  | { readonly kind: 'ok'; readonly untilAt: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged' }

/**
 * Where claims live. The slots of an id are 1, 2, 3, ... without a gap; none is ever changed or removed. Every call is
 * synchronous and atomic and throws an AuditToolsError when the store cannot be read or written.
 */
export interface ClaimStore {
  readHighest(id: string): HighestSlot
  /** Fills a slot that was free; of any number of callers one gets `created`. */
  appendExclusive(id: string, slot: number, record: SlotRecord): 'created' | 'exists'
  /** Every id that has a record, in the order of their keys. */
  list(): ListedClaim[]
  readLease(ownerKey: string): LeaseReading
  writeLease(ownerKey: string, untilAt: number): void
  /** The process that calls, as one owner among those in it. */
  describeOwner(instance: string): OwnerIdentity
  probeOwner(owner: OwnerIdentity): OwnerState
}
