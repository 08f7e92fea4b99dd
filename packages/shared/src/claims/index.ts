export {
  type ClaimRecord,
  ClaimRegistry,
  type ClaimRegistryOptions,
  type CompletedClaim,
  type DamagedClaim,
  type TakenClaim,
} from './claim-registry.ts'
export type { ClaimStore, HighestSlot, LeaseReading, ListedClaim } from './claim-store.ts'
export type {
  ClaimResult,
  CompletionAnswer,
  ReleaseAnswer,
  RepairAnswer,
} from './decide-transition.ts'
export { createMemoryClaimStore, type MemoryClaimStoreOptions } from './memory-claim-store.ts'
export type { SlotRecord } from './slot-record.ts'
