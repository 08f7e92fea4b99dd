import { AuditToolsError, type Random } from '../core/index.ts'
import {
  type CapacityPool,
  type Charge,
  type FoldedPool,
  foldPools,
  type Ledger,
  listConstraints,
  type WorkEstimate,
} from '../quota/index.ts'
import { listEligible } from './eligibility.ts'
import { Frontier, type FrontierEntry } from './frontier.ts'
import { createPoolEntry, type DispatchSessionConfig, type PoolEntry } from './pool-entry.ts'

/** Work that is booked on a pool: claimed, or about to be. */
export interface Flight {
  readonly entry: FrontierEntry
  readonly pool: PoolEntry
  readonly reservationId: string
  readonly estimate: WorkEstimate
  readonly charges: readonly Charge[]
  readonly startedAt: number
  /** Whether it also finds out how much the pool's window holds. */
  readonly isProbe: boolean
}

/** Everything that `decide` works on. Changed in place; has no effects outside itself and the ledger. */
export interface DispatchState {
  /** In order of preference. */
  readonly pools: readonly PoolEntry[]
  readonly poolById: ReadonlyMap<string, PoolEntry>
  readonly frontier: Frontier
  readonly inFlight: Map<string, Flight>
  readonly ledger: Ledger
  readonly random: Random
  readonly maxAttempts: number
  /** Makes operation ids unique among all users of the ledger. */
  readonly operationPrefix: string
  operations: number
}

export interface DispatchStateInput {
  readonly pools: readonly CapacityPool[]
  readonly sessionConfig: DispatchSessionConfig
  readonly ledger: Ledger
  readonly random: Random
  readonly maxAttempts: number
  readonly operationPrefix: string
}

/** Throws `config-invalid` when two pools have one id. */
export function createDispatchState(input: DispatchStateInput, now: number): DispatchState {
  const { sessionConfig, ledger } = input
  const folded = foldPools(input.pools, sessionConfig, now)
  const pools = folded.map((pool, index) => createPoolEntry(pool, index, sessionConfig))
  const state: DispatchState = {
    pools,
    poolById: indexPools(pools),
    frontier: new Frontier(({ node, skipped, avoided }) => {
      const eligible = listEligible(pools, node, skipped)
      const lastResort =
        avoided.size === 0 ? [] : eligible.filter(({ pool }) => avoided.has(pool.id))
      return { eligible: eligible.map(readIndex), avoided: lastResort.map(readIndex) }
    }),
    inFlight: new Map(),
    ledger,
    random: input.random,
    maxAttempts: input.maxAttempts,
    operationPrefix: input.operationPrefix,
    operations: 0,
  }
  ledger.declare(listConstraints(folded), now)
  for (const pool of folded) if (pool.restsUntil !== null) closeAccount(state, pool, now)
  return state
}

function readIndex({ index }: PoolEntry): number {
  return index
}

function indexPools(pools: readonly PoolEntry[]): Map<string, PoolEntry> {
  const byId = new Map(pools.map((entry) => [entry.pool.id, entry]))
  if (byId.size === pools.length) return byId
  const twice = pools.find((entry) => byId.get(entry.pool.id) !== entry)
  throw new AuditToolsError(
    'config-invalid',
    `two pools have the id ${JSON.stringify(twice?.pool.id)}; give each source an id of its own`,
  )
}

function closeAccount(state: DispatchState, folded: FoldedPool, now: number): void {
  const signal = {
    kind: 'limited',
    key: folded.keys.account,
    startedAt: now,
    until: folded.restsUntil,
    jitter: 0,
    rest: 'parked',
    wakesByProbe: false,
  } as const
  state.ledger.observe(signal, now, nextOperation(state))
}

export function nextOperation(state: DispatchState): string {
  state.operations += 1
  return `${state.operationPrefix}-${state.operations}`
}

/** Whether any key of the pool is closed, and until when; null when it may be asked for starts. */
export function readPoolRest(
  { ledger }: DispatchState,
  { folded }: PoolEntry,
  now: number,
): { readonly key: string; readonly until: number; readonly state: 'cooling' | 'parked' } | null {
  const { account, endpoint, model } = folded.keys
  let rest: ReturnType<typeof readPoolRest> = null
  for (const key of [account, endpoint, model]) {
    if (key === undefined) continue
    const { state, coolUntil } = ledger.readGate(key, now)
    if (state !== 'cooling' && state !== 'parked') continue
    if (rest === null || coolUntil > rest.until) rest = { key, until: coolUntil, state }
  }
  return rest
}
