import type { ClaimOwner } from './claim-owner.ts'
import type { ClaimStore } from './claim-store.ts'
import type { GrantedRecord } from './slot-record.ts'

export type Liveness =
  /** `untilAt`: when the lease ends that keeps the owner alive, where it is a lease. */
  { readonly kind: 'live'; readonly untilAt?: number } | { readonly kind: 'gone' }

type OwnerFacts =
  | { readonly kind: 'alive' }
  | { readonly kind: 'dead' }
  /** Only its lease can tell; `untilAt` is undefined where that cannot be read, so it is taken for live. */
  | { readonly kind: 'leased'; readonly untilAt: number | undefined }

/**
 * Judges whether the owner of a grant still holds it at `now`. A process is asked where that gives a sure answer; all
 * others hold until their lease ends. Each owner is looked up once per judge, so a judge is for one call.
 */
export function createLivenessJudge(
  store: ClaimStore,
  now: number,
): (grant: GrantedRecord) => Liveness {
  const factsByOwner = new Map<string, OwnerFacts>()
  return (grant) => {
    const { owner } = grant
    const facts = factsByOwner.get(owner.key) ?? readOwnerFacts(store, owner)
    factsByOwner.set(owner.key, facts)
    return decideLiveness(facts, grant, now)
  }
}

function readOwnerFacts(store: ClaimStore, owner: ClaimOwner): OwnerFacts {
  if (owner.kind === 'process') {
    const state = store.probeOwner(owner.identity)
    if (state !== 'unknown') return { kind: state }
  }
  const lease = store.readLease(owner.key)
  if (lease.kind === 'damaged') return { kind: 'leased', untilAt: undefined }
  // Without a lease file the end that the grant itself names decides.
  return { kind: 'leased', untilAt: lease.kind === 'ok' ? lease.untilAt : 0 }
}

function decideLiveness(facts: OwnerFacts, grant: GrantedRecord, now: number): Liveness {
  if (facts.kind === 'alive') return { kind: 'live' }
  if (facts.kind === 'dead') return { kind: 'gone' }
  if (facts.untilAt === undefined) return { kind: 'live' }
  const untilAt = Math.max(facts.untilAt, grant.leaseUntilAt)
  return now < untilAt ? { kind: 'live', untilAt } : { kind: 'gone' }
}
