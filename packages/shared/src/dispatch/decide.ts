import { unreachable } from '../core/index.ts'
import { applyOutcome, leavePool } from './apply-outcome.ts'
import { applyPoolEffects, settlePools } from './apply-pool-effects.ts'
import { type DispatchState, nextOperation } from './dispatch-state.ts'
import type { DispatchCommand, DispatchEvent } from './events.ts'
import { HELD_RETRY_MS } from './frontier.ts'
import { planStarts } from './plan-starts.ts'

/**
 * The core of the coordinator: what to do about an event. Changes `state` and the ledger in it, and nothing else. The
 * same events at the same instants give the same commands.
 */
export function decide(state: DispatchState, event: DispatchEvent, now: number): DispatchCommand[] {
  switch (event.kind) {
    case 'nodes_added':
      for (const node of event.nodes) state.frontier.add(node)
      return []
    case 'nodes_removed':
      return event.nodeIds.flatMap((nodeId) => removeNode(state, nodeId))
    case 'plan_due':
      return planStarts(state, now)
    case 'claim_granted':
    case 'claim_lost':
    case 'claim_done':
      return takeClaimAnswer(state, event, now)
    case 'work_ended':
      return endWork(state, event, now)
    case 'completion_answered':
      return takeCompletionAnswer(state, event, now)
    case 'work_released':
      return releaseWork(state, event.nodeId, now)
    case 'pool_settled':
    case 'pool_observed':
    case 'pool_parked':
      return changePool(state, event, now)
    default:
      return unreachable(event)
  }
}

function removeNode(state: DispatchState, nodeId: string): DispatchCommand[] {
  const entry = state.frontier.get(nodeId)
  if (entry === undefined || entry.state === 'in_flight') return []
  state.frontier.remove(nodeId)
  if (entry.claim === undefined) return []
  return [{ kind: 'release', nodeId, ownerToken: entry.claim.ownerToken }]
}

type ClaimAnswer = Extract<DispatchEvent, { kind: 'claim_granted' | 'claim_lost' | 'claim_done' }>

function takeClaimAnswer(state: DispatchState, event: ClaimAnswer, now: number): DispatchCommand[] {
  const { nodeId } = event
  const flight = state.inFlight.get(nodeId)
  if (flight === undefined) return []
  if (event.kind === 'claim_granted') {
    flight.entry.claim = { ownerToken: event.ownerToken, epoch: event.epoch }
    return []
  }
  state.ledger.cancel(flight.reservationId, now)
  leavePool(state, flight)
  flight.entry.claim = undefined
  if (event.kind === 'claim_done') {
    state.frontier.end(nodeId)
    return [{ kind: 'adopt', nodeId, resultRef: event.resultRef }]
  }
  const retryAt = now + HELD_RETRY_MS
  const { until = retryAt } = event
  state.frontier.hold(flight.entry, until > now ? Math.min(until, retryAt) : retryAt)
  return []
}

function endWork(
  state: DispatchState,
  { nodeId, outcome }: Extract<DispatchEvent, { kind: 'work_ended' }>,
  now: number,
): DispatchCommand[] {
  const flight = state.inFlight.get(nodeId)
  return flight === undefined ? [] : applyOutcome(state, flight, { outcome, now })
}

function takeCompletionAnswer(
  state: DispatchState,
  { nodeId, answer }: Extract<DispatchEvent, { kind: 'completion_answered' }>,
  now: number,
): DispatchCommand[] {
  const entry = state.frontier.get(nodeId)
  if (entry === undefined) return []
  if (answer !== 'stale') {
    state.frontier.end(nodeId)
    return []
  }
  // A later owner has it: what it accepts is found when the item is tried again.
  entry.claim = undefined
  state.frontier.hold(entry, now + HELD_RETRY_MS)
  return []
}

function releaseWork(state: DispatchState, nodeId: string, now: number): DispatchCommand[] {
  const flight = state.inFlight.get(nodeId)
  if (flight !== undefined) {
    state.ledger.cancel(flight.reservationId, now)
    leavePool(state, flight)
    state.frontier.enqueue(flight.entry)
  }
  const entry = state.frontier.get(nodeId)
  if (entry !== undefined) entry.claim = undefined
  return []
}

type PoolEvent = Extract<DispatchEvent, { kind: 'pool_settled' | 'pool_observed' | 'pool_parked' }>

function changePool(state: DispatchState, event: PoolEvent, now: number): DispatchCommand[] {
  const pool = state.poolById.get(event.poolId)
  if (pool === undefined) return []
  switch (event.kind) {
    case 'pool_settled':
      return settlePools(state, pool, { cause: event.cause, whole: 'pool' })
    case 'pool_observed':
      return applyPoolEffects(state, pool, {
        outcome: event.outcome,
        now,
        startedAt: now,
        charges: [],
      })
    case 'pool_parked': {
      const key = pool.folded.keys.model
      state.ledger.observe(
        {
          kind: 'limited',
          key,
          startedAt: now,
          until: event.until,
          jitter: 0,
          rest: 'parked',
          wakesByProbe: true,
        },
        now,
        nextOperation(state),
      )
      const { coolUntil } = state.ledger.readGate(key, now)
      return [{ kind: 'rest', key, state: 'parked', until: coolUntil, cause: 'requested' }]
    }
  }
}
