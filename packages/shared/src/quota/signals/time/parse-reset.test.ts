import { expect, test } from 'vitest'
import { parseReset } from './reset.ts'

const FRIDAY = '2026-08-14T21:00:00Z'

function parse(text: string, { now = FRIDAY, timeZone = 'UTC' } = {}): string | null {
  const reset = parseReset(text, { now: Date.parse(now), timeZone })
  return reset === null ? null : new Date(reset.at).toISOString()
}

test.each([
  ['42', '2026-08-14T21:00:42.000Z'],
  ['1.5', '2026-08-14T21:00:01.500Z'],
  ['59.44s', '2026-08-14T21:00:59.440Z'],
  ['120ms', '2026-08-14T21:00:00.120Z'],
  ['1500\u00b5s', '2026-08-14T21:00:00.002Z'],
  ['1h2m3.5s', '2026-08-14T22:02:03.500Z'],
  ['2 days, 3 hours and 4 minutes', '2026-08-17T00:04:00.000Z'],
  ['1 week', '2026-08-21T21:00:00.000Z'],
  ['1,500 seconds', '2026-08-14T21:25:00.000Z'],
  ['1,5 Stunden', '2026-08-14T22:30:00.000Z'],
  ['2小时15分钟', '2026-08-14T23:15:00.000Z'],
  ['1786806000', '2026-08-15T15:00:00.000Z'],
  ['1786806000000', '2026-08-15T15:00:00.000Z'],
  ['2026-08-15T09:00:00+02:00', '2026-08-15T07:00:00.000Z'],
  ['2026-08-15 09:00:00 UTC', '2026-08-15T09:00:00.000Z'],
  ['Sat, 15 Aug 2026 09:00:00 GMT', '2026-08-15T09:00:00.000Z'],
  ['Saturday, 15-Aug-26 09:00:00 GMT', '2026-08-15T09:00:00.000Z'],
  ['Sat Aug 15 09:00:00 2026', '2026-08-15T09:00:00.000Z'],
  ['0s', FRIDAY.replace('Z', '.000Z')],
])('the bare value %j', (text, expected) => {
  expect(parse(text)).toBe(expected)
})

test.each([
  ['resets in about 2 hours', '2026-08-14T23:00:00.000Z'],
  ['Please wait 5-10 minutes before retrying', '2026-08-14T21:10:00.000Z'],
  ['try again in half an hour', '2026-08-14T21:30:00.000Z'],
  ['try again in less than a minute', '2026-08-14T21:01:00.000Z'],
  ['retry after two hours', '2026-08-14T23:00:00.000Z'],
  ['available again within 24 hours', '2026-08-15T21:00:00.000Z'],
  ['please wait at least 30 seconds', '2026-08-14T21:00:30.000Z'],
  ['retry your request after 20 seconds', '2026-08-14T21:00:20.000Z'],
  ['Retry-After: 30', '2026-08-14T21:00:30.000Z'],
  ["'retry_after_ms': 2500", '2026-08-14T21:00:02.500Z'],
  ['请在 30 秒后重试', '2026-08-14T21:00:30.000Z'],
  ['30秒後に再試行してください', '2026-08-14T21:00:30.000Z'],
])('the wait in %j', (text, expected) => {
  expect(parse(text)).toBe(expected)
})

test.each([
  ['resets 3pm', '2026-08-15T15:00:00.000Z'],
  ['resets 11:30 PM', '2026-08-14T23:30:00.000Z'],
  ['resets at 12am', '2026-08-15T00:00:00.000Z'],
  ['resets at 12pm', '2026-08-15T12:00:00.000Z'],
  ['resets at midnight PT', '2026-08-15T07:00:00.000Z'],
  ['resets at noon', '2026-08-15T12:00:00.000Z'],
  ['resets 15:00 UTC', '2026-08-15T15:00:00.000Z'],
  ['resets 3 p.m. ET', '2026-08-15T19:00:00.000Z'],
  ['resets 3pm PST', '2026-08-14T23:00:00.000Z'],
  ['resets 3pm PDT', '2026-08-14T22:00:00.000Z'],
  ['resets 3pm Pacific Time', '2026-08-14T22:00:00.000Z'],
  ['resets 7:00 PM GMT+2', '2026-08-15T17:00:00.000Z'],
  ['resets 7:00 UTC+05:30', '2026-08-15T01:30:00.000Z'],
  ['resets 3:05\u202fPM', '2026-08-15T15:05:00.000Z'],
  ['resets 10am (Asia/Seoul)', '2026-08-15T01:00:00.000Z'],
  ['resets 9:15am Australia/Lord_Howe', '2026-08-14T22:45:00.000Z'],
  ['resets tomorrow at 15:00', '2026-08-15T15:00:00.000Z'],
  ['resets today at 11pm', '2026-08-14T23:00:00.000Z'],
  ['resets Monday 9am (Europe/London)', '2026-08-17T08:00:00.000Z'],
  ['resets on Friday at 5pm', '2026-08-21T17:00:00.000Z'],
  ['resets Thu 14:00', '2026-08-20T14:00:00.000Z'],
  ['resets Oct 9, 5pm', '2026-10-09T17:00:00.000Z'],
  ['resets 9 October at 17:00', '2026-10-09T17:00:00.000Z'],
  ['resets October 9th at 5pm (Europe/Berlin)', '2026-10-09T15:00:00.000Z'],
  ['resets Jan 2, 8am', '2027-01-02T08:00:00.000Z'],
  ['resets Jan 2nd, 2027 3:05 PM', '2027-01-02T15:05:00.000Z'],
  ['resets 2026-08-20 09:30', '2026-08-20T09:30:00.000Z'],
  ['resets Sep 1', '2026-09-01T00:00:00.000Z'],
  ['resets 2026年8月20日 15:05', '2026-08-20T15:05:00.000Z'],
  ['resets 8月20日 下午3:05', '2026-08-20T15:05:00.000Z'],
  ['try again at 20 août 2026 15:05', '2026-08-20T15:05:00.000Z'],
  ['try again at 20 de agosto de 2026 15:05', '2026-08-20T15:05:00.000Z'],
])('the wall time in %j', (text, expected) => {
  expect(parse(text)).toBe(expected)
})

test.each([
  ['', 'nothing'],
  ['-3', 'a negative number'],
  ['in -5s', 'a negative wait'],
  ['1762952400', 'an instant that has passed'],
  ['Sat, 15 Aug 2020 09:00:00 GMT', 'an HTTP-date that has passed'],
  ['resets Aug 12', 'a date that has just passed, which is not next year'],
  ['resets Jan 2nd, 2020 3:05 PM', 'a full date that has passed'],
  ['resets 25:00', 'an hour that no clock shows'],
  ['resets 13pm', 'an hour that no half of a day has'],
  ['resets Feb 30, 5pm', 'a day that no calendar has'],
  ['reset 5 times', 'a count'],
  ['retry attempt 3 of 10', 'a count of attempts'],
  ['已达到 5 小时的使用上限', 'the length of a window'],
  ['5-hour limit', 'the name of a window'],
  ['resets every 5 hours', 'a period'],
  ['src/limits.ts:429', 'a line'],
])('%j states no time: %s', (text) => {
  expect(parse(text)).toBeNull()
})

test('of several stated times the latest counts', () => {
  expect(parse('wait 2 minutes. Your limit will reset on Aug 20, 2026 at 2:00 AM')).toBe(
    '2026-08-20T02:00:00.000Z',
  )
})

test.each([
  ['2:30am', '2026-03-08T05:00:00Z', '2026-03-08T07:00:00.000Z', 'is passed over: the gap ends'],
  ['1:30am', '2026-11-01T04:00:00Z', '2026-11-01T05:30:00.000Z', 'comes twice: the earlier'],
  ['1:30am', '2026-11-01T05:45:00Z', '2026-11-01T06:30:00.000Z', 'comes once more'],
  ['1:30am', '2026-11-01T06:45:00Z', '2026-11-02T06:30:00.000Z', 'comes the day after'],
])('%s in New York seen at %s %s', (clock, now, expected) => {
  expect(parse(`resets ${clock} (America/New_York)`, { now })).toBe(expected)
})

test('a time without a zone is one of the given zone, with less confidence', () => {
  const now = Date.parse(FRIDAY)
  expect(parseReset('resets 8am', { now, timeZone: 'Asia/Tokyo' })).toEqual({
    at: Date.parse('2026-08-14T23:00:00Z'),
    source: 'clock',
    confidence: 'medium',
  })
  expect(parseReset('resets 8am (Asia/Tokyo)', { now, timeZone: 'UTC' })?.confidence).toBe('high')
  expect(parseReset('resets 8am (Mars/Phobos)', { now, timeZone: 'UTC' })?.confidence).toBe('low')
})

test('an unknown zone of the caller is UTC', () => {
  expect(parse('resets 8am', { timeZone: 'Nowhere/Atlantis' })).toBe('2026-08-15T08:00:00.000Z')
})
