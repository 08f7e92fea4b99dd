import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseReset } from './reset.ts'

const RUNS = { numRuns: 1_000 }
const NOW = Date.parse('2026-08-14T21:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface Split {
  readonly days: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
  readonly milliseconds: number
}

function splitDuration(durationMs: number): Split {
  return {
    days: Math.floor(durationMs / DAY_MS),
    hours: Math.floor(durationMs / HOUR_MS) % 24,
    minutes: Math.floor(durationMs / MINUTE_MS) % 60,
    seconds: Math.floor(durationMs / 1_000) % 60,
    milliseconds: durationMs % 1_000,
  }
}

function pluralise(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The ways in which providers and CLIs write a duration of whole milliseconds, each with the step it can express. */
const DIALECTS: readonly (readonly [
  name: string,
  stepMs: number,
  format: (durationMs: number) => string,
])[] = [
  [
    'Go',
    1,
    (durationMs) => {
      const { seconds, milliseconds } = splitDuration(durationMs)
      if (durationMs < 1_000) return `${durationMs}ms`
      const hours = Math.floor(durationMs / HOUR_MS)
      const minutes = Math.floor(durationMs / MINUTE_MS) % 60
      const fraction = milliseconds === 0 ? '' : `.${String(milliseconds).padStart(3, '0')}`
      const tail = `${seconds}${fraction}s`
      if (hours > 0) return `${hours}h${minutes}m${tail}`
      return minutes > 0 ? `${minutes}m${tail}` : tail
    },
  ],
  ['Go in microseconds', 1, (durationMs) => `${durationMs * 1_000}\u00b5s`],
  ['Go in nanoseconds', 1, (durationMs) => `${durationMs * 1_000_000}ns`],
  ['protobuf', 1, (durationMs) => `${(durationMs / 1_000).toFixed(9)}s`],
  ['delta seconds', 1, (durationMs) => String(durationMs / 1_000)],
  [
    'words',
    1_000,
    (durationMs) => {
      const { days, hours, minutes, seconds } = splitDuration(durationMs)
      return [
        pluralise(days, 'day'),
        pluralise(hours, 'hour'),
        pluralise(minutes, 'minute'),
        pluralise(seconds, 'second'),
      ].join(' ')
    },
  ],
  [
    'short words',
    MINUTE_MS,
    (durationMs) =>
      `${Math.floor(durationMs / HOUR_MS)}hr ${Math.floor(durationMs / MINUTE_MS) % 60}min`,
  ],
  [
    'weeks and days',
    DAY_MS,
    (durationMs) =>
      `${Math.floor(durationMs / DAY_MS / 7)}w${Math.floor(durationMs / DAY_MS) % 7}d`,
  ],
  [
    'Chinese',
    1_000,
    (durationMs) => {
      const { days, hours, minutes, seconds } = splitDuration(durationMs)
      return `${days}天${hours}小时${minutes}分钟${seconds}秒`
    },
  ],
]

test.each(DIALECTS)(
  'Duration round trip: format(d) in the %s dialect parses to d',
  (_name, stepMs, format) => {
    const maxSteps = Math.floor((8 * 7 * DAY_MS) / stepMs)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxSteps }), (steps) => {
        const durationMs = steps * stepMs
        const written = format(durationMs)
        expect(parseReset(written, { now: NOW, timeZone: 'UTC' })?.at, written).toBe(
          NOW + durationMs,
        )
        const said = parseReset(
          `Please try again in ${written === String(durationMs / 1_000) ? `${written}s` : written}.`,
          {
            now: NOW,
            timeZone: 'UTC',
          },
        )
        expect(said?.at, written).toBe(NOW + durationMs)
      }),
      RUNS,
    )
  },
)

test('Duration round trip: random junk yields a time after now or none, never an exception', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      'resets ',
      'in ',
      'at ',
      '3pm',
      ' (',
      ')',
      'Oct 9',
      '2026-',
      '6m0s',
      '|',
      '-',
      '99',
      'h',
      ':',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const reset = parseReset(pieces.join(''), { now: NOW, timeZone: 'UTC' })
      expect(reset === null || reset.at >= NOW).toBe(true)
    }),
    RUNS,
  )
})

const zones = Intl.supportedValuesOf('timeZone')
const formats = new Map<string, Intl.DateTimeFormat>()

/** What clocks show, as if it were UTC; by the digits that `Intl` prints, so by another way than the parser's. */
function showWall(instant: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    formats.set(timeZone, format)
  }
  const [month, day, year, hour, minute] = (format.format(instant).match(/\d+/g) ?? []).map(Number)
  return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute)
}

/** The first minute after now at which clocks show the time of day, or at which a gap that holds it ends. */
function scanForClock(timeOfDayMs: number, now: number, timeZone: string): number {
  let before = showWall(now, timeZone)
  for (let at = now - (now % MINUTE_MS) + MINUTE_MS; ; at += MINUTE_MS) {
    const wall = showWall(at, timeZone)
    const skipped = wall - before
    const sinceTarget = (((wall - timeOfDayMs) % DAY_MS) + DAY_MS) % DAY_MS
    if (sinceTarget === 0 || (skipped > MINUTE_MS && sinceTarget < skipped - MINUTE_MS + 1))
      return at
    before = wall
  }
}

/** Instants near a change of clocks in a zone that has one, half of the time; else anywhen. */
const zonedInstant = fc
  .record({
    timeZone: fc.constantFrom(...zones),
    minute: fc.integer({ min: Date.UTC(2000) / MINUTE_MS, max: Date.UTC(2037) / MINUTE_MS }),
    offsetMinutes: fc.integer({ min: -180, max: 180 }),
    isNearChange: fc.boolean(),
  })
  .map(({ timeZone, minute, offsetMinutes, isNearChange }) => {
    const at = minute * MINUTE_MS
    const change = isNearChange ? findChange(at, timeZone) : undefined
    return { timeZone, now: change === undefined ? at : change + offsetMinutes * MINUTE_MS }
  })

function findChange(from: number, timeZone: string): number | undefined {
  const offset = (at: number): number => showWall(at, timeZone) - at
  for (let day = 0; day < 200; day += 1) {
    let low = from + day * DAY_MS
    let high = low + DAY_MS
    if (offset(low) === offset(high)) continue
    while (high - low > MINUTE_MS) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS
      if (offset(middle) === offset(low)) low = middle
      else high = middle
    }
    return high
  }
  return undefined
}

test('Clock text: for any zone, instant and DST change, "resets h[:mm]am/pm (zone)" parses to the first such wall time strictly after now', () => {
  const clock = fc.record({
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
  })
  fc.assert(
    fc.property(
      zonedInstant,
      clock,
      fc.boolean(),
      ({ timeZone, now }, { hour, minute }, isRound) => {
        const shownMinute = isRound ? 0 : minute
        const half = hour < 12 ? 'am' : 'pm'
        const digits = isRound
          ? `${hour % 12 || 12}`
          : `${hour % 12 || 12}:${String(minute).padStart(2, '0')}`
        const text = `You've hit your limit \u00b7 resets ${digits}${half} (${timeZone})`
        const expected = scanForClock((hour * 60 + shownMinute) * MINUTE_MS, now, timeZone)
        const reset = parseReset(text, { now, timeZone: 'UTC' })
        expect(
          reset && new Date(reset.at).toISOString(),
          `${text} at ${new Date(now).toISOString()}`,
        ).toBe(new Date(expected).toISOString())
      },
    ),
    RUNS,
  )
}, 120_000)
