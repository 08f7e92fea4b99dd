import { DAY_MS } from './duration.ts'
import { findInstants, readWall } from './wall-time.ts'
import { findLocalZone, findZone } from './zone.ts'

/** The instant after now at which a day or month ends by the clocks of a zone. */
export function findCalendarEnd(
  period: 'day' | 'month',
  { now, timeZone }: { now: number; timeZone: string },
): number {
  const zone = findZone(timeZone) ?? findLocalZone()
  const wall = new Date(readWall(now, zone))
  const midnight =
    period === 'month'
      ? Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 1)
      : Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + 1)
  return findInstants(midnight, zone).find((instant) => instant > now) ?? now + DAY_MS
}
