/** Largest instant a Date can hold. */
const MAX_INSTANT = 8.64e15

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?\s?(Z|UTC|[+-]\d{2}:?\d{2})$/i

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const IMF_FIXDATE = /^[a-z]{3}, (\d{2}) ([a-z]{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) (?:GMT|UTC)$/i
const RFC_850 = /^[a-z]{6,9}, (\d{2})-([a-z]{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) (?:GMT|UTC)$/i
const ASCTIME = /^[a-z]{3} ([a-z]{3}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/i

/** The digits of a date and time, months from 1. */
interface WallDigits {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** Epoch milliseconds of digits read as UTC; null where no calendar has such a day or no clock such a time. */
export function makeWall(digits: WallDigits): number | null {
  const { year, month, day, hour, minute, second } = digits
  // 24:00 is the end of a day and 23:59:60 a leap second; Date.UTC carries both over.
  if (hour > 24 || (hour === 24 && minute + second > 0) || minute > 59 || second > 60) return null
  const midnight = new Date(Date.UTC(year, month - 1, day))
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000
}

/** The instant of an RFC 3339 time; null for anything else, also for a time without an offset. */
export function parseRfc3339(text: string): number | null {
  const match = RFC_3339.exec(text.trim())
  if (match === null) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number)
  const wallMs = makeWall({
    year: year ?? 0,
    month: month ?? 0,
    day: day ?? 0,
    hour: hour ?? 0,
    minute: minute ?? 0,
    second: second ?? 0,
  })
  if (wallMs === null) return null
  return wallMs + Math.ceil(Number(match[7] ?? 0) * 1_000) - parseOffsetMs(match[8] ?? 'Z')
}

function parseOffsetMs(offset: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(offset)
  if (match === null) return 0
  const offsetMs = (Number(match[2]) * 60 + Number(match[3])) * 60_000
  return match[1] === '-' ? -offsetMs : offsetMs
}

/** The instant of an HTTP-date in its three forms (RFC 9110 section 5.6.7); `now` decides the century of two digits. */
export function parseHttpDate(text: string, now: number): number | null {
  const trimmed = text.trim()
  const fixdate = IMF_FIXDATE.exec(trimmed)
  if (fixdate !== null) return makeHttpDate(fixdate.slice(1), Number(fixdate[3]))
  const rfc850 = RFC_850.exec(trimmed)
  if (rfc850 !== null) return makeHttpDate(rfc850.slice(1), findYear(Number(rfc850[3]), now))
  const [, month, day, hour, minute, second, year] = ASCTIME.exec(trimmed) ?? []
  if (year === undefined) return null
  return makeHttpDate([day, month, year, hour, minute, second], Number(year))
}

function makeHttpDate(parts: readonly (string | undefined)[], year: number): number | null {
  const [day, month, , hour, minute, second] = parts
  return makeWall({
    year,
    month: MONTHS.indexOf((month ?? '').toLowerCase()) + 1,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  })
}

/** RFC 9110: a two-digit year that seems more than 50 years ahead is the most recent past one. */
function findYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}

/**
 * The instant that a bare number stands for, by its magnitude: below 1e9 seconds from now, below 1e11 epoch seconds,
 * else epoch milliseconds. Null for a negative or an impossible number.
 */
export function readNumericInstant(value: number, now: number): number | null {
  if (!Number.isFinite(value) || value < 0) return null
  if (value < 1e9) return addDelay(now, value * 1_000)
  const instant = value < 1e11 ? Math.ceil(value * 1_000) : Math.ceil(value)
  return instant <= MAX_INSTANT ? instant : null
}

/** The instant after a delay, rounded up to a millisecond so that a wait is never too short; null when it is none. */
export function addDelay(now: number, delayMs: number): number | null {
  // The small term keeps 59.44 s, which is 59440.000000000007 ms in binary, from becoming 59441 ms.
  const instant = now + Math.ceil(delayMs - 1e-6)
  return delayMs >= 0 && instant <= MAX_INSTANT ? instant : null
}
