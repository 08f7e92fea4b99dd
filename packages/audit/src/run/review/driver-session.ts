import { ClaimRegistry, type ClaimRegistryOptions } from '@audit-tools/shared/claims'
import { AuditToolsError, hashContent, type Random } from '@audit-tools/shared/core'

import { readActiveRun } from '../active-run.ts'
import type { AuditLayout } from '../layout.ts'
import type { Review } from './open-review.ts'
import { planReviewFiles, type ReviewFiles } from './review-files.ts'

/** Claim on a run's host side: one conversation gives its work out. */
const HOST = 'host'

/** A reviewer may be at work this long while its host says nothing. */
const HOST_LEASE_MS = 30 * 60_000

/** How a host session owns claims. Its token is a secret: whoever has it acts as that session. */
export function ownAsHost(token: string): ClaimRegistryOptions {
  return { ownerKind: 'host_session', ownerId: token, leaseMs: HOST_LEASE_MS }
}

/** How a session's claims are named in listings. */
export function nameSession(token: string): string {
  return `host-session-${hashContent(token).slice(0, 12)}`
}

/**
 * Refuses whoever is not the host session that drives the run, while that session lives. Changes nothing. Throws
 * `driver-refused`.
 */
export function guardDriver(files: ReviewFiles, token: string | undefined): void {
  // An owner of its own leaves no trace by reading.
  const claims = new ClaimRegistry(files.drivers).listClaims()
  const holder = claims.find(({ id, live }) => id === HOST && live)
  if (holder === undefined || (token !== undefined && holder.owner === nameSession(token))) return
  throw new AuditToolsError(
    'driver-refused',
    `the run is driven by another session (${holder.owner}); only commands with its driver token may change it. ` +
      'If that session is gone, take the run over with `audit-code next-step --take-over`',
    { details: { holder: holder.owner } },
  )
}

/** `guardDriver` for the run that was begun last, whatever run the repository would ask for now. */
export function guardActiveRun(layout: AuditLayout, token: string | undefined): void {
  const runId = readActiveRun(layout)
  if (runId !== undefined) guardDriver(planReviewFiles(layout.runsDirectory, runId), token)
}

/**
 * Makes this session the one that drives the run's host side and returns its token: the given one, or a new one. With
 * `takeOver` it takes the run and every open grant from the session that has them; their later answers are stale.
 */
export function openDriverSession(
  review: Pick<Review, 'files'>,
  options: {
    readonly token?: string | undefined
    readonly takeOver: boolean
    readonly random: Random
  },
): string {
  const { files } = review
  if (!options.takeOver) guardDriver(files, options.token)
  const token = options.token ?? options.random.hex(32)
  const drivers = new ClaimRegistry(files.drivers, ownAsHost(token))
  if (options.takeOver) {
    drivers.takeOver()
    new ClaimRegistry(files.claims, ownAsHost(token)).takeOver()
  }
  const claim = drivers.claim(HOST, HOST)
  if (claim.acquired) return token
  guardDriver(files, token)
  throw new AuditToolsError('driver-refused', 'another session took the run a moment ago')
}
