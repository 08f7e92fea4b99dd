import { computeActualCharges, computeRejectedCharges, type Settlement } from '../quota/index.ts'
import { applyPoolEffects } from './apply-pool-effects.ts'
import type { DispatchState, Flight } from './dispatch-state.ts'
import type { DispatchCommand } from './events.ts'
import { addSample } from './experience.ts'
import { type FrontierEntry, HELD_RETRY_MS } from './frontier.ts'
import type { WorkOutcome } from './outcome.ts'
import { outcomeEffects } from './outcome-effects.ts'
import { listEligible } from './eligibility.ts'
import { measureNeed } from './pool-entry.ts'
import { readUsage } from './read-usage.ts'

/** Refusals by different pools after which a person decides. */
const MAX_REFUSALS = 2

/** Takes the end of launched work in: books what was used, then lets pool and work item feel it. */
export function applyOutcome(
  state: DispatchState,
  flight: Flight,
  { outcome, now }: { readonly outcome: WorkOutcome; readonly now: number },
): DispatchCommand[] {
  state.ledger.settle(flight.reservationId, describeSettlement(flight, outcome), now)
  leavePool(state, flight)
  const poolCommands = applyPoolEffects(state, flight.pool, {
    outcome,
    now,
    startedAt: flight.startedAt,
    charges: flight.charges,
  })
  return [...poolCommands, ...applyItemEffects(state, flight, { outcome, now })]
}

/** Takes work off its pool's books; the ledger is the caller's to settle. */
export function leavePool(state: DispatchState, { entry, pool, isProbe }: Flight): void {
  state.inFlight.delete(entry.node.id)
  pool.inFlight -= 1
  if (isProbe) pool.probesInFlight -= 1
}

function describeSettlement({ pool }: Flight, outcome: WorkOutcome): Settlement {
  const { verdict, unreportedUse } = outcomeEffects[outcome.class]
  const usage = readUsage(outcome)
  if (usage !== undefined) return { actual: computeActualCharges(pool.folded, usage), verdict }
  switch (unreportedUse) {
    case 'as_reserved':
      return { actual: [], verdict }
    case 'turned_away':
      return { actual: computeRejectedCharges(pool.folded), verdict }
    case 'nothing':
      return {
        actual: pool.folded.metered.map(({ resource }) => ({ resource, micro: 0 })),
        verdict,
      }
  }
}

function applyItemEffects(
  state: DispatchState,
  flight: Flight,
  { outcome, now }: { outcome: WorkOutcome; now: number },
): DispatchCommand[] {
  const { entry } = flight
  switch (outcomeEffects[outcome.class].item) {
    case 'done':
      return completeWork(flight, outcome, now)
    case 'requeue':
      return [requeue(state, flight, outcome)]
    case 'resize':
      return resize(state, flight, outcome)
    case 'ask_another':
      entry.refusals += 1
      entry.skipped = new Set([...entry.skipped, flight.pool.pool.id])
      return hasOpenPool(state, entry) && entry.refusals < MAX_REFUSALS
        ? [requeue(state, flight, outcome)]
        : giveUp(state, flight, outcome)
    case 'retry':
      return retry(state, flight, outcome)
    case 'release':
      return releaseClaim(state, entry, now)
  }
}

function completeWork(
  { entry, pool, reservationId, startedAt, isProbe }: Flight,
  outcome: WorkOutcome,
  now: number,
): DispatchCommand[] {
  const outputTokens = outcome.usage?.outputTokens ?? undefined
  addSample(pool.experience, { size: entry.size, durationMs: now - startedAt, outputTokens })
  if (isProbe) pool.provenTokens = Math.max(pool.provenTokens, measureNeed(pool, entry.node))
  if (entry.claim === undefined) return []
  return [
    {
      kind: 'complete',
      nodeId: entry.node.id,
      poolId: pool.pool.id,
      epoch: entry.claim.epoch,
      resultRef: outcome.resultRef ?? reservationId,
    },
  ]
}

/** Back into the frontier; the claim stays, so that nobody else starts it meanwhile. */
function requeue(
  state: DispatchState,
  { entry, pool }: Flight,
  outcome: WorkOutcome,
): DispatchCommand {
  state.frontier.enqueue(entry)
  return {
    kind: 'requeue',
    nodeId: entry.node.id,
    poolId: pool.pool.id,
    cause: outcome.class,
    attempts: entry.attempts,
    message: outcome.message ?? null,
  }
}

function retry(state: DispatchState, flight: Flight, outcome: WorkOutcome): DispatchCommand[] {
  const { entry, pool } = flight
  entry.attempts += 1
  if (outcome.message !== undefined && outcome.message !== '') {
    entry.notes = [...entry.notes, outcome.message]
  }
  if (entry.attempts >= state.maxAttempts) return giveUp(state, flight, outcome)
  // A bad answer is first mended where it came from; whatever else went wrong is likelier to go well elsewhere.
  const isFirstBadAnswer = outcome.class === 'bad_output' && entry.lastBadPool !== pool.pool.id
  if (isFirstBadAnswer) entry.lastBadPool = pool.pool.id
  else entry.avoided = new Set([...entry.avoided, pool.pool.id])
  return [requeue(state, flight, outcome)]
}

/** Looks for a larger window; when there is none, the work item must become smaller. */
function resize(state: DispatchState, flight: Flight, outcome: WorkOutcome): DispatchCommand[] {
  const { entry, pool } = flight
  const tooSmall = pool.folded.contextTokens ?? 0
  // Above one pool's minute budget, which the provider then names, it may still fit others with the same window.
  const isAboveBudget = outcome.unit !== undefined
  const noLarger = state.pools.filter(
    ({ folded: { contextTokens } }) =>
      !isAboveBudget && contextTokens !== null && contextTokens <= tooSmall,
  )
  const ruledOut = [pool, ...noLarger].map((other) => other.pool.id)
  entry.skipped = new Set([...entry.skipped, ...ruledOut])
  if (hasOpenPool(state, entry)) return [requeue(state, flight, outcome)]
  return leaveFrontier(state, flight, {
    kind: 'split',
    nodeId: entry.node.id,
    poolId: pool.pool.id,
    message: outcome.message ?? null,
  })
}

function hasOpenPool(state: DispatchState, { node, skipped }: FrontierEntry): boolean {
  return listEligible(state.pools, node, skipped).some(({ settled }) => settled === undefined)
}

function giveUp(state: DispatchState, flight: Flight, outcome: WorkOutcome): DispatchCommand[] {
  return leaveFrontier(state, flight, {
    kind: 'give_up',
    nodeId: flight.entry.node.id,
    poolId: flight.pool.pool.id,
    cause: outcome.class,
    message: outcome.message ?? null,
  })
}

function leaveFrontier(
  state: DispatchState,
  { entry }: Flight,
  command: DispatchCommand,
): DispatchCommand[] {
  state.frontier.end(entry.node.id)
  const { claim } = entry
  if (claim === undefined) return [command]
  return [command, { kind: 'release', nodeId: entry.node.id, ownerToken: claim.ownerToken }]
}

/** Gives the claim back. Whoever cancelled may have a reason, so that the item is not started again at once. */
function releaseClaim(state: DispatchState, entry: FrontierEntry, now: number): DispatchCommand[] {
  state.frontier.hold(entry, now + HELD_RETRY_MS)
  const { claim } = entry
  entry.claim = undefined
  if (claim === undefined) return []
  return [{ kind: 'release', nodeId: entry.node.id, ownerToken: claim.ownerToken }]
}
