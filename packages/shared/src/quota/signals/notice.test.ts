import { expect, test } from 'vitest'
import { classifyFailure } from './classify.ts'

const NOW = Date.parse('2026-08-14T21:00:00Z')

function classifyReply(text: string): string {
  return classifyFailure({ text, channel: 'result', now: NOW, timeZone: 'UTC' }).kind
}

test.each([
  "You've hit your session limit \u00b7 resets 10:30pm",
  'You\u2019ve hit your Opus limit \u00b7 resets Oct 9, 5pm (Europe/Rome)',
  'Claude AI usage limit reached|1786806000',
  'Claude usage limit reached. Your limit will reset at 3pm (America/Bogota).',
  '5-hour limit reached \u2219 resets 3pm\n  /upgrade to increase your usage limit.',
  'Weekly limit reached \u00b7 resets 10am (Asia/Seoul) \u00b7 /upgrade to Max or turn on /extra-usage',
  "You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/codex/settings/usage to purchase more credits or try again at Jan 2nd, 2027 3:05 PM.",
  "You've hit your usage limit. Try again in 2 days 17 hours 14 minutes.",
  'Opus limit reached \u2219 resets Oct 6, 1pm',
  'You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.',
  "You're out of extra usage \u00b7 resets 11:30am (Asia/Colombo)",
  "You've reached your weekly rate limit. Please wait for your limit to reset on April 20, 2027 at 2:00 AM or switch to auto model",
  "Sorry, you've hit a rate limit that restricts the number of Copilot model requests you can make within a specific time period. Please try again in 2 hours.",
])('a reply that is only the notice %j is a closed window', (text) => {
  expect(classifyReply(text)).toBe('window')
})

test.each([
  '',
  '[]',
  'rate limit exceeded',
  'overloaded',
  'Memory limit reached',
  'insufficient_quota',
  'HTTP 429 Too Many Requests',
  'You\'ve hit your session limit \u00b7 resets 3pm" is printed by src/limits.ts',
  "You've hit your session limit \u00b7 resets 3pm is handled in parseLimit",
  'The string "You\'ve hit your session limit \u00b7 resets 3:30pm" is not handled.',
  "You've hit your limit. The code in src/x.ts checks this.",
  'Usage limit reached. function f() { return 1 }',
  `${'No defects found. '.repeat(40)}\nYou've hit your session limit \u00b7 resets 3pm`,
  JSON.stringify({ findings: [{ title: "You've hit your session limit \u00b7 resets 3:30pm" }] }),
  JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }),
  JSON.stringify({
    type: 'rate_limit_event',
    rate_limit_info: { status: 'rejected', resetsAt: 1 },
  }),
])('the reply %j is a result and no limit', (text) => {
  expect(classifyReply(text)).toBe('none')
})

test('status, headers and body of a result are not read', () => {
  const signal = classifyFailure({
    channel: 'result',
    text: '[]',
    status: 429,
    headers: { 'retry-after': '60' },
    body: { error: { code: 'insufficient_quota' } },
    now: NOW,
  })
  expect(signal).toEqual({
    kind: 'none',
    until: null,
    scope: 'item',
    source: 'none',
    confidence: 'high',
  })
})
