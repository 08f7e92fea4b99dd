import { computeCharges } from '../quota/index.ts'
import type { DispatchState } from './dispatch-state.ts'
import { type FrontierEntry, type PendingClass, readSorted } from './frontier.ts'
import { estimateWork } from './pool-entry.ts'

/**
 * The first instant after `now` at which time alone may let pending work start; null when only an event can. Work that
 * could start already and was kept back waits for an event, not for time.
 */
export function findNextWake(state: DispatchState, now: number): number | null {
  const instants = [state.frontier.findHeldUntil()]
  for (const pendingClass of state.frontier.listClasses()) {
    for (const entry of listSmallest(pendingClass)) {
      instants.push(findEntryWake(state, { pendingClass, entry, now }))
    }
  }
  const overdue = state.frontier.findOverdue()
  if (overdue?.place !== undefined) {
    const { pendingClass } = overdue.place
    instants.push(findEntryWake(state, { pendingClass, entry: overdue, now }))
  }
  const later = instants.filter((at) => at !== null && at > now)
  return later.length === 0 ? null : Math.min(...later.map(Number))
}

/** For each length of answer the smallest entry: one of them fits first. */
function listSmallest({ groups }: PendingClass): FrontierEntry[] {
  const smallest = new Map<string, FrontierEntry>()
  for (const group of groups) {
    const [entry] = readSorted(group)
    // Later groups have smaller entries.
    if (entry !== undefined) smallest.set(group.outputOctave, entry)
  }
  return [...smallest.values()]
}

interface Question {
  readonly pendingClass: PendingClass
  readonly entry: FrontierEntry
  readonly now: number
}

function findEntryWake(
  state: DispatchState,
  { pendingClass, entry, now }: Question,
): number | null {
  let earliest: number | null = null
  for (const index of pendingClass.eligible) {
    const pool = state.pools[index]
    if (pool === undefined || pool.settled !== undefined) continue
    const charges = computeCharges(pool.folded, estimateWork(pool, entry.node))
    const retryAt = state.ledger.check(charges, now)?.retryAt ?? null
    if (retryAt !== null && (earliest === null || retryAt < earliest)) earliest = retryAt
  }
  return earliest
}
