import {
  AuditToolsError,
  type Clock,
  compareText,
  systemClock,
  systemRandom,
} from '../core/index.ts'
import { inspectPath } from '../store/index.ts'
import {
  type ClaimOwner,
  computeOwnerToken,
  createProcessOwner,
  createSessionOwner,
  hashSessionId,
  nameOwner,
} from './claim-owner.ts'
import type { ClaimStore, HighestSlot } from './claim-store.ts'
import {
  type ClaimResult,
  type CompletionAnswer,
  type Decision,
  decideClaim,
  decideCompletion,
  decideFloor,
  decideReclaim,
  decideRelease,
  decideRepair,
  decideTakeOver,
  isTokenCurrent,
  type ReleaseAnswer,
  type RepairAnswer,
} from './decide-transition.ts'
import { createFileClaimStore } from './file-claim-store.ts'
import { createLivenessJudge, type Liveness } from './judge-owner.ts'
import type { GrantedRecord } from './slot-record.ts'

/** How long an owner that cannot be probed holds its claims after its last call. */
const DEFAULT_LEASE_MS = 15 * 60_000

/** Lost races for one id in one call after which the store, not the rivals, must be at fault. */
const MAX_ROUNDS = 1_000

/** Epochs count transitions of one work item; a figure above this comes from a damaged or forged result. */
const MAX_FLOOR_EPOCH = 10_000

export interface ClaimRegistryOptions {
  /** Who claims. Default: a new owner of its own. */
  readonly ownerId?: string
  /**
   * `process` (default): the owner lives as long as this process. `host_session`: the owner is the host session
   * `ownerId`, which any later process with the same id continues, and lives until its lease ends.
   */
  readonly ownerKind?: 'process' | 'host_session'
  /** Lease that each call renews; decides for host sessions and for processes that cannot be probed. Default 15 min. */
  readonly leaseMs?: number
  readonly clock?: Clock
  readonly store?: ClaimStore
}

/** A claim that is not completed. */
export interface ClaimRecord {
  readonly id: string
  readonly poolId: string | null
  readonly owner: string
  readonly epoch: number
  /** False when the owner is gone, so that the id can be claimed. */
  readonly live: boolean
}

export interface CompletedClaim {
  readonly id: string
  readonly epoch: number
  readonly resultRef: string
}

/** An id that counts as held because its record is damaged. */
export interface DamagedClaim {
  /** Undefined when no record of the id is whole; `key` is then all that is known. */
  readonly id: string | undefined
  readonly key: string
  readonly slot: number
}

export interface TakenClaim {
  readonly id: string
  readonly poolId: string | null
  readonly ownerToken: string
  readonly epoch: number
}

/**
 * Exactly one claimant per work item, over all processes that share `path`.
 *
 * Every call is synchronous. Calls throw `store-unreadable` or `store-unwritable` when the store fails and never grant
 * then; the constructor throws `store-corrupt` when `path` is a file. Records are not synced to disk: after a power loss
 * call `raiseFloor` for each result that is found before claiming anything.
 */
export class ClaimRegistry {
  readonly #store: ClaimStore
  readonly #clock: Clock
  readonly #owner: ClaimOwner
  readonly #leaseMs: number
  #leaseUntilAt = 0

  constructor(path: string, options: ClaimRegistryOptions = {}) {
    if (options.store === undefined) refuseOldForm(path)
    this.#store = options.store ?? createFileClaimStore(path)
    this.#clock = options.clock ?? systemClock
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS
    this.#owner = createOwner(this.#store, options)
  }

  /** Claims one id. The owner of a grant that is still the highest gets the same grant again. */
  claim(id: string, poolId: string): ClaimResult {
    this.#renewLease()
    return this.#claim(id, poolId, this.#createJudge())
  }

  /** Claims each id by itself; results are in the order of `ids`. */
  claimMany(ids: readonly string[], poolId: string): ClaimResult[] {
    this.#renewLease()
    const judge = this.#createJudge()
    return ids.map((id) => this.#claim(id, poolId, judge))
  }

  /**
   * The only acceptance of a result: `accepted` once per id, for the highest epoch; `duplicate` for the same epoch and
   * `resultRef` again; `stale` for everything else, which is to be kept as evidence and not applied.
   */
  complete(id: string, epoch: number, resultRef: string): CompletionAnswer {
    this.#continueLease()
    const completion = { id, epoch, resultRef, reporter: this.#owner }
    return this.#settle(id, (top) => decideCompletion(completion, top))
  }

  /** Frees the grant that `ownerToken` names; `stale` when that is not the highest grant or it is done. */
  release(id: string, ownerToken: string): ReleaseAnswer {
    this.#continueLease()
    return this.#settle(id, (top) => decideRelease(ownerToken, top))
  }

  /**
   * Renews the lease on all claims of this owner. With an id and its token it also answers whether that grant is still
   * the highest; on false the work is somebody else's and must stop.
   */
  heartbeat(id?: string, ownerToken?: string): boolean {
    this.#renewLease()
    if (id === undefined || ownerToken === undefined) return true
    const top = this.#store.readHighest(id)
    return isTokenCurrent(ownerToken, top) && top.record.state === 'granted'
  }

  /** Whether the token names the latest grant of the id and nobody has completed it. Leaves no trace of the caller. */
  isCurrentGrant(id: string, ownerToken: string): boolean {
    return isTokenCurrent(ownerToken, this.#store.readHighest(id))
  }

  /**
   * The ids of claims whose owner is gone, all of them free to be claimed. Those of dead processes are released in the
   * store; lapsed leases stay, so that a session that comes back before anybody claimed finds its grants.
   */
  reclaimStale(): string[] {
    this.#continueLease()
    const gone = this.#listGrants().filter(({ liveness }) => liveness.kind === 'gone')
    for (const { grant } of gone) {
      if (this.#isProvenDead(grant)) this.#settle(grant.id, (top) => decideReclaim(grant, top))
    }
    return gone.map(({ grant }) => grant.id)
  }

  /** Moves every open claim of other host sessions to this owner under a higher epoch; theirs are stale from then on. */
  takeOver(): TakenClaim[] {
    this.#renewLease()
    const foreign = this.#listGrants().filter(
      ({ grant }) => grant.owner.kind === 'host_session' && grant.owner.key !== this.#owner.key,
    )
    return foreign.flatMap(({ grant: { id } }) => {
      const taken = this.#settle(id, (top) => decideTakeOver(this.#owner, this.#leaseUntilAt, top))
      return taken ? [describeTaken(taken)] : []
    })
  }

  /** Claims that are not completed, live or not, in the order of their ids. */
  listClaims(): ClaimRecord[] {
    this.#continueLease()
    return this.#listGrants().map(({ grant, liveness }) => ({
      id: grant.id,
      poolId: grant.poolId,
      owner: nameOwner(grant.owner),
      epoch: grant.epoch,
      live: liveness.kind === 'live',
    }))
  }

  /** The accepted result of an id; undefined while there is none. */
  readCompleted(id: string): string | undefined {
    const top = this.#store.readHighest(id)
    return top.kind === 'record' && top.record.state === 'done' ? top.record.resultRef : undefined
  }

  /** What is done, with the accepted results, in the order of ids. */
  listCompleted(): CompletedClaim[] {
    const completed = this.#store.list().flatMap(({ highest }) => {
      if (highest.kind !== 'record' || highest.record.state !== 'done') return []
      const { id, epoch, resultRef } = highest.record
      return [{ id, epoch, resultRef }]
    })
    return completed.toSorted((left, right) => compareText(left.id, right.id))
  }

  /** Ids that stay held until `complete` or `repair` ends it. */
  listDamaged(): DamagedClaim[] {
    return this.#store
      .list()
      .filter(({ highest }) => highest.kind === 'damaged')
      .map(({ id, key, highest }) => ({ id, key, slot: highest.slot }))
  }

  /** Whether somebody holds the id: a live owner, or nobody knows who because the record is damaged. Done is not held. */
  isClaimed(id: string): boolean {
    this.#continueLease()
    const top = this.#store.readHighest(id)
    if (top.kind !== 'record') return top.kind === 'damaged'
    return top.record.state === 'granted' && this.#createJudge()(top.record).kind === 'live'
  }

  /**
   * Makes every later epoch of the id exceed `epoch`, the one found in a result whose claim a power loss took. A
   * completion with that epoch is then accepted. Throws `input-invalid` on an epoch that no run can have reached.
   */
  raiseFloor(id: string, epoch: number): void {
    if (!Number.isSafeInteger(epoch) || epoch < 1 || epoch > MAX_FLOOR_EPOCH) {
      throw new AuditToolsError(
        'input-invalid',
        `epoch ${epoch} of ${JSON.stringify(id)} is not between 1 and ${MAX_FLOOR_EPOCH}; set its result aside`,
      )
    }
    const request = { id, reporter: this.#owner, floorEpoch: epoch }
    let floor = { reached: false }
    while (!floor.reached) floor = this.#settle(id, (top) => decideFloor(request, top))
  }

  /** Ends the hold of a damaged record: done with `resultRef`, or free. `intact` when the record is not damaged. */
  repair(id: string, resultRef?: string): RepairAnswer {
    return this.#settle(id, (top) => decideRepair({ id, reporter: this.#owner, resultRef }, top))
  }

  #claim(id: string, poolId: string, judge: (grant: GrantedRecord) => Liveness): ClaimResult {
    const request = { id, poolId, owner: this.#owner, leaseUntilAt: this.#leaseUntilAt }
    return this.#settle(id, (top) => decideClaim(request, top, judge))
  }

  /** Decides on the highest record and writes the next; when somebody else wrote it first, decides anew on that. */
  #settle<Answer>(id: string, decide: (top: HighestSlot) => Decision<Answer>): Answer {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const top = this.#store.readHighest(id)
      const { answer, next } = decide(top)
      if (next === undefined) return answer
      if (this.#store.appendExclusive(id, top.slot + 1, next) === 'created') return answer
    }
    throw new AuditToolsError(
      'store-unreadable',
      `the claim of ${JSON.stringify(id)} changed ${MAX_ROUNDS} times in one call; ` +
        'the file system does not show new files at once, so keep the run on a local disk',
    )
  }

  #listGrants(): { grant: GrantedRecord; liveness: Liveness }[] {
    const judge = this.#createJudge()
    const grants = this.#store.list().flatMap(({ highest }) => {
      if (highest.kind !== 'record' || highest.record.state !== 'granted') return []
      return [{ grant: highest.record, liveness: judge(highest.record) }]
    })
    return grants.toSorted((left, right) => compareText(left.grant.id, right.grant.id))
  }

  #createJudge(): (grant: GrantedRecord) => Liveness {
    return createLivenessJudge(this.#store, this.#clock.now())
  }

  #isProvenDead({ owner }: GrantedRecord): boolean {
    return owner.kind === 'process' && this.#store.probeOwner(owner.identity) === 'dead'
  }

  /** Before a grant: whoever cannot probe this owner must find its lease. */
  #renewLease(): void {
    const now = this.#clock.now()
    if (this.#leaseUntilAt - now > this.#leaseMs / 2) return
    const untilAt = now + this.#leaseMs
    this.#store.writeLease(this.#owner.key, untilAt)
    this.#leaseUntilAt = untilAt
  }

  /** Any call of a session shows that it lives; a process that never claimed leaves no trace. */
  #continueLease(): void {
    if (this.#owner.kind === 'host_session' || this.#leaseUntilAt > 0) this.#renewLease()
  }
}

function createOwner(store: ClaimStore, options: ClaimRegistryOptions): ClaimOwner {
  const { ownerId, ownerKind = 'process' } = options
  if (ownerKind === 'process') {
    return createProcessOwner(store.describeOwner(ownerId ?? systemRandom.hex(16)))
  }
  if (ownerId === undefined) {
    throw new AuditToolsError('internal-fault', 'a host session claims under its id; give ownerId')
  }
  return createSessionOwner(hashSessionId(ownerId))
}

function describeTaken({ id, poolId, owner, epoch }: GrantedRecord): TakenClaim {
  return { id, poolId, ownerToken: computeOwnerToken(owner, id, epoch), epoch }
}

function refuseOldForm(path: string): void {
  if (inspectPath(path).kind !== 'file') return
  throw new AuditToolsError(
    'store-corrupt',
    `${path} is a file, but claims live in a directory: an older version left it. ` +
      'Let the run that made it end with that version, or move the file away to start without its claims',
    { details: { path } },
  )
}
