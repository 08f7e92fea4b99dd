import type { Confidence } from '../../constraint.ts'
import { DAY_MS, matchAt, type Read } from './duration.ts'
import { makeWall } from './instant.ts'
import { findInstants, readWall } from './wall-time.ts'
import { readZone, type Zone } from './zone.ts'

interface Moment {
  /** Epoch milliseconds, strictly after now. */
  readonly at: number
  /** `clock` when only a time of day was given, `date` when a day was named too. */
  readonly form: 'clock' | 'date'
  readonly confidence: Confidence
}

export interface MomentContext {
  readonly now: number
  /** The zone of times that name none. */
  readonly zone: Zone
}

interface Parts {
  year?: number
  month?: number
  day?: number
  weekday?: number
  dayOffset?: number
  hour?: number
  minute?: number
  second?: number
  afternoon?: boolean
  zone?: Zone
  unknownZone?: boolean
}

/** Names of the months in the languages that CLIs print dates in. */
const MONTH_NAMES = [
  'jan january januar enero ene janvier janv gennaio gen janeiro',
  'feb february februar febrero février févr fév febbraio fevereiro fev',
  'mar march märz mär mars marzo março',
  'apr april abril abr avril avr aprile',
  'may mai mayo maggio mag maio',
  'jun june juni junio juin giugno giu junho',
  'jul july juli julio juillet juil luglio lug julho',
  'aug august agosto ago août',
  'sep sept september septiembre septembre settembre setembro',
  'oct october oktober okt octubre octobre ottobre ott outubro',
  'nov november noviembre novembre novembro',
  'dec december dezember dez diciembre dic décembre déc dicembre dezembro',
]
const WEEKDAY_NAMES = [
  'sun sunday',
  'mon monday',
  'tue tues tuesday',
  'wed weds wednesday',
  'thu thur thurs thursday',
  'fri friday',
  'sat saturday',
]
const MONTHS = numberNames(MONTH_NAMES, 1)
const WEEKDAYS = numberNames(WEEKDAY_NAMES, 0)

const FILLER =
  /(?:[\s,@~]|(?:at|on|the|by|of|next|this|around|about|approximately|today|tonight|de|à|um|le|el|今天)(?![\p{L}\d]))+/iuy
const MAX_TOKENS = 12

/** One way to read the next piece of a date or time; false when the piece cannot belong to it. */
type Token = readonly [pattern: RegExp, take: (match: RegExpExecArray, parts: Parts) => boolean]

const TOKENS: readonly Token[] = [
  [
    /(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)(?:T(?=\d))?/y,
    ([, year, month, day], parts) => takeDate(parts, { year, month, day }),
  ],
  [
    /(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/y,
    ([, first, second, year], parts) => takeSlashDate(parts, Number(first), Number(second), year),
  ],
  [
    /(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]/y,
    ([, year, month, day], parts) => takeDate(parts, { year, month, day }),
  ],
  [
    /(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:\s?([ap])\.?\s?m\b\.?)?(?![\d:])/iy,
    ([, hour, minute, second, half], parts) => takeTime(parts, { hour, minute, second, half }),
  ],
  [/(\d{1,2})\s?([ap])\.?\s?m\b\.?/iy, ([, hour, half], parts) => takeTime(parts, { hour, half })],
  [
    /(\d{1,2})\s?[時时點点시](?:\s?(\d{1,2})\s?[分분])?/y,
    ([, hour, minute], parts) => takeTime(parts, { hour, minute }),
  ],
  [
    /(\p{L}{3,12})\.?\s{1,2}(\d{1,2})(?:st|nd|rd|th|\.)?(?![\d:]|\s?[ap]\.?m)/iuy,
    ([, name, day], parts) => takeDate(parts, { name, day }),
  ],
  [
    /(\d{1,2})(?:st|nd|rd|th|\.)?(?:\s{1,2}(?:de|of))?\s{1,2}(\p{L}{3,12})\.?/iuy,
    ([, day, name], parts) => takeDate(parts, { name, day }),
  ],
  [/(\d{4})(?![\d:])/y, ([, year], parts) => takeYear(parts, Number(year))],
  [/(上午|午前|오전|凌晨|下午|午後|오후|晚上)/y, ([, word], parts) => takeHalf(parts, word ?? '')],
  [/(\p{L}{2,12})\.?/uy, ([, word], parts) => takeWord(parts, (word ?? '').toLowerCase())],
]

/**
 * Reads a wall time at a position: `3pm (America/Bogota)`, `Oct 9, 5pm`, `Monday 9am`, `Jan 2nd, 2026 3:05 PM`,
 * `tomorrow at 15:00 UTC`. Without a date it is the next such time strictly after now; a date that has passed is null.
 */
export function readMoment(
  text: string,
  start: number,
  context: MomentContext,
): Read<Moment> | null {
  const parts: Parts = {}
  let end = start
  for (let tokens = 0; tokens < MAX_TOKENS; tokens += 1) {
    const position = skipFiller(text, end)
    const next = readToken(text, position, parts) ?? readZonePart(text, position, parts)
    if (next === null) break
    end = next
  }
  const moment = resolveMoment(parts, context)
  return moment === null ? null : { value: moment, end }
}

function readToken(text: string, position: number, parts: Parts): number | null {
  for (const [pattern, take] of TOKENS) {
    const match = matchAt(pattern, text, position)
    if (match !== null && take(match, parts)) return position + match[0].length
  }
  return null
}

function readZonePart(text: string, position: number, parts: Parts): number | null {
  const hasTime = parts.hour !== undefined || parts.month !== undefined
  if (!hasTime || parts.zone !== undefined || parts.unknownZone === true) return null
  const zone = readZone(text, position)
  if (zone === null) return null
  if (zone.value === undefined) parts.unknownZone = true
  else parts.zone = zone.value
  return zone.end
}

function skipFiller(text: string, position: number): number {
  return position + (matchAt(FILLER, text, position)?.[0].length ?? 0)
}

interface DateDigits {
  readonly year?: string | undefined
  readonly month?: string | undefined
  readonly name?: string | undefined
  readonly day: string | undefined
}

function takeDate(parts: Parts, digits: DateDigits): boolean {
  const month =
    digits.name === undefined ? Number(digits.month) : MONTHS.get(digits.name.toLowerCase())
  if (month === undefined || parts.month !== undefined) return false
  parts.month = month
  parts.day = Number(digits.day)
  if (digits.year !== undefined) parts.year = Number(digits.year)
  return true
}

/** Half of the world writes the day first: only a date that reads the same either way, or one way at all, is taken. */
function takeSlashDate(
  parts: Parts,
  first: number,
  second: number,
  year: string | undefined,
): boolean {
  if (first !== second && first <= 12 && second <= 12) return false
  const [month, day] = first > 12 ? [second, first] : [first, second]
  return takeDate(parts, { year, month: String(month), day: String(day) })
}

interface TimeDigits {
  readonly hour: string | undefined
  readonly minute?: string | undefined
  readonly second?: string | undefined
  readonly half?: string | undefined
}

function takeTime(parts: Parts, digits: TimeDigits): boolean {
  if (parts.hour !== undefined) return false
  const hour = Number(digits.hour)
  const afternoon = digits.half === undefined ? parts.afternoon : digits.half.toLowerCase() === 'p'
  if (digits.half !== undefined && (hour < 1 || hour > 12)) return false
  parts.hour = afternoon === undefined || hour > 12 ? hour : (hour % 12) + (afternoon ? 12 : 0)
  parts.minute = Number(digits.minute ?? 0)
  parts.second = Number(digits.second ?? 0)
  return true
}

function takeYear(parts: Parts, year: number): boolean {
  if (parts.month === undefined || parts.year !== undefined || year < 1970) return false
  parts.year = year
  return true
}

function takeHalf(parts: Parts, word: string): boolean {
  parts.afternoon = ['下午', '午後', '오후', '晚上'].includes(word)
  return true
}

function takeWord(parts: Parts, word: string): boolean {
  const weekday = WEEKDAYS.get(word)
  if (weekday !== undefined && parts.weekday === undefined) parts.weekday = weekday
  else if (word === 'tomorrow' || word === '明天') parts.dayOffset = 1
  else if (word === 'midnight' && parts.hour === undefined) parts.hour = 0
  else if (word === 'noon' && parts.hour === undefined) parts.hour = 12
  else return false
  return true
}

function resolveMoment(parts: Parts, { now, zone: defaultZone }: MomentContext): Moment | null {
  const zone = parts.zone ?? defaultZone
  const hasDay = parts.month !== undefined || parts.weekday !== undefined || parts.dayOffset === 1
  if (parts.hour === undefined && !hasDay) return null
  const days = hasDay ? listDays(parts, readWall(now, zone)) : listDaysAround(readWall(now, zone))
  const at = findNext(days, parts, { now, zone })
  if (at === null) return null
  const isVague = parts.unknownZone === true || parts.hour === undefined
  const confidence = isVague ? 'low' : parts.zone === undefined ? 'medium' : 'high'
  return { at, form: hasDay ? 'date' : 'clock', confidence }
}

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The days that the parts may mean, in order. Without a year it is this year's or the next year's. */
function listDays(parts: Parts, wallNow: number): readonly Day[] {
  if (parts.month !== undefined && parts.day !== undefined) {
    const { month, day } = parts
    const thisYear = new Date(wallNow).getUTCFullYear()
    const years = parts.year === undefined ? [thisYear, thisYear + 1] : [parts.year]
    return years.map((year) => ({ year, month, day }))
  }
  if (parts.weekday === undefined) return [readDay(wallNow + DAY_MS)]
  const today = new Date(wallNow).getUTCDay()
  const ahead = (parts.weekday - today + 7) % 7
  return [readDay(wallNow + ahead * DAY_MS), readDay(wallNow + (ahead + 7) * DAY_MS)]
}

/** Yesterday too: clocks that are set back over midnight show its last hour again. */
function listDaysAround(wallNow: number): readonly Day[] {
  return [-1, 0, 1, 2].map((offset) => readDay(wallNow + offset * DAY_MS))
}

function readDay(wallMs: number): Day {
  const date = new Date(wallMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** A date without a year that comes only in this many days has just passed: no limit lasts a year. */
const MAX_AHEAD_DAYS = 335

function findNext(days: readonly Day[], parts: Parts, { now, zone }: MomentContext): number | null {
  const { hour = 0, minute = 0, second = 0 } = parts
  for (const day of days) {
    const wallMs = makeWall({ ...day, hour, minute, second })
    if (wallMs === null) continue
    const next = findInstants(wallMs, zone).find((instant) => instant > now)
    if (next === undefined) continue
    return parts.year === undefined && next - now > MAX_AHEAD_DAYS * DAY_MS ? null : next
  }
  return null
}

function numberNames(names: readonly string[], first: number): ReadonlyMap<string, number> {
  return new Map(
    names.flatMap((words, index) => words.split(' ').map((word) => [word, index + first] as const)),
  )
}
