import { compareText } from '../core/index.ts'
import type { OwnerIdentity, OwnerState } from '../store/index.ts'
import type { ClaimStore, HighestSlot } from './claim-store.ts'
import { keyClaim, type SlotRecord } from './slot-record.ts'

export interface MemoryClaimStoreOptions {
  /** The process that a registry takes itself for. Default: all registries are owners in one process. */
  readonly describeOwner?: (instance: string) => OwnerIdentity
  /** Whether the process of an owner lives. Default: every one does. */
  readonly probeOwner?: (owner: OwnerIdentity) => OwnerState
}

/** Claims in memory, for simulation and tests: the same answers as the file store, with processes that are made up. */
export function createMemoryClaimStore(options: MemoryClaimStoreOptions = {}): ClaimStore {
  const slotsById = new Map<string, SlotRecord[]>()
  const leases = new Map<string, number>()

  const readHighest = (id: string): HighestSlot => {
    const slots = slotsById.get(id) ?? []
    const record = slots.at(-1)
    return record ? { kind: 'record', slot: slots.length, record } : { kind: 'absent', slot: 0 }
  }

  return {
    readHighest,
    appendExclusive(id, slot, record) {
      const slots = slotsById.get(id) ?? []
      if (slots.length >= slot) return 'exists'
      slotsById.set(id, [...slots, record])
      return 'created'
    },
    list: () =>
      Array.from(slotsById.keys(), (id) => ({
        id,
        key: keyClaim(id),
        highest: readHighest(id),
      })).toSorted((left, right) => compareText(left.key, right.key)),
    readLease(ownerKey) {
      const untilAt = leases.get(ownerKey)
      return untilAt === undefined ? { kind: 'missing' } : { kind: 'ok', untilAt }
    },
    writeLease(ownerKey, untilAt) {
      leases.set(ownerKey, untilAt)
    },
    describeOwner: options.describeOwner ?? describeMemoryOwner,
    probeOwner: options.probeOwner ?? (() => 'alive'),
  }
}

function describeMemoryOwner(instance: string): OwnerIdentity {
  return {
    machineId: 'memory',
    bootId: 'memory',
    pidNamespace: 'memory',
    pid: 1,
    startTime: '0',
    instance,
  }
}
