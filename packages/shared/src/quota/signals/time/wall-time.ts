import { DAY_MS } from './duration.ts'
import type { Zone } from './zone.ts'

/** A time as a clock on the wall shows it, written as if it were UTC: epoch milliseconds of the same digits in UTC. */
type WallMs = number

/** What the clocks of a zone show at an instant. */
export function readWall(instant: number, zone: Zone): WallMs {
  return instant + zone.offsetMsAt(instant)
}

/**
 * Every instant at which the clocks of a zone show a time, earliest first. A time that clocks pass over because they
 * are set forward is the one instant at which the gap ends; a time they show twice gives two instants.
 */
export function findInstants(wallMs: WallMs, zone: Zone): readonly number[] {
  const offsets = [zone.offsetMsAt(wallMs - DAY_MS), zone.offsetMsAt(wallMs + DAY_MS)]
  const instants = [...new Set(offsets)]
    .map((offsetMs) => wallMs - offsetMs)
    .filter((instant) => readWall(instant, zone) === wallMs)
    .toSorted((left, right) => left - right)
  if (instants.length > 0) return instants
  return [findGapEnd(wallMs - Math.max(...offsets), wallMs - Math.min(...offsets), zone)]
}

/** The first instant after `before` at which the offset is another one; there is a change at or before `after`. */
function findGapEnd(before: number, after: number, zone: Zone): number {
  const offsetMs = zone.offsetMsAt(before)
  let low = before
  let high = after
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zone.offsetMsAt(middle) === offsetMs) low = middle
    else high = middle
  }
  return high
}
