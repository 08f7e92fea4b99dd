import {
  addDelay,
  parseDuration,
  parseHttpDate,
  parseRfc3339,
  readNumericInstant,
} from '../time/index.ts'
import type { HeaderMap } from './header-map.ts'

/** The finer headers, in milliseconds, win over `Retry-After`. */
const MILLISECOND_HEADERS = ['retry-after-ms', 'x-ms-retry-after-ms']

/**
 * How far this machine's clock is ahead of the server's, by the response's own `Date`. Instants that the server wrote
 * are moved by it, so that a wrong local clock makes no wrong wait.
 */
export function measureClockSkewMs(headers: HeaderMap, receivedAt: number): number {
  const date = headers.get('date')
  const servedAt = date === undefined ? null : parseHttpDate(date, receivedAt)
  return servedAt === null ? 0 : receivedAt - servedAt
}

/**
 * The earliest instant at which the server wants to be asked again (RFC 9110 section 10.2.3: delta seconds or an
 * HTTP-date; fractions and durations as some gateways send them). Null when absent, negative or not readable.
 */
export function readRetryAt(headers: HeaderMap, receivedAt: number): number | null {
  for (const name of MILLISECOND_HEADERS) {
    const at = addStatedDelay(headers.get(name), receivedAt, 1)
    if (at !== null) return at
  }
  const value = headers.get('retry-after')
  if (value === undefined) return null
  const delayed = addStatedDelay(value, receivedAt, 1_000)
  if (delayed !== null) return delayed
  const written = parseHttpDate(value, receivedAt) ?? parseRfc3339(value)
  const at =
    written === null
      ? addDuration(value, receivedAt)
      : written + measureClockSkewMs(headers, receivedAt)
  return at !== null && at >= receivedAt ? at : null
}

function addStatedDelay(
  value: string | undefined,
  receivedAt: number,
  unitMs: number,
): number | null {
  if (value === undefined || !/^\d{1,13}(?:\.\d{0,9})?$/.test(value)) return null
  const amount = Number(value)
  // A count of seconds this large is an instant that was put into the wrong field.
  if (unitMs === 1_000 && amount >= 1e9) return readNumericInstant(amount, receivedAt)
  return addDelay(receivedAt, amount * unitMs)
}

function addDuration(value: string, receivedAt: number): number | null {
  const durationMs = parseDuration(value)
  return durationMs === null ? null : addDelay(receivedAt, durationMs)
}
