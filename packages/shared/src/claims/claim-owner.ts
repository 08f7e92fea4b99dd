import { hashContent, hashParts } from '../core/index.ts'
import type { OwnerIdentity } from '../store/index.ts'

/**
 * Who holds a claim: a process, whose life can be checked on its own machine, or a host session, which spans many short
 * processes and lives as long as its lease. `key` is equal for equal owners only and safe as a file name.
 */
export type ClaimOwner =
  | { readonly kind: 'process'; readonly key: string; readonly identity: OwnerIdentity }
  | { readonly kind: 'host_session'; readonly key: string; readonly sessionHash: string }

export function createProcessOwner(identity: OwnerIdentity): ClaimOwner {
  const { machineId, bootId, pidNamespace, pid, startTime, instance } = identity
  const key = hashParts([machineId, bootId, pidNamespace, String(pid), startTime, instance])
  return { kind: 'process', key, identity }
}

/** A session is stored by a hash: its id lets whoever reads it act as that session. */
export function hashSessionId(sessionId: string): string {
  return hashContent(sessionId)
}

export function createSessionOwner(sessionHash: string): ClaimOwner {
  return { kind: 'host_session', key: hashParts(['host_session', sessionHash]), sessionHash }
}

/** A short name for messages: the `ownerId` of a process's registry, or the start of a session's hash. */
export function nameOwner(owner: ClaimOwner): string {
  return owner.kind === 'process'
    ? owner.identity.instance
    : `host-session-${owner.sessionHash.slice(0, 12)}`
}

/** Names one grant, so that a late call about an earlier grant of the same owner is told apart. */
export function computeOwnerToken(owner: ClaimOwner, id: string, epoch: number): string {
  return hashContent(`${owner.key} ${epoch} ${JSON.stringify(id)}`).slice(0, 32)
}
