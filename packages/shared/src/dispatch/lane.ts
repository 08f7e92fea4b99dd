import {
  allowsCharge,
  clampToView,
  type LedgerView,
  measureCharge,
  type ResourceView,
  type WorkEstimate,
} from '../quota/index.ts'
import { expectDurationMs } from './experience.ts'
import type { FrontierEntry, PendingClass, PendingGroup } from './frontier.ts'
import { readSorted } from './frontier.ts'
import { estimateWork, needsProbe, type PoolEntry } from './pool-entry.ts'

/** A pool that may start work in the current plan, with what its limits still allow. */
export interface Lane {
  readonly pool: PoolEntry
  readonly views: readonly ResourceView[]
  /** Of the views, those that an item's cost is matched against; empty when only the number of items counts. */
  readonly rates: readonly ResourceView[]
  /** Expected duration of work of mean size; undefined before anything finished. */
  readonly durationMs: number | undefined
}

export function openLane(pool: PoolEntry, view: LedgerView, meanSize: number): Lane {
  const views = pool.folded.metered.map((metered) => view.open(metered))
  const rates = views.filter(
    ({ constraint: { kind, limit } }) =>
      (kind === 'rate' || kind === 'window') && typeof limit === 'number',
  )
  return { pool, views, rates, durationMs: expectDurationMs(pool.experience, meanSize) }
}

/** What a cached prompt prefix is worth against likeness of cost, which is at most 1. */
const WARM_BONUS = 0.01

/** Scores closer than this are equal: the larger work goes first. */
const SCORE_GRAIN = 1e-9

export interface Candidate {
  readonly entry: FrontierEntry
  readonly estimate: WorkEstimate
  readonly score: number
}

/**
 * The pending entry of a class that suits the lane best now, or undefined when none fits. Under rates that is the one
 * whose cost is most like what is left, so that no rate runs dry before the others; else, and in the tail, the longest.
 */
export function findBest(
  lane: Lane,
  pendingClass: PendingClass,
  isTail: boolean,
): Candidate | undefined {
  const takesLongest = isTail || lane.rates.length < 2
  let best: Candidate | undefined
  for (const group of pendingClass.groups) {
    const found = findLargestFitting(lane, group)
    if (found === undefined) continue
    if (takesLongest) return { ...found, score: 0 }
    const isWarm = group.prefix !== undefined && group.prefix === lane.pool.warmPrefix
    const score = measureLikeness(lane, found.estimate) + (isWarm ? WARM_BONUS : 0)
    if (best === undefined || score > best.score + SCORE_GRAIN) best = { ...found, score }
  }
  return best
}

function findLargestFitting(lane: Lane, group: PendingGroup): Omit<Candidate, 'score'> | undefined {
  const entries = readSorted(group)
  for (let index = findLastPossible(lane, group); index >= 0; index -= 1) {
    const entry = entries[index]
    if (entry === undefined) continue
    const estimate = estimateWork(lane.pool, entry.node)
    if (fits(lane, estimate) && mayProbe(lane, entry)) return { entry, estimate }
  }
  return undefined
}

/** Index of the largest entry that would fit if its answer were the shortest of the group; -1 when none would. */
function findLastPossible(lane: Lane, group: PendingGroup): number {
  const last = readSorted(group).length - 1
  if (couldFit(lane, group, last)) return last
  if (!couldFit(lane, group, 0)) return -1
  let low = 0
  let high = last
  while (low + 1 < high) {
    const middle = (low + high) >> 1
    if (couldFit(lane, group, middle)) low = middle
    else high = middle
  }
  return low
}

function couldFit(lane: Lane, group: PendingGroup, index: number): boolean {
  const node = readSorted(group)[index]?.node
  if (node === undefined) return false
  const { leastOutput } = group
  const shortest = leastOutput === undefined ? node : { ...node, outputTokens: leastOutput }
  return fits(lane, estimateWork(lane.pool, shortest))
}

/** Whether every limit of the lane allows the work now. */
export function fits(lane: Lane, estimate: WorkEstimate): boolean {
  const { folded } = lane.pool
  return lane.views.every((view) =>
    allowsCharge(view, measureCharge(folded, view.constraint, estimate)),
  )
}

function mayProbe({ pool }: Lane, { node }: FrontierEntry): boolean {
  return pool.probesInFlight === 0 || !needsProbe(pool, node)
}

/** Cosine between what is left of each rate and what the work takes of it, both as shares of the whole. */
function measureLikeness(lane: Lane, estimate: WorkEstimate): number {
  let product = 0
  let levels = 0
  let costs = 0
  for (const view of lane.rates) {
    const micro = measureCharge(lane.pool.folded, view.constraint, estimate)
    const level = Math.max(0, view.levelMicro) / view.capacityMicro
    const cost = clampToView(view, micro) / view.capacityMicro
    product += level * cost
    levels += level * level
    costs += cost * cost
  }
  return levels === 0 || costs === 0 ? 0 : product / Math.sqrt(levels * costs)
}
