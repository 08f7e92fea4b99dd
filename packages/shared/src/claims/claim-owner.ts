import { hashContent, hashParts } from '../core/index.ts'
import type { OwnerIdentity } from '../store/index.ts'

/**
 * Who holds a claim: a process, whose life can be checked on its own machine, or a host session, which spans many short
 * processes and lives as long as its lease. A session is known by the hash of its id: the id itself lets whoever reads
 * it act as that session.
 */
export type ClaimOwner =
  | { readonly kind: 'process'; readonly identity: OwnerIdentity }
  | { readonly kind: 'host_session'; readonly sessionHash: string }

export function createSessionOwner(sessionId: string): ClaimOwner {
  return { kind: 'host_session', sessionHash: hashContent(sessionId) }
}

/** Equal for equal owners and different for different ones; safe as a file name. */
export function keyOwner(owner: ClaimOwner): string {
  if (owner.kind === 'host_session') return hashParts([owner.kind, owner.sessionHash])
  const { machineId, bootId, pidNamespace, pid, startTime, instance } = owner.identity
  return hashParts([owner.kind, machineId, bootId, pidNamespace, String(pid), startTime, instance])
}

/** A short name for messages: the `ownerId` of a process's registry, or the start of a session's hash. */
export function nameOwner(owner: ClaimOwner): string {
  return owner.kind === 'process'
    ? owner.identity.instance
    : `host-session-${owner.sessionHash.slice(0, 12)}`
}

/** Names one grant, so that a late call about an earlier grant of the same owner is told apart. */
export function computeOwnerToken(owner: ClaimOwner, id: string, epoch: number): string {
  return hashParts([keyOwner(owner), JSON.stringify(id), String(epoch)]).slice(0, 32)
}
