import { type Charge, isExhausted, type LimitWindow, readLimitHeaders } from '../quota/index.ts'
import { type DispatchState, nextOperation } from './dispatch-state.ts'
import type { DispatchCommand, SettleCause } from './events.ts'
import type { WorkOutcome } from './outcome.ts'
import { type OutcomeEffect, outcomeEffects } from './outcome-effects.ts'
import type { PoolEntry } from './pool-entry.ts'

/** Attempts in a row that may fail before the pool itself is suspected. */
const SUSPECT_AFTER = 3

/** An outcome with the call that it came from. */
export interface SeenOutcome {
  readonly outcome: WorkOutcome
  readonly now: number
  readonly startedAt: number
  /** What the call asked of the pool's limits. */
  readonly charges: readonly Charge[]
}

/** Lets a pool, its account or its endpoint feel an outcome: rest, close for the run, or nothing. */
export function applyPoolEffects(
  state: DispatchState,
  pool: PoolEntry,
  seen: SeenOutcome,
): DispatchCommand[] {
  const effect: OutcomeEffect = outcomeEffects[seen.outcome.class]
  const rests = observeHeaders(state, pool, seen)
  if (effect.rest !== undefined)
    return [...rests, restLimited(state, pool, { seen, rest: effect.rest })]
  if (effect.settles !== undefined) {
    const { cause, whole } = effect.settles
    return [...rests, ...settlePools(state, pool, { cause, whole, message: seen.outcome.message })]
  }
  return [...rests, ...countFailure(state, pool, { seen, isFailure: effect.item === 'retry' })]
}

function restLimited(
  state: DispatchState,
  pool: PoolEntry,
  { seen, rest }: { seen: SeenOutcome; rest: NonNullable<OutcomeEffect['rest']> },
): DispatchCommand {
  const { outcome, charges } = seen
  const isThrottle = outcome.class === 'throttle'
  return restKey(state, findLimitedKey(pool, outcome.scope, rest.scope), {
    ...seen,
    state: rest.state,
    until: outcome.until ?? null,
    wakesByProbe: rest.state === 'parked',
    // A short limit means that one of the rates held less than we thought.
    ...(isThrottle ? { charges, unit: outcome.unit } : {}),
  })
}

/** The key that a limit belongs to. What nobody could tell is laid to the account, as most limits are. */
function findLimitedKey(
  { folded: { keys } }: PoolEntry,
  scope: string | null | undefined,
  usual: 'account' | 'endpoint',
): string {
  if (scope === 'model' || scope === 'item') return keys.model
  const isEndpoint = scope === 'endpoint' || (usual === 'endpoint' && scope !== 'account')
  return isEndpoint ? (keys.endpoint ?? keys.model) : keys.account
}

interface Rest {
  readonly outcome: WorkOutcome
  readonly now: number
  readonly startedAt: number
  readonly state: 'cooling' | 'parked'
  readonly until: number | null
  readonly wakesByProbe: boolean
  readonly charges?: readonly Charge[]
  readonly unit?: WorkOutcome['unit']
}

function restKey(state: DispatchState, key: string, rest: Rest): DispatchCommand {
  const { ledger, random } = state
  const { charges, unit } = rest
  ledger.observe(
    {
      kind: 'limited',
      key,
      startedAt: rest.startedAt,
      until: rest.until,
      jitter: random.next(),
      rest: rest.state,
      wakesByProbe: rest.wakesByProbe,
      ...(charges === undefined ? {} : { charges }),
      ...(unit === undefined ? {} : { unit }),
    },
    rest.now,
    nextOperation(state),
  )
  const { coolUntil } = ledger.readGate(key, rest.now)
  return { kind: 'rest', key, state: rest.state, until: coolUntil, cause: rest.outcome.class }
}

/** Closes the pool, or each pool of its account, for the run. */
export function settlePools(
  state: DispatchState,
  pool: PoolEntry,
  {
    cause,
    whole,
    message,
  }: {
    readonly cause: SettleCause
    readonly whole: 'pool' | 'account'
    readonly message?: string | undefined
  },
): DispatchCommand[] {
  const closing = state.pools.filter(
    (other) =>
      other === pool ||
      (whole === 'account' && other.folded.keys.account === pool.folded.keys.account),
  )
  const open = closing.filter(({ settled }) => settled === undefined)
  for (const other of open) other.settled = cause
  return open.map((other) => ({
    kind: 'settle_pool',
    poolId: other.pool.id,
    cause,
    message: message ?? null,
  }))
}

/** A pool on which attempt after attempt fails rests for a growing while: it is broken for everybody. */
function countFailure(
  state: DispatchState,
  pool: PoolEntry,
  { seen, isFailure }: { seen: SeenOutcome; isFailure: boolean },
): DispatchCommand[] {
  if (seen.outcome.class === 'ok') pool.failuresInRow = 0
  if (!isFailure) return []
  pool.failuresInRow += 1
  if (pool.failuresInRow < SUSPECT_AFTER) return []
  const rest = { ...seen, state: 'cooling', until: null, wakesByProbe: true } as const
  return [restKey(state, pool.folded.keys.model, rest)]
}

/** Takes in what response headers say is left; a plan window that they say is used up parks the account. */
function observeHeaders(
  state: DispatchState,
  pool: PoolEntry,
  seen: SeenOutcome,
): DispatchCommand[] {
  const { headers } = seen.outcome
  if (headers === undefined) return []
  const windows = readLimitHeaders(headers, {
    provider: pool.pool.providerName,
    receivedAt: seen.now,
  })
  return windows.flatMap((window) => observeWindow(state, pool, { seen, window }))
}

function observeWindow(
  state: DispatchState,
  { folded }: PoolEntry,
  { seen, window }: { seen: SeenOutcome; window: LimitWindow },
): DispatchCommand[] {
  const { kind, unit, remaining, resetAt } = window
  if (kind === 'window' && isExhausted(window) && resetAt !== null && resetAt > seen.now) {
    const rest = { ...seen, state: 'parked', until: resetAt, wakesByProbe: true } as const
    // A window of one family of models closes that family, not everything that the account pays for.
    const key = window.family === undefined ? folded.keys.account : folded.keys.model
    return [restKey(state, key, rest)]
  }
  const metered = folded.metered.find(
    ({ constraint }) =>
      constraint.kind === kind &&
      constraint.unit === unit &&
      (window.perSeconds === null || constraint.perSeconds === window.perSeconds),
  )
  if (remaining === null || metered === undefined) return []
  const { resource } = metered
  const signal = { kind: 'remaining', resource, remaining, startedAt: seen.startedAt } as const
  state.ledger.observe(signal, seen.now, nextOperation(state))
  return []
}
