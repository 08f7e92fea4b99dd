import { readFigure } from './constraint.ts'
import type { CapacityPool, UsageWindow } from './pool.ts'

/** The size of a window; one in percent has a hundred. */
export function readWindowLimit({ limit, unit }: UsageWindow): number | undefined {
  return readFigure(limit) ?? (unit === 'percent' ? 100 : undefined)
}

/** What is used of a window; undefined when neither that nor what is left was stated. */
export function readWindowUse(window: UsageWindow): number | undefined {
  const { used, remaining } = window
  // Unlike a limit, a use of zero says something.
  if (typeof used === 'number' && used >= 0) return used
  const limit = readWindowLimit(window)
  if (typeof remaining !== 'number' || !(remaining >= 0) || limit === undefined) return undefined
  return Math.max(0, limit - remaining)
}

function isUsedUp(window: UsageWindow): boolean {
  const limit = readWindowLimit(window)
  const used = readWindowUse(window)
  return limit !== undefined && used !== undefined && used >= limit
}

/** Epoch milliseconds until which a pool's signals say that its account rests; null when none does. */
export function foldRest(pool: CapacityPool, now: number): number | null {
  const { quotaStateEntry: entry, quotaSourceSnapshot: snapshot } = pool
  const closed = (snapshot?.windows ?? []).filter((window) => isUsedUp(window))
  const instants = [
    readInstant(entry?.cooldown_until),
    readInstant(snapshot?.cooldown_until),
    ...closed.map((window) => readInstant(window.resets_at)),
  ]
  const later = instants.filter((at) => at !== undefined && at > now)
  return later.length === 0 ? null : Math.max(...later.map(Number))
}

/** Epoch milliseconds of an RFC 3339 text; undefined when it is none. */
export function readInstant(text: string | null | undefined): number | undefined {
  const instant = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}
