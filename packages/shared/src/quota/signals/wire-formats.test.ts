import { expect, test } from 'vitest'
import { classifyFailure } from './classify.ts'
import type { FailureInput } from './evidence.ts'
import { type LimitWindow, readLimitHeaders } from './headers/index.ts'
import type { FailureSignal } from './signal.ts'
import { parseReset } from './time/index.ts'
import { readUsageReport } from './usage-report.ts'

const NOW = Date.parse('2026-08-14T21:00:00Z')
const NOW_SECONDS = NOW / 1_000
const HOUR_MS = 3_600_000

/** The reading of a failure seen at NOW on a machine whose clocks show UTC. */
function classify(input: Partial<FailureInput>): FailureSignal {
  return classifyFailure({ channel: 'error', now: NOW, timeZone: 'UTC', ...input })
}

/** Kind and end, the end as RFC 3339. */
function read(input: Partial<FailureInput>): readonly [string, string | null] {
  const { kind, until } = classify(input)
  return [kind, until === null ? null : new Date(until).toISOString()]
}

function readHeaders(headers: Record<string, string>, provider?: string): LimitWindow[] {
  return readLimitHeaders(headers, { provider, receivedAt: NOW })
}

function findWindow(windows: readonly LimitWindow[], name: string): LimitWindow | undefined {
  return windows.find((window) => window.name === name)
}

test('row 1: Anthropic buckets, whose reset is when they are full again', () => {
  const windows = readHeaders({
    'anthropic-ratelimit-requests-limit': '50',
    'anthropic-ratelimit-requests-remaining': '49',
    'anthropic-ratelimit-requests-reset': '2026-08-14T21:00:01Z',
    'anthropic-ratelimit-input-tokens-limit': '40000',
    'anthropic-ratelimit-input-tokens-remaining': '32000',
    'anthropic-ratelimit-input-tokens-reset': '2026-08-14T20:59:59Z',
  })
  expect(findWindow(windows, 'requests')).toMatchObject({
    kind: 'rate',
    unit: 'request',
    perSeconds: 60,
    limit: 50,
    remaining: 49,
    resetAt: NOW + 1_000,
  })
  expect(findWindow(windows, 'input-tokens')).toMatchObject({
    unit: 'input_token',
    remaining: 32_000,
    roundedTo: 1_000,
    resetAt: NOW - 1_000,
  })
})

test('row 2: retry-after in whole seconds is the earliest legal retry', () => {
  expect(read({ status: 429, headers: { 'retry-after': '17' } })).toEqual([
    'throttle',
    '2026-08-14T21:00:17.000Z',
  ])
})

test('row 3: the priority tier is a window of its own', () => {
  const windows = readHeaders({
    'anthropic-priority-input-tokens-limit': '10000',
    'anthropic-priority-input-tokens-remaining': '9618',
    'anthropic-priority-input-tokens-reset': '2026-08-14T21:01:00Z',
  })
  expect(windows).toEqual([
    expect.objectContaining({ name: 'priority-input-tokens', limit: 10_000, remaining: 9_618 }),
  ])
})

test('row 4: a rate of the Messages API is a limit of the model, not of the account', () => {
  const body = { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } }
  expect(classify({ status: 429, body, provider: 'anthropic' })).toMatchObject({
    kind: 'throttle',
    scope: 'model',
  })
})

test('row 5: the message of an Anthropic 429 names the dimension and its limit', () => {
  const body = {
    type: 'error',
    error: {
      type: 'rate_limit_error',
      message:
        'This request would exceed the rate limit for your organization (abc) of 40,000 input tokens per minute. For details, refer to the docs.',
    },
    request_id: 'req_1',
  }
  const signal = classify({ status: 429, body })
  expect(signal.kind).toBe('throttle')
  expect(signal.observed).toMatchObject({ dimension: 'input_token', limit: 40_000, perSeconds: 60 })
})

test('row 6: a spend cap needs a person and ends on the first of the month', () => {
  const body = {
    type: 'error',
    error: { type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } },
  }
  expect(read({ status: 429, body })).toEqual(['credit', '2026-09-01T00:00:00.000Z'])
})

test('row 7: usage that rises too fast is a ramp limit', () => {
  const message = 'Your usage has increased too quickly. Please ramp up more gradually.'
  const body = { type: 'error', error: { type: 'rate_limit_error', message } }
  expect(classify({ status: 429, body }).kind).toBe('overload')
})

test('row 8: 529 is the provider, not the account', () => {
  const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  expect(classify({ status: 529, body })).toMatchObject({ kind: 'overload', scope: 'endpoint' })
})

test('row 9: a credit balance that is too low is money, whatever the type says', () => {
  const message = 'Your credit balance is too low to access the Anthropic API.'
  const body = { type: 'error', error: { type: 'invalid_request_error', message } }
  expect(read({ status: 400, body })).toEqual(['credit', null])
})

test.each([
  [{ 'retry-after-ms': '1500', 'retry-after': '60' }, '2026-08-14T21:00:01.500Z'],
  [{ 'retry-after': '2.5', 'x-should-retry': 'true' }, '2026-08-14T21:00:02.500Z'],
  [{ 'retry-after': 'Fri, 14 Aug 2026 21:00:30 GMT' }, '2026-08-14T21:00:30.000Z'],
])('row 10: server advice %j', (headers, until) => {
  expect(read({ status: 429, headers })).toEqual(['throttle', until])
})

test('row 11: plan windows of a subscription come as fractions with epoch seconds', () => {
  const headers = {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(NOW_SECONDS + 3_600),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-utilization': '1.0',
    'anthropic-ratelimit-unified-7d-utilization': '0.4',
  }
  expect(read({ status: 429, headers })).toEqual(['window', '2026-08-14T22:00:00.000Z'])
  expect(findWindow(readHeaders(headers), '7d')).toMatchObject({
    kind: 'window',
    unit: 'percent',
    perSeconds: 7 * 86_400,
    utilization: 0.4,
  })
})

test.each(['1786746600', '1786746600000'])('row 12: epoch after a pipe, %s', (epoch) => {
  expect(read({ text: `Claude AI usage limit reached|${epoch}` })).toEqual([
    'window',
    '2026-08-14T22:30:00.000Z',
  ])
})

test('row 13: a clock time is the next one in its own zone', () => {
  const text = 'Claude usage limit reached. Your limit will reset at 3pm (America/Bogota).'
  expect(read({ text })).toEqual(['window', '2026-08-15T20:00:00.000Z'])
})

test.each(['\u2219', '\u00b7'])('row 14: a session notice with the separator %s', (dot) => {
  const text = `5-hour limit reached ${dot} resets 3pm`
  expect(read({ text })).toEqual(['window', '2026-08-15T15:00:00.000Z'])
  expect(classify({ text, timeZone: 'Asia/Tokyo' }).until).toBe(Date.parse('2026-08-15T06:00:00Z'))
})

test('row 15: a weekly limit with a time but no day is only worth a probe', () => {
  const text =
    'Weekly limit reached \u2219 resets 10am (Asia/Seoul) \u2219 /upgrade to Max or turn on /extra-usage'
  expect(classify({ text })).toMatchObject({
    kind: 'window',
    until: Date.parse('2026-08-15T01:00:00Z'),
    confidence: 'low',
  })
})

test.each([
  [
    "You've hit your limit \u00b7 resets 4:50am (Europe/Rome)",
    '2026-08-15T02:50:00.000Z',
    'account',
  ],
  [
    'You\u2019ve hit your session limit \u00b7 resets 11pm (Europe/Rome)',
    '2026-08-15T21:00:00.000Z',
    'account',
  ],
  ["You've hit your weekly limit \u00b7 resets Oct 9, 5pm", '2026-10-09T17:00:00.000Z', 'account'],
  ["You've hit your Opus limit \u00b7 resets Oct 9, 5pm", '2026-10-09T17:00:00.000Z', 'model'],
])('row 16: %s', (text, until, scope) => {
  expect(read({ text })).toEqual(['window', until])
  expect(classify({ text }).scope).toBe(scope)
})

test('row 17: a result that says success and is_error is a failure', () => {
  const text = JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: true,
    api_error_status: 429,
    terminal_reason: 'api_error',
    result: "You've hit your session limit \u00b7 resets 11:30pm (UTC)",
  })
  expect(read({ text })).toEqual(['window', '2026-08-14T23:30:00.000Z'])
})

function makeRateLimitEvent(info: Record<string, unknown>): string {
  return JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info })
}

test.each(['allowed', 'allowed_warning'])('row 18: an event that is %s is no failure', (status) => {
  const text = makeRateLimitEvent({
    status,
    resetsAt: NOW_SECONDS + 3_600,
    rateLimitType: 'five_hour',
    utilization: 0.92,
  })
  expect(classify({ text })).toMatchObject({
    kind: 'none',
    observed: { windows: [{ name: 'five_hour', utilization: 0.92, resetAt: NOW + HOUR_MS }] },
  })
})

test('row 18: a rejected event closes its window, and the later of two that are full', () => {
  const five = { status: 'rejected', resetsAt: NOW_SECONDS + 3_600, rateLimitType: 'five_hour' }
  expect(read({ text: makeRateLimitEvent(five) })).toEqual(['window', '2026-08-14T22:00:00.000Z'])
  const both = {
    ...five,
    unifiedWindows: { seven_day: { utilization: 1, resetsAt: NOW_SECONDS + 7_200 } },
  }
  expect(read({ text: makeRateLimitEvent(both) })).toEqual(['window', '2026-08-14T23:00:00.000Z'])
  const opus = { ...five, rateLimitType: 'seven_day_opus' }
  expect(classify({ text: makeRateLimitEvent(opus) })).toMatchObject({
    scope: 'model',
    observed: { family: 'opus' },
  })
})

test('row 19: the status line counts to 100 and a figure beyond is unknown', () => {
  const report = {
    rate_limits: {
      five_hour: { used_percentage: 42, resets_at: NOW_SECONDS + 60 },
      seven_day: { used_percentage: 420, resets_at: NOW_SECONDS + 60 },
    },
  }
  const windows = readUsageReport(report, { receivedAt: NOW })
  expect(findWindow(windows, 'five_hour')).toMatchObject({
    utilization: 0.42,
    resetAt: NOW + 60_000,
  })
  expect(findWindow(windows, 'seven_day')).not.toHaveProperty('utilization')
})

test('row 20: a rejection by the service is a throttle and not the plan', () => {
  expect(read({ text: 'API Error: Request rejected (429) \u00b7 Rate limited' })).toEqual([
    'throttle',
    null,
  ])
})

test.each([
  ['API Error: 529 Overloaded. This is a server-side issue, usually temporary', 'endpoint'],
  ['429 Rate limited \u00b7 Retrying in 1s \u00b7 attempt 10/10', 'host'],
])('row 21: %s', (text, scope) => {
  expect(classify({ text })).toMatchObject({ kind: 'overload', scope })
})

test('row 22: the usage endpoint states percentages per plan window', () => {
  const report = {
    five_hour: { utilization: 37.5, resets_at: '2026-08-14T23:00:00.000000+00:00' },
    seven_day_opus: { utilization: 5, resets_at: null },
  }
  const windows = readUsageReport(report, { receivedAt: NOW })
  expect(findWindow(windows, 'five_hour')).toMatchObject({
    utilization: 0.375,
    resetAt: NOW + 2 * HOUR_MS,
  })
  expect(findWindow(windows, 'seven_day_opus')).toMatchObject({ family: 'opus', resetAt: null })
})

test('row 23: seconds from now are read before an instant of another clock', () => {
  const body = {
    error: {
      type: 'usage_limit_reached',
      message: 'The usage limit has been reached',
      plan_type: 'plus',
      resets_at: NOW_SECONDS + 9_999,
      resets_in_seconds: 3_600,
    },
  }
  expect(read({ status: 429, body, provider: 'codex' })).toEqual([
    'window',
    '2026-08-14T22:00:00.000Z',
  ])
})

test('row 24: a plan without the product is not ended by waiting', () => {
  const body = { error: { type: 'usage_not_included', message: 'Not included in your plan' } }
  expect(read({ status: 429, body, provider: 'codex' })).toEqual(['credit', null])
})

test('row 25: Codex windows per limit family, with fractional percentages', () => {
  const windows = readHeaders({
    'X-Codex-Primary-Used-Percent': '100',
    'X-Codex-Primary-Window-Minutes': '300',
    'X-Codex-Primary-Reset-After-Seconds': '600',
    'X-Codex-Secondary-Used-Percent': '12.5',
    'X-Codex-Secondary-Window-Minutes': '10080',
    'X-Codex-Secondary-Reset-At': String(NOW_SECONDS + 86_400),
    'x-codex-bengalfox-primary-used-percent': '3',
    'x-codex-bengalfox-limit-name': 'mini',
    'x-codex-credits-has-credits': 'true',
    'x-codex-credits-unlimited': 'false',
    'x-codex-credits-balance': '12.5',
  })
  expect(findWindow(windows, 'codex-primary')).toMatchObject({
    utilization: 1,
    perSeconds: 18_000,
    resetAt: NOW + 600_000,
  })
  expect(findWindow(windows, 'codex-secondary')).toMatchObject({
    utilization: 0.125,
    perSeconds: 604_800,
    resetAt: NOW + 24 * HOUR_MS,
  })
  expect(findWindow(windows, 'codex-bengalfox-primary')).toMatchObject({ family: 'mini' })
  expect(findWindow(windows, 'codex-credits')).toMatchObject({ kind: 'budget', remaining: 12.5 })
})

test.each([
  ['2 days 17 hours 14 minutes', '2026-08-17T14:14:00.000Z'],
  ['3 days 2 hours', '2026-08-17T23:00:00.000Z'],
  ['1 hour 1 minute', '2026-08-14T22:01:00.000Z'],
  ['less than a minute', '2026-08-14T21:01:00.000Z'],
])('row 26: try again in %s', (wait, until) => {
  const text = `You've hit your usage limit. Upgrade to Pro or try again in ${wait}.`
  expect(read({ text })).toEqual(['window', until])
})

test.each([
  ["You've hit your usage limit. Try again at 11:05 PM.", '2026-08-14T23:05:00.000Z', 'account'],
  [
    "You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at Jan 2nd, 2027 3:05 PM.",
    '2027-01-02T15:05:00.000Z',
    'account',
  ],
  [
    "You've hit your usage limit. To get more access now, send a request to your admin or try again at 11:05 PM.",
    '2026-08-14T23:05:00.000Z',
    'account',
  ],
  [
    "You've hit your usage limit for GPT-5.1-Codex-Mini. Switch to another model now, or try again at 11:05 PM.",
    '2026-08-14T23:05:00.000Z',
    'model',
  ],
])('row 27: %s', (text, until, scope) => {
  expect(read({ text, provider: 'codex' })).toEqual(['window', until])
  expect(classify({ text, provider: 'codex' }).scope).toBe(scope)
})

test('row 27: a date in a form nobody knows leaves the end unknown', () => {
  const text = "You've hit your usage limit. Try again at 2 tammikuuta klo 15.05."
  expect(read({ text, provider: 'codex' })).toEqual(['window', null])
})

test.each([
  'Your workspace is out of credits. Ask your workspace owner to add more.',
  'You hit your spend cap. Raise it in your settings.',
  'Quota exceeded. Check your plan and billing details.',
])('row 28: %s', (text) => {
  expect(read({ text, provider: 'codex' })).toEqual(['credit', null])
})

test('row 29: only turn.failed and error carry a limit, items never', () => {
  const notice = "You've hit your usage limit. Try again in 2 hours."
  const items = [
    { type: 'thread.started', thread_id: 't' },
    { type: 'item.completed', item: { type: 'agent_message', text: notice } },
    { type: 'item.completed', item: { type: 'error', message: 'HTTP 429 rate limit exceeded' } },
    {
      type: 'turn.completed',
      usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 1 },
    },
  ]
  const lines = (events: readonly object[]): string =>
    events.map((event) => JSON.stringify(event)).join('\n')
  expect(read({ text: lines(items), provider: 'codex' })).toEqual(['none', null])
  for (const event of [
    { type: 'turn.failed', error: { message: notice } },
    { type: 'error', message: notice },
  ]) {
    expect(read({ text: lines([...items.slice(0, 2), event]), provider: 'codex' })).toEqual([
      'window',
      '2026-08-14T23:00:00.000Z',
    ])
  }
})

test.each([
  ['exceeded retry limit, last status: 429 Too Many Requests, request id: r', 'throttle'],
  ['stream disconnected before completion: Transport error: network error', 'transient'],
  ["We're currently experiencing high demand, which may cause temporary errors.", 'overload'],
])('row 30: %s', (text, kind) => {
  expect(read({ text, provider: 'codex' })).toEqual([kind, null])
})

test('row 31: the Codex usage endpoint states two windows', () => {
  const report = {
    rate_limit: {
      allowed: false,
      limit_reached: true,
      primary_window: {
        used_percent: 100,
        reset_at: NOW_SECONDS + 999,
        reset_after_seconds: 600,
        limit_window_seconds: 18_000,
      },
      secondary_window: { used_percent: 20, reset_at: NOW_SECONDS + 86_400 },
    },
  }
  const windows = readUsageReport(report, { receivedAt: NOW })
  expect(findWindow(windows, 'codex-primary')).toMatchObject({
    utilization: 1,
    resetAt: NOW + 600_000,
    perSeconds: 18_000,
  })
  expect(findWindow(windows, 'codex-secondary')).toMatchObject({ resetAt: NOW + 24 * HOUR_MS })
})

test.each([
  ['1s', 1_000],
  ['6m0s', 360_000],
  ['12ms', 12],
  ['9ms', 9],
  ['1.5s', 1_500],
  ['1h2m3s', 3_723_000],
])('row 32: an OpenAI reset of %s', (reset, delayMs) => {
  const windows = readHeaders({
    'x-ratelimit-limit-tokens': '150000',
    'x-ratelimit-remaining-tokens': '149984',
    'x-ratelimit-reset-tokens': reset,
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '59',
  })
  expect(findWindow(windows, 'tokens')).toMatchObject({
    kind: 'rate',
    unit: 'token',
    perSeconds: 60,
    limit: 150_000,
    remaining: 149_984,
    resetAt: NOW + delayMs,
  })
  expect(findWindow(windows, 'requests')).toMatchObject({ limit: 60, remaining: 59, resetAt: null })
})

function makeOpenAiLimit(message: string, code = 'rate_limit_exceeded'): Record<string, unknown> {
  return { error: { message, type: 'tokens', param: null, code } }
}

test.each([
  ['644ms', 'throttle', 644],
  ['1.574s', 'throttle', 1_574],
  ['18.642s', 'throttle', 18_642],
  ['114h18m0s', 'window', 411_480_000],
])('row 33: OpenAI says to try again in %s', (wait, kind, delayMs) => {
  const message = `Rate limit reached for m in organization org-x on tokens per min (TPM): Limit 30000, Used 29937, Requested 385. Please try again in ${wait}. Visit https://platform.openai.com to learn more.`
  expect(
    classify({ status: 429, body: makeOpenAiLimit(message), provider: 'openai' }),
  ).toMatchObject({
    kind,
    until: NOW + delayMs,
    observed: { dimension: 'token', perSeconds: 60, limit: 30_000, used: 29_937, requested: 385 },
  })
})

test('row 33: a limit per day is a day limit, however short its wait', () => {
  const message =
    'Rate limit reached for m on requests per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7m12s.'
  expect(read({ status: 429, body: makeOpenAiLimit(message), provider: 'openai' })).toEqual([
    'day',
    '2026-08-14T21:07:12.000Z',
  ])
})

test('row 34: a request above the whole limit never fits', () => {
  const message =
    'Request too large for m in organization org-x on tokens per min (TPM): Limit 30000, Requested 36055. The input or output tokens must be reduced.'
  expect(
    classify({ status: 429, body: makeOpenAiLimit(message), provider: 'openai' }),
  ).toMatchObject({
    kind: 'too_large',
    until: null,
    observed: { limit: 30_000, requested: 36_055 },
  })
})

test.each([
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
])('row 35: the code %s is money', (code) => {
  const body = makeOpenAiLimit('You exceeded your current quota.', code)
  expect(read({ status: 429, body, provider: 'openai' })).toEqual(['credit', null])
})

test.each([
  [429, 'slow_down'],
  [503, 'slow_down'],
  [503, 'server_is_overloaded'],
])('row 36: %d with %s is overload', (status, code) => {
  const body = makeOpenAiLimit('Please reduce your rate.', code)
  expect(classify({ status, body, provider: 'openai' }).kind).toBe('overload')
})

test('row 37: a limit of requests per minute is learned with its size', () => {
  const message =
    'Rate limit reached for m on requests per min (RPM): Limit 60, Used 60, Requested 1. Please try again in 1s.'
  expect(classify({ status: 429, body: makeOpenAiLimit(message) }).observed).toMatchObject({
    dimension: 'request',
    perSeconds: 60,
    limit: 60,
  })
})

test('row 38: an Azure wait is honoured, a day for a limit of a minute is not, -1 and 0 are unknown', () => {
  const make = (seconds: number): Record<string, unknown> => ({
    error: {
      code: '429',
      message: `Requests to the ChatCompletions_Create Operation have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after ${seconds} seconds.`,
    },
  })
  expect(read({ status: 429, body: make(33) })).toEqual(['throttle', '2026-08-14T21:00:33.000Z'])
  const mistaken = classify({
    status: 429,
    body: make(86_400),
    headers: { 'retry-after': '86400' },
  })
  expect(mistaken.kind).toBe('throttle')
  expect(mistaken.until).toBeGreaterThanOrEqual(NOW + 60_000)
  expect(mistaken.until).toBeLessThanOrEqual(NOW + 120_000)
  const windows = readHeaders({
    'x-ratelimit-limit-requests': '-1',
    'x-ratelimit-remaining-requests': '-1',
    'x-ratelimit-limit-tokens': '0',
    'x-ratelimit-remaining-tokens': '0',
  })
  for (const window of windows) expect(window).toMatchObject({ limit: null, remaining: null })
})

test('row 39: a gateway in front says its wait in prose', () => {
  const body = { statusCode: 429, message: 'Rate limit is exceeded. Try again in 2 seconds.' }
  expect(read({ status: 429, body })).toEqual(['throttle', '2026-08-14T21:00:02.000Z'])
})

function makeGoogleError(message: string, details: readonly object[]): Record<string, unknown> {
  return { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message, details } }
}

function makeQuotaFailure(quotaId: string): object {
  return { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] }
}

test.each([
  ['34.07s', 34_070],
  ['9s', 9_000],
  ['900ms', 900],
])('row 40: a Google retryDelay of %s for a quota of a minute', (retryDelay, delayMs) => {
  const body = makeGoogleError('Quota exceeded.', [
    makeQuotaFailure('GenerateContentInputTokensPerModelPerMinute-FreeTier'),
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
  ])
  expect(classify({ status: 429, body })).toMatchObject({ kind: 'throttle', until: NOW + delayMs })
})

test('row 40: a quota of a day ends with its delay, else at midnight Pacific', () => {
  const failure = makeQuotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier')
  expect(read({ status: 429, body: makeGoogleError('Quota exceeded.', [failure]) })).toEqual([
    'day',
    '2026-08-15T07:00:00.000Z',
  ])
  const body = makeGoogleError('Quota exceeded.', [failure, { retryDelay: '3600s' }])
  expect(read({ status: 429, body })).toEqual(['day', '2026-08-14T22:00:00.000Z'])
})

test('row 41: a quota of nothing is no entitlement; else hours and minutes are read', () => {
  const say = (limit: number): string =>
    `You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: g.com/free_tier_requests, limit: ${limit}, model: m\nPlease retry in 10h17m5.723541104s.`
  expect(read({ status: 429, body: makeGoogleError(say(0), []) })).toEqual(['credit', null])
  expect(read({ status: 429, body: makeGoogleError(say(250), []) })).toEqual([
    'window',
    '2026-08-15T07:17:05.724Z',
  ])
})

test.each([
  ['RATE_LIMIT_EXCEEDED', 'throttle'],
  ['QUOTA_EXHAUSTED', 'window'],
  ['MODEL_CAPACITY_EXHAUSTED', 'overload'],
  ['INSUFFICIENT_G1_CREDITS_BALANCE', 'credit'],
])('row 42: the reason %s wins over the text', (reason, kind) => {
  const body = makeGoogleError('You have exhausted your daily quota on this model.', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'cloudcode-pa.googleapis.com',
    },
  ])
  expect(classify({ status: 429, body }).kind).toBe(kind)
})

test.each([
  [
    {
      status: 503,
      body: { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is busy.' } },
    },
  ],
  [
    {
      status: 499,
      body: { error: { code: 499, status: 'CANCELLED', message: 'The operation was cancelled.' } },
    },
  ],
  [
    {
      status: 429,
      body: {
        error: {
          code: 429,
          message: 'Resource exhausted. Please try again later.',
          errors: [{ reason: 'rateLimitExceeded', domain: 'global' }],
        },
      },
    },
  ],
])('row 43: shared capacity %#', (input) => {
  expect(read({ ...input, provider: 'gemini' })).toEqual(['overload', null])
})

test.each([
  ['8h44m7s', 'window', '2026-08-15T05:44:07.000Z'],
  ['4h28m20s', 'window', '2026-08-15T01:28:20.000Z'],
  ['0s', 'throttle', null],
])('row 44: quota will reset after %s', (wait, kind, until) => {
  const text = `You have exhausted your capacity on this model. Your quota will reset after ${wait}.`
  expect(read({ text })).toEqual([kind, until])
})

test('row 45: only the error of the Gemini CLI is evidence', () => {
  const limit = { type: 'ApiError', message: 'Rate limit exceeded. Please retry in 5s.', code: 429 }
  const quote = 'HTTP 429: rate limit exceeded'
  expect(read({ text: JSON.stringify({ session_id: 's', response: quote, stats: {} }) })).toEqual([
    'none',
    null,
  ])
  for (const document of [
    { session_id: 's', error: limit },
    { type: 'result', status: 'error', error: limit },
  ]) {
    expect(read({ text: JSON.stringify(document) })).toEqual([
      'throttle',
      '2026-08-14T21:00:05.000Z',
    ])
  }
})

test('row 46: Mistral windows of a minute and a month, and what the call was charged', () => {
  const windows = readHeaders({
    'x-ratelimit-limit-req-minute': '60',
    'x-ratelimit-remaining-req-minute': '59',
    'x-ratelimit-limit-tokens-month': '1000000',
    'x-ratelimit-remaining-tokens-month': '0',
    'x-ratelimit-tokens-query-cost': '123',
    'x-ratelimitbysize-limit-minute': '500000',
    'x-ratelimitbysize-remaining-minute': '400000',
    'ratelimitbysize-reset': '32',
  })
  expect(findWindow(windows, 'req-minute')).toMatchObject({
    kind: 'rate',
    unit: 'request',
    limit: 60,
  })
  expect(findWindow(windows, 'tokens-month')).toMatchObject({
    kind: 'window',
    remaining: 0,
    charged: 123,
  })
  expect(findWindow(windows, 'tokens-by-size-minute')).toMatchObject({
    remaining: 400_000,
    resetAt: NOW + 32_000,
  })
  const headers = { 'x-ratelimit-remaining-tokens-month': '0' }
  expect(classify({ status: 429, headers, provider: 'mistral' }).kind).toBe('window')
})

test.each([
  {
    object: 'error',
    message: 'Rate limit exceeded',
    type: 'rate_limited',
    code: '1300',
    raw_status_code: 429,
  },
  { message: 'Requests rate limit exceeded' },
])('row 47: a Mistral rate %j', (body) => {
  expect(read({ status: 429, body, provider: 'mistral' })).toEqual(['throttle', null])
})

test('row 48: a full service is overload although the type blames the request', () => {
  const body = {
    object: 'error',
    message: 'Service tier capacity exceeded for this model.',
    type: 'invalid_request_error',
    code: '3505',
  }
  expect(read({ status: 429, body, provider: 'mistral' })).toEqual(['overload', null])
})

test('row 49: Groq counts requests per day under the names of OpenAI', () => {
  const headers = {
    'x-ratelimit-limit-requests': '14400',
    'x-ratelimit-remaining-requests': '14370',
    'x-ratelimit-reset-requests': '2m59.56s',
    'x-ratelimit-limit-tokens': '18000',
    'x-ratelimit-remaining-tokens': '17997',
    'x-ratelimit-reset-tokens': '7.66s',
  }
  const windows = readHeaders(headers, 'groq')
  expect(findWindow(windows, 'requests')).toMatchObject({
    kind: 'window',
    perSeconds: 86_400,
    resetAt: NOW + 179_560,
  })
  expect(findWindow(windows, 'tokens')).toMatchObject({ kind: 'rate', resetAt: NOW + 7_660 })
  expect(
    classify({
      status: 429,
      headers: { ...headers, 'x-ratelimit-remaining-requests': '0' },
      provider: 'groq',
    }).kind,
  ).toBe('day')
})

test('row 50: a Groq body', () => {
  const message =
    'Rate limit reached for model `m` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 15000, Used 11972, Requested 4351. Please try again in 5.289s.'
  expect(classify({ status: 429, body: makeOpenAiLimit(message), provider: 'groq' })).toMatchObject(
    {
      kind: 'throttle',
      until: NOW + 5_289,
      observed: { limit: 15_000, used: 11_972, requested: 4_351 },
    },
  )
})

test.each([
  ['free-models-per-day', 'day'],
  ['free-models-per-min', 'throttle'],
])('row 51: OpenRouter puts headers into the body, %s', (name, kind) => {
  const body = {
    error: {
      message: `Rate limit exceeded: ${name}. Add credits to unlock more.`,
      code: 429,
      metadata: {
        headers: {
          'X-RateLimit-Limit': '50',
          'X-RateLimit-Remaining': '0',
          'X-RateLimit-Reset': String(NOW + 30_000),
        },
      },
    },
  }
  expect(classify({ status: 429, body, provider: 'openrouter' })).toMatchObject({
    kind,
    until: NOW + 30_000,
    observed: { windows: [{ limit: 50, remaining: 0 }] },
  })
})

test('row 52: the provider behind OpenRouter is read from the body, also with status 200', () => {
  const make = (raw: unknown): Record<string, unknown> => ({
    id: 'gen-1',
    error: {
      message: 'Provider returned error',
      code: 429,
      metadata: { raw: JSON.stringify(raw), provider_name: 'P' },
    },
  })
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const limited = { error: { message: 'Rate limit reached. Please try again in 3s.' } }
  expect(read({ status: 200, body: make(overloaded), provider: 'openrouter' })).toEqual([
    'overload',
    null,
  ])
  expect(read({ status: 200, body: make(limited), provider: 'openrouter' })).toEqual([
    'throttle',
    '2026-08-14T21:00:03.000Z',
  ])
})

test('row 53: OpenRouter without credits', () => {
  const body = {
    error: { code: 402, message: 'Insufficient credits. Add more using https://openrouter.ai' },
  }
  expect(read({ status: 402, body, provider: 'openrouter' })).toEqual(['credit', null])
})

test.each([
  ['ThrottlingException', 'Too many tokens, please wait before trying again.', 'throttle'],
  ['ThrottlingException', 'Too many requests, please wait before trying again.', 'throttle'],
  ['ModelNotReadyException', 'Model is not ready for inference.', 'overload'],
  ['ServiceUnavailableException', 'Bedrock is unable to process your request.', 'overload'],
  ['ServiceQuotaExceededException', 'Your request exceeds the service quota.', 'credit'],
])('row 54: Bedrock %s, %s', (type, message, kind) => {
  expect(classify({ text: `${type}: ${message}` }).kind).toBe(kind)
  expect(classify({ status: 429, body: { __type: type, message }, provider: 'bedrock' }).kind).toBe(
    kind,
  )
})

test('row 55: NVIDIA says nothing but the status, for the whole account', () => {
  const body = { status: 429, title: 'Too Many Requests' }
  expect(classify({ status: 429, body, provider: 'nvidia' })).toMatchObject({
    kind: 'throttle',
    until: null,
    scope: 'account',
  })
})

test.each([
  [
    {
      status: 402,
      body: { error: { message: 'Insufficient Balance', code: 'invalid_request_error' } },
    },
    'credit',
  ],
  [{ status: 503, body: { error: { message: 'Server overloaded' } } }, 'overload'],
  [{ text: '\n\n: keep-alive\n\n: keep-alive\n\n' }, 'none'],
])('row 56: DeepSeek %#', (input, kind) => {
  expect(classify({ ...input, provider: 'deepseek' }).kind).toBe(kind)
})

test.each([
  ['2 hours', 2 * HOUR_MS],
  ['58 hours', 58 * HOUR_MS],
  ['15 hours 23 minutes', 15 * HOUR_MS + 23 * 60_000],
])('row 57: Copilot asks for %s', (wait, delayMs) => {
  const text = `Sorry, you've hit a rate limit that restricts the number of Copilot model requests you can make within a specific time period. Please try again in ${wait}.`
  expect(classify({ text })).toMatchObject({ kind: 'window', until: NOW + delayMs })
})

test('row 58: the weekly code wins over the short wait beside it', () => {
  const notice =
    "You've reached your weekly rate limit. Please wait for your limit to reset on September 20, 2026 at 2:00 AM or switch to auto model"
  const body = {
    error: { code: 'user_weekly_rate_limited', message: `${notice}. Please wait 2 minutes.` },
  }
  expect(
    read({ status: 429, body, headers: { 'retry-after': '120' }, provider: 'copilot' }),
  ).toEqual(['window', '2026-09-20T02:00:00.000Z'])
  const bare = { error: { code: 'user_weekly_rate_limited', message: 'Please wait 2 minutes.' } }
  expect(read({ status: 429, body: bare, provider: 'copilot' })).toEqual(['window', null])
})

test.each([
  JSON.stringify({
    type: 'session.error',
    data: { errorType: 'rate_limit', message: 'You are limited' },
  }),
  'Model call failed {"message":"rate limit exceeded","code":"rate_limited"}',
])('row 59: %s', (text) => {
  expect(read({ text, provider: 'copilot' })).toEqual(['throttle', null])
})

test('row 60: OpenCode waits inside; a long wait is a window', () => {
  const say = (delayMs: number): string =>
    JSON.stringify({
      type: 'session.status',
      properties: {
        status: { type: 'retry', attempt: 4, message: 'Rate Limited', next: NOW + delayMs },
      },
    })
  expect(classify({ text: say(3 * HOUR_MS), provider: 'opencode' })).toMatchObject({
    kind: 'window',
    until: NOW + 3 * HOUR_MS,
  })
  expect(classify({ text: say(8_000), provider: 'opencode' })).toMatchObject({
    kind: 'throttle',
    until: NOW + 8_000,
  })
  for (const name of ['FreeUsageLimitError', 'GoUsageLimitError']) {
    const body = { error: { type: name, message: 'Rate limit exceeded. Please try again later.' } }
    expect(classify({ status: 429, body, provider: 'opencode' }).kind).toBe('window')
  }
})

test('row 61: a gateway may send a rate limit as a bad request, a first-party API does not', () => {
  const body = { detail: 'rate limit exceeded' }
  expect(classify({ status: 400, body, provider: 'openai-compatible' }).kind).toBe('throttle')
  expect(classify({ status: 400, body, provider: 'openai' }).kind).toBe('unknown')
})

test.each([
  ['3', 3_000],
  ['Fri, 14 Aug 2026 20:59:30 GMT', 60_000],
  ['Friday, 14-Aug-26 20:59:30 GMT', 60_000],
  ['Fri Aug 14 20:59:30 2026', 60_000],
])(
  'row 62: Retry-After %s beside a Date half a minute slow and one minute earlier',
  (value, delayMs) => {
    const headers = { 'Retry-After': value, Date: 'Fri, 14 Aug 2026 20:58:30 GMT' }
    expect(classify({ status: 429, headers })).toMatchObject({ until: NOW + delayMs })
  },
)

test('row 62: a negative Retry-After and one in the past say nothing', () => {
  for (const value of ['-3', 'Fri, 14 Aug 2026 20:59:00 GMT', '', 'soon']) {
    expect(read({ status: 429, headers: { 'retry-after': value } })).toEqual(['throttle', null])
  }
})

test.each(['retry-after-ms', 'x-ms-retry-after-ms'])('row 63: %s wins over retry-after', (name) => {
  const headers = { [name]: '250.5', 'retry-after': '1' }
  expect(classify({ status: 429, headers }).until).toBe(NOW + 251)
})

test('row 64: RateLimit and RateLimit-Policy are joined by policy', () => {
  const windows = readHeaders({
    'RateLimit-Policy':
      '"burst";q=100;w=60,"daily";q=1000;w=86400, "bytes";q=65535;qu="content-bytes";w=10;pk=:cHNsZQ==:',
    RateLimit: '"burst";r=50;t=30, "daily";r=900',
  })
  expect(findWindow(windows, 'burst')).toMatchObject({
    kind: 'rate',
    unit: 'request',
    perSeconds: 60,
    limit: 100,
    remaining: 50,
    resetAt: NOW + 30_000,
  })
  expect(findWindow(windows, 'daily')).toMatchObject({
    kind: 'window',
    limit: 1_000,
    remaining: 900,
  })
  expect(findWindow(windows, 'bytes')).toMatchObject({ unit: 'byte', perSeconds: 10 })
  expect(readHeaders({ RateLimit: '"default";r=50;t=' })).toEqual([])
  expect(readHeaders({ RateLimit: '"default";r=0;t=30', Age: '12' })).toEqual([])
  const headers = { RateLimit: '"default";r=0;t=30', 'Retry-After': '5' }
  expect(classify({ status: 429, headers }).until).toBe(NOW + 5_000)
})

test.each([
  ['quota-exceeded', 'throttle'],
  ['temporary-reduced-capacity', 'overload'],
  ['abnormal-usage-detected', 'overload'],
])('row 65: the problem type %s', (type, kind) => {
  const body = {
    type: `https://iana.org/assignments/http-problem-types#${type}`,
    title: 'Request cannot be satisfied',
    'violated-policies': ['default'],
  }
  expect(classify({ status: kind === 'throttle' ? 429 : 503, body }).kind).toBe(kind)
})

test.each([
  [{ 'RateLimit-Limit': '100', 'RateLimit-Remaining': '50', 'RateLimit-Reset': '5' }, null],
  [{ 'RateLimit-Limit': '100, 100;w=60', 'RateLimit-Remaining': '50', 'RateLimit-Reset': '5' }, 60],
  [{ RateLimit: 'limit=100, remaining=50, reset=5' }, null],
])('row 66: older drafts %j', (headers, perSeconds) => {
  expect(readHeaders(headers)).toEqual([
    expect.objectContaining({ limit: 100, remaining: 50, resetAt: NOW + 5_000, perSeconds }),
  ])
})

test.each([
  ['30', NOW + 30_000],
  [String(NOW_SECONDS + 30), NOW + 30_000],
  [String(NOW + 30_000), NOW + 30_000],
  ['2026-08-14T21:00:30Z', NOW + 30_000],
])('row 67: X-RateLimit-Reset %s is told apart by magnitude', (reset, resetAt) => {
  expect(
    readHeaders({
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': reset,
    }),
  ).toEqual([expect.objectContaining({ limit: 10, remaining: 0, resetAt })])
})

test('row 68: Code Assist states what fraction of a model is left', () => {
  const report = {
    models: [
      { name: 'm', quotaInfo: { remainingFraction: 0.25, resetTime: '2026-08-14T23:00:00Z' } },
    ],
  }
  expect(readUsageReport(report, { receivedAt: NOW })).toEqual([
    expect.objectContaining({ utilization: 0.75, resetAt: NOW + 2 * HOUR_MS, family: 'm' }),
  ])
})

test('a stated wait beyond 35 days stands, as a window', () => {
  expect(read({ status: 429, headers: { 'retry-after': String(40 * 86_400) } })).toEqual([
    'window',
    '2026-09-23T21:00:00.000Z',
  ])
})

test('a bare value is read by the same parser as prose', () => {
  expect(parseReset('6m0s', { now: NOW })?.at).toBe(NOW + 360_000)
})
