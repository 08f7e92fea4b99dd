import type { Confidence } from '../../constraint.ts'
import { normaliseText } from '../normalise-text.ts'
import { matchAt, readDuration, type Read } from './duration.ts'
import { addDelay, parseHttpDate, parseRfc3339, readNumericInstant } from './instant.ts'
import { type MomentContext, readMoment } from './moment.ts'
import { findLocalZone, findZone } from './zone.ts'

/** In which form a time was written. */
export type ResetForm =
  | 'seconds'
  | 'epoch'
  | 'rfc3339'
  | 'http_date'
  | 'duration'
  | 'clock'
  | 'date'

export interface ResetTime {
  /** Epoch milliseconds. */
  readonly at: number
  /** The form in which the time was written. */
  readonly source: ResetForm
  readonly confidence: Confidence
}

export interface ResetContext {
  /** Epoch milliseconds. */
  readonly now: number
  /** The zone of times that name none: an IANA name; this machine's zone where absent, UTC where unknown. */
  readonly timeZone?: string | undefined
}

/**
 * Reads when a limit ends: from a bare value (`6m0s`, `42`, an HTTP-date, RFC 3339, epoch seconds or milliseconds,
 * `3pm (Asia/Seoul)`) or from prose around a word such as `resets` or `try again in`. Of several times the latest
 * counts. Null when no time is stated, or only a negative or past one; never throws.
 */
export function parseReset(text: string, context: ResetContext): ResetTime | null {
  const clean = normaliseText(text)
  return parseBareReset(clean, context) ?? pickLatest(findResets(clean, context))
}

/** Every time that a normalised prose states after a word about resets, waits and retries; also zero waits (`0s`). */
export function findResets(text: string, context: ResetContext): readonly ResetTime[] {
  const moment = makeMomentContext(context)
  const found: ResetTime[] = []
  for (const cue of findCues(text)) {
    const time = readTime(text.slice(cue, cue + CUE_REACH), moment)
    if (time !== null) found.push(time.value)
  }
  for (const match of text.matchAll(KEYED_WAIT)) {
    const at = addDelay(context.now, Number(match[2]) * (match[1] === undefined ? 1_000 : 1))
    if (at !== null) found.push({ at, source: 'seconds', confidence: 'high' })
  }
  return found
}

function pickLatest(times: readonly ResetTime[]): ResetTime | null {
  let latest: ResetTime | null = null
  for (const time of times) if (latest === null || time.at > latest.at) latest = time
  return latest
}

/** The time of a text that is one value and nothing else. */
function parseBareReset(text: string, context: ResetContext): ResetTime | null {
  const value = text.trim()
  if (value === '') return null
  const { now } = context
  if (/^\d{1,16}(?:\.\d{1,12})?$/.test(value)) {
    const number = Number(value)
    return makeTime(readNumericInstant(number, now), number < 1e9 ? 'seconds' : 'epoch', now)
  }
  const instant = parseRfc3339(value)
  if (instant !== null) return makeTime(instant, 'rfc3339', now)
  const httpDate = parseHttpDate(value, now)
  if (httpDate !== null) return makeTime(httpDate, 'http_date', now)
  const time = readTime(value, makeMomentContext(context))
  return time !== null && /^[.)\s]*$/.test(value.slice(time.end)) ? time.value : null
}

/** Null for an instant before now: a negative wait says nothing. */
function makeTime(at: number | null, source: ResetForm, now: number): ResetTime | null {
  return at === null || at < now ? null : { at, source, confidence: 'high' }
}

function makeMomentContext({ now, timeZone }: ResetContext): MomentContext {
  const zone = timeZone === undefined ? findLocalZone() : (findZone(timeZone) ?? findZone('UTC'))
  return { now, zone: zone ?? findLocalZone() }
}

/** How far after a cue its time may begin and end. */
const CUE_REACH = 160

/** Words after which a time is the end of a limit. */
const CUE =
  /\b(?:resets?|resetting|re-?try(?:ing)?|again|wait|available|until|till|renews?|refresh(?:es)?|restored?|replenish(?:es)?|back|resumes?|unlocks?|lifted|expires?)\b|\|(?=\d{10,13}(?!\d))|将在|將在|请在|請在|将于|將於|réinitialis\p{L}{1,6}|restablec\p{L}{1,6}|zurückgesetzt/giu

/** `Retry-After: 30`, `retry_after_ms=2500`, `'retry_after': 7.5`. */
const KEYED_WAIT =
  /\bretry[-_ ]?after(?:[-_ ](?:s|secs?|seconds?)|[-_ ](ms|milliseconds?))?["']?\s{0,3}[:=]\s{0,3}["']?(\d{1,12}(?:\.\d{1,9})?)\b/gi

/** What may stand between a cue and its time. A minus sign may not: a negative wait is no wait. */
const CONNECTOR =
  /(?:[\s:=~≈"'(,]|- |(?:will|be|is|are|at|in|on|after|by|for|the|your|this|another|about|around|approximately|approx\.?|roughly|nearly|again|until|within|less|than|under|up|to|least|most|time|limits?|quota|window|usage|session|weekly|daily|it|try|retry|reset|requests?|automatically|using|model|dans|en|à|el|las?|am|um)(?![\p{L}\d_]))*/iuy

/** Times before a cue that stands last: `30 秒后重试`, `2026-09-12 00:35:41 重置`. */
const LEADING_TIME =
  /(?<!\d)\d{1,4}(?=[^\d\n]{1,12}(?:后|後|뒤|후)|-\d{1,2}-\d{1,2} [\d:]{4,8} ?(?:重置|恢复|后))/g

function findCues(text: string): readonly number[] {
  const cues: number[] = []
  for (const match of text.matchAll(CUE)) cues.push(match.index + match[0].length)
  for (const match of text.matchAll(LEADING_TIME)) cues.push(match.index)
  return cues
}

/** Reads a time at the beginning of a text, after connecting words. */
function readTime(text: string, context: MomentContext): Read<ResetTime> | null {
  const start = matchAt(CONNECTOR, text, 0)?.[0].length ?? 0
  return (
    readInstant(text, start, context.now) ??
    readRelative(text, start, context.now) ??
    readWallTime(text, start, context)
  )
}

const INSTANT =
  /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})(?![\w:])|\d{10}(?:\d{3})?(?![\d.\p{L}])/iuy

function readInstant(text: string, start: number, now: number): Read<ResetTime> | null {
  const written = matchAt(INSTANT, text, start)?.[0]
  if (written === undefined) return null
  const isEpoch = /^\d+$/.test(written)
  const at = isEpoch ? readNumericInstant(Number(written), now) : parseRfc3339(written)
  const value = makeTime(at, isEpoch ? 'epoch' : 'rfc3339', now)
  return value === null ? null : { value, end: start + written.length }
}

function readRelative(text: string, start: number, now: number): Read<ResetTime> | null {
  const duration = readDuration(text, start)
  if (duration === null) return null
  const value = makeTime(addDelay(now, duration.value), 'duration', now)
  return value === null ? null : { value, end: duration.end }
}

function readWallTime(text: string, start: number, context: MomentContext): Read<ResetTime> | null {
  const moment = readMoment(text, start, context)
  if (moment === null) return null
  const { at, form, confidence } = moment.value
  return { value: { at, source: form, confidence }, end: moment.end }
}
