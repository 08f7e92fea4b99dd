import { foldKey, type JsonObject } from './documents.ts'
import { addDelay, parseDuration, parseRfc3339, readNumericInstant } from './time/index.ts'

/** A time that a field states. */
export interface StatedTime {
  readonly at: number
}

/** Fields that state a wait, by what a bare number counts. */
const WAIT_UNIT_MS: Readonly<Record<string, number>> = {
  retryafterms: 1,
  retrydelayms: 1,
  retryafter: 1_000,
  retryafterseconds: 1_000,
  retryafters: 1_000,
  retryinseconds: 1_000,
  retrydelay: 1_000,
  resetsinseconds: 1_000,
  resetinseconds: 1_000,
  resetafterseconds: 1_000,
  resetafter: 1_000,
  resetin: 1_000,
  resetsin: 1_000,
  waitseconds: 1_000,
  quotaresetdelay: 1_000,
}

/** Fields that state an instant: epoch seconds, epoch milliseconds or RFC 3339. */
const INSTANT_KEYS = new Set([
  'resetsat',
  'resetat',
  'resettime',
  'resettimestamp',
  'quotaresettimestamp',
  'nextresettime',
  'retryat',
  'retryafterdate',
  'availableat',
])

/**
 * The times that the fields of one object state. A wait is read before an instant, since it needs no agreement of
 * clocks; negative and unreadable ones are left out.
 */
export function readStatedTimes(object: JsonObject, now: number): readonly StatedTime[] {
  const waits: StatedTime[] = []
  const instants: StatedTime[] = []
  for (const [key, value] of Object.entries(object)) {
    const folded = foldKey(key)
    const unitMs = Object.hasOwn(WAIT_UNIT_MS, folded) ? WAIT_UNIT_MS[folded] : undefined
    const at =
      unitMs !== undefined
        ? readWait(value, unitMs, now)
        : INSTANT_KEYS.has(folded)
          ? readInstant(value, now)
          : null
    if (at !== null) (unitMs === undefined ? instants : waits).push({ at })
  }
  return waits.length > 0 ? waits : instants
}

function readWait(value: unknown, unitMs: number, now: number): number | null {
  const amount = readNumber(value)
  if (amount !== null) return addDelay(now, amount * unitMs)
  const durationMs = typeof value === 'string' ? parseDuration(value) : null
  return durationMs === null ? null : addDelay(now, durationMs)
}

export function readInstant(value: unknown, now: number): number | null {
  const number = readNumber(value)
  if (number !== null) return number < 1e9 ? null : readNumericInstant(number, now)
  return typeof value === 'string' ? parseRfc3339(value) : null
}

function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^\d{1,16}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null
}
