const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Milliseconds of a day without a change of clocks. */
export const DAY_MS = 24 * HOUR_MS

/** Units as providers write them: Go and protobuf letters, English words and short forms, and their translations. */
const UNIT_NAMES: readonly (readonly [unitMs: number, names: string])[] = [
  [1e-6, 'ns nanosecond nanoseconds'],
  [1e-3, 'us μs microsecond microseconds'],
  [1, 'ms msec msecs milli millis millisecond milliseconds 毫秒'],
  [
    SECOND_MS,
    's sec secs second seconds segundo segundos seconde secondes sekunde sekunden 秒 秒钟 秒鐘 초',
  ],
  [MINUTE_MS, 'm min mins minute minutes minuto minutos minuten 分 分钟 分鐘 분'],
  [
    HOUR_MS,
    'h hr hrs hour hours hora horas heure heures stunde stunden 小时 小時 个小时 時間 시간',
  ],
  [DAY_MS, 'd day days día días dia dias jour jours tag tage tagen 天 日 일'],
  [7 * DAY_MS, 'w wk wks week weeks semana semanas semaine semaines woche wochen 周 週 주'],
]

const UNIT_MS: ReadonlyMap<string, number> = new Map(
  UNIT_NAMES.flatMap(([unitMs, names]) => names.split(' ').map((name) => [name, unitMs] as const)),
)

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ['a', 1],
  ['an', 1],
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map(
    (word, index) => [word, index + 1] as const,
  ),
])

/** `1,500` has a thousands comma, `1,5` a decimal one. */
const AMOUNT = /\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,18}(?:[.,]\d{1,12})?/y
const RANGE_END = /\s{0,2}(?:-|to|or)\s{0,2}(\d{1,9}(?:\.\d{1,9})?)/y
const HALF = /half an?(?=\s)/iy
const WORD = /\p{L}{1,20}/uy
const SPACE = /\s{0,3}/y
const JOINER = /[\s,]{0,3}(?:(?:and|und|et|y|e)\s{1,3})?/iy
const IDEOGRAPHIC = /^[\u3000-\u9fff\uac00-\ud7af]/
const MAX_PARTS = 12

/** A value read from a text and the position after it. */
export interface Read<Value> {
  readonly value: Value
  readonly end: number
}

/** The match of a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(text)
}

/**
 * Reads a duration such as `6m0s`, `34.07s`, `2 days 17 hours`, `6hr 29min`, `an hour` at a position and sums its
 * parts. Of a range (`5-10 minutes`) the longer end counts, since a wait must not be too short.
 */
export function readDuration(text: string, start: number): Read<number> | null {
  let total = 0
  let end = -1
  let position = start
  for (let parts = 0; parts < MAX_PARTS; parts += 1) {
    const part = readPart(text, position)
    if (part === null) break
    total += part.value
    end = part.end
    position = end + (matchAt(JOINER, text, end)?.[0].length ?? 0)
  }
  return end < 0 ? null : { value: total, end }
}

/** The milliseconds of a text that is one duration and nothing else; null for anything else, also for a negative one. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim()
  const duration = readDuration(trimmed, 0)
  return duration !== null && duration.end === trimmed.length ? duration.value : null
}

function readPart(text: string, start: number): Read<number> | null {
  const amount = readAmount(text, start)
  if (amount === null) return null
  const gap = matchAt(SPACE, text, amount.end)?.[0].length ?? 0
  const unit = readUnit(text, amount.end + gap)
  return unit === null ? null : { value: amount.value * unit.value, end: unit.end }
}

function readAmount(text: string, start: number): Read<number> | null {
  const digits = matchAt(AMOUNT, text, start)?.[0]
  if (digits !== undefined) {
    const range = matchAt(RANGE_END, text, start + digits.length)
    const first = parseAmount(digits)
    return range === null
      ? { value: first, end: start + digits.length }
      : {
          value: Math.max(first, Number(range[1])),
          end: start + digits.length + range[0].length,
        }
  }
  const half = matchAt(HALF, text, start)?.[0]
  if (half !== undefined) return { value: 0.5, end: start + half.length }
  const word = matchAt(WORD, text, start)?.[0]
  const value = word === undefined ? undefined : NUMBER_WORDS.get(word.toLowerCase())
  if (word === undefined || value === undefined) return null
  return { value, end: start + word.length }
}

function parseAmount(digits: string): number {
  return /,\d{3}(?:,|$)/.test(digits)
    ? Number(digits.replaceAll(',', ''))
    : Number(digits.replace(',', '.'))
}

/** A unit is a whole word; in scripts without spaces it is the longest unit the run of letters begins with. */
function readUnit(text: string, start: number): Read<number> | null {
  const word = matchAt(WORD, text, start)?.[0].toLowerCase()
  if (word === undefined) return null
  const lengths = IDEOGRAPHIC.test(word) ? [3, 2, 1] : [word.length]
  for (const length of lengths) {
    const unitMs = UNIT_MS.get(word.slice(0, length))
    if (unitMs !== undefined) return { value: unitMs, end: start + Math.min(length, word.length) }
  }
  return null
}
