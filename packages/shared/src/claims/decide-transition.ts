import { type ClaimOwner, computeOwnerToken, nameOwner } from './claim-owner.ts'
import type { HighestSlot } from './claim-store.ts'
import type { Liveness } from './judge-owner.ts'
import type { GrantedRecord, SlotRecord } from './slot-record.ts'

/** The answer to a call, true once `next` stands in the slot above the one that was read; at once without `next`. */
export interface Decision<Answer> {
  readonly answer: Answer
  readonly next?: SlotRecord
}

export type ClaimResult =
  | { readonly acquired: true; readonly ownerToken: string; readonly epoch: number }
  | {
      readonly acquired: false
      readonly heldBy: string
      /** Epoch milliseconds at which the owner's lease ends, where the owner holds by a lease. */
      readonly until?: number
    }
  /** The work is done; `done` is the `resultRef` that was accepted. */
  | { readonly acquired: false; readonly done: string }

export interface ClaimRequest {
  readonly id: string
  readonly poolId: string
  readonly owner: ClaimOwner
  readonly leaseUntilAt: number
}

/** What `heldBy` says when the record that would name the owner is damaged. */
const damagedOwner = 'unknown (the claim record is damaged)'

export function decideClaim(
  request: ClaimRequest,
  top: HighestSlot,
  judge: (grant: GrantedRecord) => Liveness,
): Decision<ClaimResult> {
  if (top.kind === 'damaged') return { answer: { acquired: false, heldBy: damagedOwner } }
  if (top.kind === 'absent' || top.record.state === 'released') return grantNext(request, top)
  if (top.record.state === 'done') {
    return { answer: { acquired: false, done: top.record.resultRef } }
  }

  const grant = top.record
  if (grant.owner.key === request.owner.key) return { answer: describeGrant(grant) }
  const liveness = judge(grant)
  if (liveness.kind === 'gone') return grantNext(request, top)
  const until = liveness.untilAt === undefined ? {} : { until: liveness.untilAt }
  return { answer: { acquired: false, heldBy: nameOwner(grant.owner), ...until } }
}

/** Moves another owner's grant to this one, whether that owner lives or not. Undefined when there is none to move. */
export function decideTakeOver(
  owner: ClaimOwner,
  leaseUntilAt: number,
  top: HighestSlot,
): Decision<GrantedRecord | undefined> {
  if (top.kind !== 'record' || top.record.state !== 'granted') return { answer: undefined }
  const grant = { ...top.record, owner, leaseUntilAt, epoch: top.slot + 1 }
  return { answer: grant, next: grant }
}

function grantNext(request: ClaimRequest, top: HighestSlot): Decision<ClaimResult> {
  const next: GrantedRecord = { state: 'granted', ...request, epoch: top.slot + 1 }
  return { answer: describeGrant(next), next }
}

function describeGrant({ owner, id, epoch }: GrantedRecord): ClaimResult {
  return { acquired: true, ownerToken: computeOwnerToken(owner, id, epoch), epoch }
}

export type CompletionAnswer = 'accepted' | 'duplicate' | 'stale'

export interface Completion {
  readonly id: string
  readonly epoch: number
  readonly resultRef: string
  /** Stands in for an owner that is not known any more. */
  readonly reporter: ClaimOwner
}

/**
 * Accepts the first result of the highest epoch. Release and expiry only let somebody else claim: until somebody does, the
 * work that was paid for still counts.
 */
export function decideCompletion(
  { id, epoch, resultRef, reporter }: Completion,
  top: HighestSlot,
): Decision<CompletionAnswer> {
  if (top.kind === 'absent') return { answer: 'stale' }
  if (top.kind === 'damaged') {
    // Only a grant of this very slot can be known by this epoch, so nothing can have been completed since.
    if (epoch !== top.slot) return { answer: 'stale' }
    const unknown = { id, epoch, poolId: null, owner: reporter }
    return { answer: 'accepted', next: { ...unknown, state: 'done', resultRef } }
  }

  const { state, owner, poolId } = top.record
  if (epoch !== top.record.epoch) return { answer: 'stale' }
  if (state === 'done') {
    return { answer: resultRef === top.record.resultRef ? 'duplicate' : 'stale' }
  }
  return { answer: 'accepted', next: { state: 'done', id, epoch, poolId, owner, resultRef } }
}

export type ReleaseAnswer = 'released' | 'stale'

/** Frees the grant that the token names; `released` again when that grant was released and nobody claimed since. */
export function decideRelease(ownerToken: string, top: HighestSlot): Decision<ReleaseAnswer> {
  if (!isTokenCurrent(ownerToken, top)) return { answer: 'stale' }
  if (top.record.state === 'released') return { answer: 'released' }
  return { answer: 'released', next: renderRelease(top.record) }
}

/** Frees a grant whose owner is proven dead. A grant that changed hands meanwhile stays. */
export function decideReclaim(dead: GrantedRecord, top: HighestSlot): Decision<void> {
  const unchanged =
    top.kind === 'record' && top.record.state === 'granted' && top.slot === dead.epoch
  return unchanged ? { answer: undefined, next: renderRelease(dead) } : { answer: undefined }
}

function renderRelease({ id, epoch, poolId, owner }: SlotRecord): SlotRecord {
  return { state: 'released', id, epoch, poolId, owner }
}

/** Whether a token names the grant that an id's highest record is about, and that grant is not done. */
export function isTokenCurrent(
  ownerToken: string,
  top: HighestSlot,
): top is Extract<HighestSlot, { kind: 'record' }> {
  if (top.kind !== 'record' || top.record.state === 'done') return false
  const { owner, id, epoch } = top.record
  return computeOwnerToken(owner, id, epoch) === ownerToken
}

export type RepairAnswer = 'repaired' | 'intact'

/** Ends the hold of a damaged record: done when there is a result that proves it, else free to be claimed. */
export function decideRepair(
  { id, reporter, resultRef }: { id: string; reporter: ClaimOwner; resultRef: string | undefined },
  top: HighestSlot,
): Decision<RepairAnswer> {
  if (top.kind !== 'damaged') return { answer: 'intact' }
  const base = { id, epoch: top.slot, poolId: null, owner: reporter }
  return {
    answer: 'repaired',
    next:
      resultRef === undefined
        ? { ...base, state: 'released' }
        : { ...base, state: 'done', resultRef },
  }
}

/** Fills the next slot below or at `floorEpoch`; answers whether the floor is reached without another round. */
export function decideFloor(
  { id, reporter, floorEpoch }: { id: string; reporter: ClaimOwner; floorEpoch: number },
  top: HighestSlot,
): Decision<{ reached: boolean }> {
  const isDone = top.kind === 'record' && top.record.state === 'done'
  if (isDone || top.slot >= floorEpoch) return { answer: { reached: true } }
  const epoch = top.slot + 1
  return {
    answer: { reached: epoch === floorEpoch },
    next: { state: 'released', id, epoch, poolId: null, owner: reporter },
  }
}
