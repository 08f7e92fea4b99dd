import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLimitHeaders } from './read-limit-headers.ts'

const RUNS = { numRuns: 1_000 }
const NOW = Date.parse('2026-08-14T21:00:00Z')

const NAMES = [
  'retry-after', 'retry-after-ms', 'date', 'age', 'ratelimit', 'ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining',
  'ratelimit-reset', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests', 'x-ratelimit-remaining-tokens-month',
  'x-ratelimitbysize-remaining-minute', 'anthropic-ratelimit-tokens-limit', 'anthropic-ratelimit-tokens-remaining',
  'anthropic-ratelimit-tokens-reset', 'anthropic-priority-input-tokens-limit', 'anthropic-ratelimit-unified-status',
  'anthropic-ratelimit-unified-reset', 'anthropic-ratelimit-unified-5h-utilization', 'anthropic-ratelimit-unified-7d-status',
  'anthropic-ratelimit-unified-representative-claim', 'x-codex-primary-used-percent', 'x-codex-primary-reset-at',
  'x-codex-credits-has-credits', 'content-type',
] // prettier-ignore

const value = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    'NaN',
    '',
    '1',
    '50',
    '6m0s',
    '1.5',
    'rejected',
    'allowed',
    'five_hour',
    'true',
    '1786806000',
  ),
  fc.constantFrom(
    '2026-08-15T09:00:00Z',
    'Sat, 15 Aug 2026 09:00:00 GMT',
    '"a";q=1;w=60',
    '"a";r=0;t=5',
    'limit=1',
  ),
  fc.double().map(String),
  fc.string({ maxLength: 20 }),
)
const headers = fc.dictionary(fc.constantFrom(...NAMES), value)
const provider = fc.constantFrom(
  undefined,
  'anthropic',
  'openai',
  'groq',
  'mistral',
  'codex',
  'nobody',
)

test('Fold monotone: the order and the case of headers do not matter', () => {
  fc.assert(
    fc.property(headers, provider, (given, name) => {
      const read = (pairs: readonly (readonly [string, string])[]): unknown[] =>
        readLimitHeaders(pairs, { provider: name, receivedAt: NOW }).toSorted((left, right) =>
          left.name < right.name ? -1 : 1,
        )
      const pairs = Object.entries(given)
      const shuffled = pairs.toReversed().map(([key, text]) => [key.toUpperCase(), text] as const)
      expect(read(shuffled)).toEqual(read(pairs))
    }),
    RUNS,
  )
})

test('Fold monotone: NaN, negative and -1 are absent, and an unknown header changes nothing', () => {
  const absent = fc.constantFrom('-1', 'NaN', '-5', '', 'n/a', 'Infinity', '1e400', '-0.5')
  fc.assert(
    fc.property(headers, fc.constantFrom(...NAMES), absent, provider, (given, name, junk, who) => {
      const options = { provider: who, receivedAt: NOW }
      for (const window of readLimitHeaders({ ...given, [name]: junk }, options)) {
        for (const figure of [window.limit, window.remaining, window.resetAt, window.perSeconds]) {
          expect(figure === null || (Number.isFinite(figure) && figure >= 0)).toBe(true)
        }
        expect(window.utilization === undefined || window.utilization >= 0).toBe(true)
      }
      expect(readLimitHeaders({ ...given, 'x-something-else': '7' }, options)).toEqual(
        readLimitHeaders(given, options),
      )
    }),
    RUNS,
  )
})

test('Headers objects, pairs and plain objects read alike', () => {
  const plain = { 'X-RateLimit-Limit': '10', 'Retry-After': '5' }
  const expected = readLimitHeaders(plain, { receivedAt: NOW })
  expect(expected).toHaveLength(2)
  expect(readLimitHeaders(new Headers(plain), { receivedAt: NOW })).toEqual(expected)
  expect(readLimitHeaders(new Map(Object.entries(plain)), { receivedAt: NOW })).toEqual(expected)
  expect(
    readLimitHeaders(
      { ...plain, 'retry-after': undefined, other: ['a', 'b'] },
      { receivedAt: NOW },
    ),
  ).toEqual(expected)
})
