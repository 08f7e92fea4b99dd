import { compareText } from '../core/index.ts'
import {
  type Charge,
  clampToView,
  computeCharges,
  createLedgerView,
  type LedgerView,
  measureCharge,
} from '../quota/index.ts'
import { type DispatchState, nextOperation, readPoolRest } from './dispatch-state.ts'
import type { DispatchCommand } from './events.ts'
import { finishesSoonerElsewhere } from './tail-deferral.ts'
import type { FrontierEntry, PendingClass } from './frontier.ts'
import { type Candidate, findBest, fits, type Lane, openLane } from './lane.ts'
import { estimateWork, needsProbe, type PoolEntry } from './pool-entry.ts'

/** Durations within this factor of each other are equal: what was measured is not more exact than that. */
const DURATION_GRAIN = 1.25

interface Plan {
  readonly state: DispatchState
  readonly now: number
  readonly view: LedgerView
  readonly lanes: ReadonlyMap<number, Lane>
  /** Whether less work waits than could start: then the longest goes first. */
  readonly isTail: boolean
  readonly commands: DispatchCommand[]
}

/**
 * Matches pending work to pools and books each match in the ledger. Work-conserving: what is left has no pool that could
 * start it now, unless a faster pool will finish it sooner or an overtaken item is owed what is left.
 */
export function planStarts(state: DispatchState, now: number): DispatchCommand[] {
  state.frontier.wakeHeld(now)
  if (state.frontier.pendingCount === 0) return []
  const plan = openPlan(state, now)
  serveOverdue(plan)
  for (const pendingClass of sortByChoice(state)) serveClass(plan, pendingClass)
  return plan.commands
}

function openPlan(state: DispatchState, now: number): Plan {
  const view = createLedgerView(state.ledger, now)
  const { meanSize } = state.frontier
  const open = state.pools.filter(
    (pool) => pool.settled === undefined && readPoolRest(state, pool, now) === null,
  )
  const lanes = new Map(open.map((pool) => [pool.index, openLane(pool, view, meanSize)]))
  const free = [...lanes.values()].reduce((sum, lane) => sum + countStarts(lane, meanSize), 0)
  const isTail = state.frontier.pendingCount <= free
  return { state, now, view, lanes, isTail, commands: [] }
}

/** How many items of a size the lane could start now. */
function countStarts({ pool, views }: Lane, size: number): number {
  const estimate = estimateWork(pool, { id: '', estimatedTokens: size })
  const counts = views.map((view) => {
    const micro = clampToView(view, measureCharge(pool.folded, view.constraint, estimate))
    return micro > 0 ? Math.max(0, Math.floor(view.levelMicro / micro)) : Number.POSITIVE_INFINITY
  })
  return Math.min(...counts)
}

/** Classes with the fewest pools to choose from first: the others can still go elsewhere. */
function sortByChoice({ frontier, pools }: DispatchState): PendingClass[] {
  const countOpen = ({ eligible }: PendingClass): number =>
    eligible.filter((index) => pools[index]?.settled === undefined).length
  return [...frontier.listClasses()]
    .map((pendingClass) => ({ pendingClass, choice: countOpen(pendingClass) }))
    .toSorted(
      (left, right) =>
        left.choice - right.choice || compareText(left.pendingClass.key, right.pendingClass.key),
    )
    .map(({ pendingClass }) => pendingClass)
}

function serveClass(plan: Plan, pendingClass: PendingClass): void {
  for (const lane of listLanes(plan, pendingClass)) {
    while (pendingClass.count > 0) {
      const candidate = findBest(lane, pendingClass, plan.isTail)
      if (candidate === undefined) break
      if (finishesSoonerElsewhere(plan, lane, { pendingClass, size: candidate.entry.size })) break
      if (!start(plan, lane, candidate)) break
    }
  }
}

/** The lanes of a class, least expected duration first, then in order of preference and cost. */
function listLanes({ lanes }: Plan, { eligible, avoided }: PendingClass): Lane[] {
  const open = eligible.flatMap((index) => lanes.get(index) ?? [])
  const preferred = open.filter(({ pool }) => !avoided.has(pool.index))
  const chosen = preferred.length > 0 ? preferred : open
  const known = chosen.flatMap(({ durationMs }) => durationMs ?? [])
  // A pool that nobody has tried is taken to be as fast as the fastest, or it would never be tried.
  const assumed = Math.min(...known)
  return chosen
    .map((lane) => ({ lane, grade: gradeDuration(lane.durationMs ?? assumed) }))
    .toSorted(
      (left, right) => left.grade - right.grade || comparePools(left.lane.pool, right.lane.pool),
    )
    .map(({ lane }) => lane)
}

function gradeDuration(durationMs: number): number {
  return Number.isFinite(durationMs)
    ? Math.round(Math.log(durationMs) / Math.log(DURATION_GRAIN))
    : 0
}

function comparePools(left: PoolEntry, right: PoolEntry): number {
  if (left.preference !== right.preference) return left.preference - right.preference
  return readPrice(left) - readPrice(right) || left.index - right.index
}

function readPrice({ pool: { cost } }: PoolEntry): number {
  return cost === undefined ? 0 : cost.input + cost.output
}

function start(plan: Plan, lane: Lane, { entry, estimate }: Omit<Candidate, 'score'>): boolean {
  const { state, now } = plan
  const { pool } = lane
  const charges: Charge[] = computeCharges(pool.folded, estimate)
  const answer = state.ledger.reserve(charges, now, nextOperation(state))
  if (answer.kind === 'refused') return false
  plan.view.take(charges)
  const { reservationId } = answer
  const isProbe = needsProbe(pool, entry.node)
  if (isProbe) pool.probesInFlight += 1
  pool.inFlight += 1
  pool.warmPrefix = entry.node.prefix
  state.frontier.start(entry)
  const flight = { entry, pool, reservationId, estimate, charges, startedAt: now, isProbe }
  state.inFlight.set(entry.node.id, flight)
  plan.commands.push({
    kind: 'claim',
    nodeId: entry.node.id,
    poolId: pool.pool.id,
    reservationId,
    estimate,
  })
  return true
}

/** Starts the item that was overtaken too often, or keeps what it waits for from everybody else. */
function serveOverdue(plan: Plan): void {
  const entry = plan.state.frontier.findOverdue()
  if (entry?.place === undefined) return
  const lanes = listLanes(plan, entry.place.pendingClass)
  const ready = lanes.find((lane) => fits(lane, estimateWork(lane.pool, entry.node)))
  if (ready !== undefined) {
    start(plan, ready, { entry, estimate: estimateWork(ready.pool, entry.node) })
    return
  }
  for (const view of findSoonest(plan, lanes, entry)?.rates ?? []) view.levelMicro = 0
}

function findSoonest(
  { state, now }: Plan,
  lanes: readonly Lane[],
  entry: FrontierEntry,
): Lane | undefined {
  let soonest: { lane: Lane; at: number } | undefined
  for (const lane of lanes) {
    const charges = computeCharges(lane.pool.folded, estimateWork(lane.pool, entry.node))
    const at = state.ledger.check(charges, now)?.retryAt ?? null
    if (at !== null && (soonest === undefined || at < soonest.at)) soonest = { lane, at }
  }
  return soonest?.lane
}
