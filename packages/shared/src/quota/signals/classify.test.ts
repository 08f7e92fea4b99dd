import { expect, test } from 'vitest'
import { classifyFailure } from './classify.ts'
import type { FailureInput } from './evidence.ts'

const NOW = Date.parse('2026-08-14T21:00:00Z')

function read(input: Partial<FailureInput>): readonly [string, string | null] {
  const { kind, until } = classifyFailure({ channel: 'error', now: NOW, timeZone: 'UTC', ...input })
  return [kind, until === null ? null : new Date(until).toISOString()]
}

test.each([
  'src/a.ts(429,12): error TS2345: Argument of type X',
  'expected 429 to be 200',
  '\u2713 returns 429 when limited (5 ms)',
  'const RATE_LIMIT = 429',
  'Maximum recursion limit reached',
  'memory limit exceeded',
  'error: method overloaded in class Server is ambiguous',
  'The server model has overloaded methods that conflict',
  'error TS2394: This overload signature is not compatible',
  'FAIL src/quota/rate-limit.test.ts > rate limit',
  "Cannot find module './quota-exceeded.js'",
  'npm warn deprecated lodash.throttle@4.1.1',
  '429 passing (2s)',
  ' 429 files changed, 12 insertions(+)',
  "error: model 'User' not found in schema.prisma",
  'error: unauthorized() is not a function',
  'assert balance >= 0: insufficient balance',
  'npm error 404 Not Found - GET https://packages.example.org/x',
  'panic: runtime error: index out of range [429] with length 3',
  'at Object.<anonymous> (/x/y.js:429:13)',
  'Type \'"insufficient_quota"\' is not assignable to type \'"a" | "b"\'',
  '  \u2713 rejects when the rate limit is exceeded (5 ms)',
  "    throw new RateLimitError('rate limit exceeded')",
  "  12 |   if (used) throw new Error('usage limit reached')",
  "You've used 91% of your weekly limit \u00b7 resets Oct 9, 5pm",
  'Approaching usage limit \u00b7 resets at 7pm',
  "You're now using extra usage \u00b7 Your session limit resets 3pm",
  JSON.stringify({
    type: 'assistant',
    message: { content: [{ text: '429 rate limit exceeded' }] },
  }),
  JSON.stringify({ type: 'error', message: 'File src/model.ts not found' }),
  JSON.stringify({ type: 'tool_result', is_error: true, content: 'HTTP 429 rate limited' }),
  JSON.stringify({ type: 'user', message: { content: 'insufficient_quota' } }),
])('%j in an error channel is no limit', (text) => {
  expect(read({ text })).toEqual(['none', null])
})

test.each([
  ['npm error 403 Forbidden - GET https://packages.example.org/x', 'a status that prose names'],
  ['HTTP 401 from the docs server', 'a status that prose names'],
  ['some new quota was hit in an unknown way', 'words that look like a limit'],
])('%j is unknown: %s settles no pool', (text) => {
  expect(read({ text })).toEqual(['unknown', null])
})

test.each([
  [
    "You've hit your Haiku limit \u00b7 resets 3pm (Asia/Kathmandu)",
    'window',
    '2026-08-15T09:15:00.000Z',
  ],
  ['Opus weekly limit reached \u2219 resets Aug 16, 1pm', 'window', '2026-08-16T13:00:00.000Z'],
  ['Limit reached \u00b7 resets 18:00 UTC', 'window', '2026-08-15T18:00:00.000Z'],
  [
    "You've reached your plan limit. Limits renew in 1 week 2 days",
    'window',
    '2026-08-23T21:00:00.000Z',
  ],
  ['Monthly quota exceeded. Resets on Sep 1.', 'window', '2026-09-01T00:00:00.000Z'],
  ['Hourly usage limit reached, try again in 25 min', 'window', '2026-08-14T21:25:00.000Z'],
  ["You've reached your daily quota. Resets at 00:00 UTC.", 'day', '2026-08-15T00:00:00.000Z'],
  ['Daily limit reached, resets at midnight PT', 'day', '2026-08-15T07:00:00.000Z'],
  [
    'Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 41892 seconds before retrying.',
    'day',
    '2026-08-15T08:38:12.000Z',
  ],
  [
    'Rate limit of 10 per 60s exceeded for UserByModelByMinute. Please wait 12 seconds before retrying.',
    'throttle',
    '2026-08-14T21:00:12.000Z',
  ],
  [
    'request reached organization max RPM: 3, please try again after 1 seconds',
    'throttle',
    '2026-08-14T21:00:01.000Z',
  ],
  ['Too many requests. Please retry after 1 minute.', 'throttle', '2026-08-14T21:01:00.000Z'],
  [
    'Usage limit reached for 5 hour. Your limit will reset at 2026-08-15 16:33:03',
    'window',
    '2026-08-15T08:33:03.000Z',
  ],
  [
    '\u8bf7\u6c42\u8fc7\u4e8e\u9891\u7e41\uff0c\u8bf7\u5728 30 \u79d2\u540e\u91cd\u8bd5',
    'throttle',
    '2026-08-14T21:00:30.000Z',
  ],
  ['\u4f59\u989d\u4e0d\u8db3\uff0c\u8bf7\u5145\u503c', 'credit', null],
  ['402 Insufficient credits. Add more at https://example.com', 'credit', null],
  ['Invalid API key \u00b7 Please run /login', 'auth', null],
  ['unexpected status 401 Unauthorized: Missing bearer', 'auth', null],
  [
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens.",
    'too_large',
    null,
  ],
  [
    'The input token count (1201231) exceeds the maximum number of tokens allowed (1048576).',
    'too_large',
    null,
  ],
  [
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
    'too_large',
    null,
  ],
  ['ValidationException: Input is too long for requested model.', 'too_large', null],
  ['The engine is currently overloaded, please try again later', 'overload', null],
  ['We are currently at capacity, try again in 5 minutes', 'overload', '2026-08-14T21:05:00.000Z'],
  ['Error: 503 Service Unavailable', 'overload', null],
  ['API Error: Request timed out.', 'timeout', null],
  ['TypeError: fetch failed', 'transient', null],
  ["You've reached your Fable 5 limit. Run /usage-credits to continue.", 'window', null],
  ["You've hit your org's monthly usage limit", 'window', null],
  [
    'You have exceeded the 5-hour usage quota. It will reset at 2026-08-15 07:16:13 +0800 CST.',
    'window',
    '2026-08-14T23:16:13.000Z',
  ],
  [
    'You have reached the quota limit for this model. You can resume using this model at 8/15/2026, 3:04:05 AM',
    'window',
    '2026-08-15T03:04:05.000Z',
  ],
  [
    "You've hit your session rate limit. Please wait for your limit to reset in 3 hours.",
    'window',
    '2026-08-15T00:00:00.000Z',
  ],
  [
    'Quota exceeded for aiplatform.googleapis.com/generate_content_requests_per_minute_per_project with base model: m.',
    'throttle',
    null,
  ],
  [
    'You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: g/free_tier, limit: 0, model: m\nPlease retry in 34.07s.',
    'credit',
    null,
  ],
  [
    'You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: g/free_tier, limit: 20, model: m\nPlease retry in 34.07s.',
    'throttle',
    '2026-08-14T21:00:34.070Z',
  ],
  [
    'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1234.',
    'credit',
    null,
  ],
  [
    'Request was throttled. Expected available in 30 seconds.',
    'throttle',
    '2026-08-14T21:00:30.000Z',
  ],
  ['you have used up your daily free allocation of 10,000 neurons', 'day', null],
])('%s', (text, kind, until) => {
  expect(read({ text })).toEqual([kind, until])
})

test.each([
  [401, 'auth'],
  [402, 'credit'],
  [403, 'auth'],
  [404, 'unknown'],
  [408, 'timeout'],
  [413, 'too_large'],
  [429, 'throttle'],
  [500, 'transient'],
  [503, 'overload'],
  [529, 'overload'],
  [200, 'none'],
])('a bare status %d is %s', (status, kind) => {
  expect(read({ status })).toEqual([kind, null])
})

test('a body beats headers, headers beat prose', () => {
  const headers = {
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': String(NOW / 1_000 + 60),
  }
  expect(read({ status: 429, headers, text: 'Daily limit reached' })[0]).toBe('window')
  const body = { error: { code: 'insufficient_quota' } }
  expect(read({ status: 429, headers, body, text: 'Daily limit reached' })[0]).toBe('credit')
})

test('an exact wait stands over a time of day whose date is inferred', () => {
  const text = "You've hit your session limit \u00b7 resets 9pm (UTC)"
  expect(read({ status: 429, text, headers: { 'retry-after': '90' } })).toEqual([
    'window',
    '2026-08-14T21:01:30.000Z',
  ])
})

test('a success that uses up a window is no failure and reports the window', () => {
  const signal = classifyFailure({
    channel: 'error',
    status: 200,
    headers: { 'x-ratelimit-limit-requests': '5', 'x-ratelimit-remaining-requests': '0' },
    now: NOW,
  })
  expect(signal).toMatchObject({
    kind: 'none',
    observed: { windows: [{ name: 'requests', remaining: 0 }] },
  })
})

test('an error that a wrapper put into a string is unwrapped', () => {
  const inner = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const body = { error: { message: JSON.stringify(inner), code: 500 } }
  expect(read({ status: 500, body })[0]).toBe('overload')
  expect(
    read({ text: `litellm.InternalServerError: AnthropicException - ${JSON.stringify(inner)}` })[0],
  ).toBe('overload')
})

test('a printed response is read with its headers', () => {
  const text =
    'HTTP/1.1 429 Too Many Requests\nretry-after: 17\ncontent-type: text/html\n\n<title>429 Too Many Requests</title>'
  expect(read({ text })).toEqual(['throttle', '2026-08-14T21:00:17.000Z'])
})

test('the same words mean what the provider means by them', () => {
  const text = 'You exceeded your current quota, please check your plan and billing details.'
  expect(read({ text, provider: 'openai', status: 429 })[0]).toBe('credit')
  expect(read({ text, provider: 'dashscope', status: 429 })[0]).toBe('throttle')
})

test('a log is read like an error, with less confidence', () => {
  const text = JSON.stringify({ error: { code: 'insufficient_quota', message: 'x' } })
  const input = { text, now: NOW }
  expect(classifyFailure({ ...input, channel: 'error' }).confidence).toBe('high')
  expect(classifyFailure({ ...input, channel: 'log' })).toMatchObject({
    kind: 'credit',
    confidence: 'medium',
  })
})

test('the notice at the end of a long transcript is found', () => {
  const text = `${'ordinary output\n'.repeat(200_000)}You've hit your session limit \u00b7 resets 11pm (UTC)`
  expect(read({ text })).toEqual(['window', '2026-08-14T23:00:00.000Z'])
})
