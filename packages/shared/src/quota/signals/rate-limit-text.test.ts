import { expect, test } from 'vitest'
import { systemClock } from '../../core/index.ts'
import {
  computeCooldownUntil,
  detectRateLimitError,
  getHeaderExtractorForProvider,
} from './rate-limit-text.ts'

const NOW = Date.parse('2026-08-14T21:00:00Z')
const clock = { ...systemClock, now: () => NOW }

test.each([
  ['Rate limit exceeded, try again in 12 s', true, 12_000],
  ['HTTP 429 Too Many Requests', true, null],
  ["You've hit your session limit. Resets in 2h 15m", true, 8_100_000],
  ['529 {"type":"error","error":{"type":"overloaded_error"}}', true, null],
  ['prompt is too long: 214676 tokens > 200000 maximum', false, null],
  ['{"error":{"code":"insufficient_quota"}}', false, null],
  ['src/limits.ts:429: expression is always true', false, null],
])('%s', (text, isRateLimited, retryAfterMs) => {
  expect(detectRateLimitError(text, clock)).toEqual({ isRateLimited, retryAfterMs })
})

test('a cooldown ends after the stated wait, after a minute when none was stated', () => {
  expect(computeCooldownUntil(5_000, clock)).toBe('2026-08-14T21:00:05.000Z')
  expect(computeCooldownUntil(null, clock)).toBe('2026-08-14T21:01:00.000Z')
})

test('limits per minute are read from printed headers', () => {
  const text =
    '< anthropic-ratelimit-requests-limit: 50\n< anthropic-ratelimit-input-tokens-limit: 40000\n< anthropic-ratelimit-output-tokens-limit: 8000\ndone'
  expect(getHeaderExtractorForProvider('anthropic', clock).extract(text)).toEqual({
    requests_per_minute: 50,
    input_tokens_per_minute: 40_000,
    output_tokens_per_minute: 8_000,
    source: 'headers',
  })
  expect(getHeaderExtractorForProvider('anthropic', clock).extract('no headers here')).toBeNull()
})

test('a limit of another length than a minute is none per minute', () => {
  const text = 'x-ratelimit-limit-requests: 14400\nx-ratelimit-limit-tokens: 18000'
  expect(getHeaderExtractorForProvider('groq', clock).extract(text)).toMatchObject({
    requests_per_minute: null,
    input_tokens_per_minute: 18_000,
  })
})
