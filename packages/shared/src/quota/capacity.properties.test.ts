import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeDispatchCapacity } from './capacity.ts'
import type { CapacityPool, UsageWindow } from './pool.ts'

const now = Date.UTC(2026, 5, 1)
const runs = { numRuns: 1_000 }

const figure = fc.integer({ min: 1, max: 200 })

const arbitraryPool = fc.record({
  account: fc.constantFrom('a', 'b'),
  concurrency: fc.option(figure, { nil: undefined }),
  requests: fc.option(figure, { nil: undefined }),
  tokens: fc.option(
    figure.map((value) => value * 1_000),
    { nil: undefined },
  ),
  hostLimit: fc.option(figure),
  used: fc.option(fc.integer({ min: 0, max: 120 })),
})

type Shape = typeof arbitraryPool extends fc.Arbitrary<infer Value> ? Value : never

const arbitraryPending = fc.array(fc.integer({ min: 100, max: 20_000 }), {
  minLength: 1,
  maxLength: 300,
})

function makePool(shape: Shape, index: number): CapacityPool {
  const { account, concurrency, requests, tokens, hostLimit, used } = shape
  return {
    id: `pool-${index}`,
    providerName: 'anthropic',
    hostModel: 'model',
    hostConcurrencyLimit: hostLimit,
    accountKey: account,
    source: {
      provider: 'anthropic',
      quota: {
        concurrency,
        requests_per_minute: requests,
        input_tokens_per_minute: tokens,
      },
    },
    quotaSourceSnapshot:
      used === null
        ? null
        : {
            source: 'live',
            captured_at: new Date(now).toISOString(),
            windows: [
              { unit: 'request', limit: 100, used, period_seconds: 18_000 },
              { unit: 'percent', used },
            ],
          },
  }
}

function countSlots(pools: readonly CapacityPool[], pendingItemTokens: readonly number[]): number {
  const capacity = computeDispatchCapacity({ pools, sessionConfig: {}, pendingItemTokens, now })
  return capacity.total_slots
}

type Change = 'concurrency' | 'requests' | 'tokens' | 'hostLimit' | 'used'

/** The same pool with one figure that allows less. */
function tighten(shape: Shape, change: Change, share: number): Shape {
  if (change === 'used') return { ...shape, used: (shape.used ?? 0) + Math.ceil(50 * share) }
  const figureNow = shape[change]
  if (figureNow === undefined || figureNow === null) return shape
  return { ...shape, [change]: Math.max(1, Math.floor(figureNow * share)) }
}

test('Fold monotone: lowering any limit or raising usage never increases slots', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryPool, { minLength: 1, maxLength: 5 }),
      arbitraryPending,
      fc.record({
        which: fc.nat(4),
        change: fc.constantFrom<Change[]>('concurrency', 'requests', 'tokens', 'hostLimit', 'used'),
        share: fc.double({ min: 0.01, max: 1, noNaN: true }),
      }),
      (shapes, pending, { which, change, share }) => {
        const tightened = shapes.map((shape, index) =>
          index === which % shapes.length ? tighten(shape, change, share) : shape,
        )
        const before = countSlots(shapes.map(makePool), pending)
        expect(countSlots(tightened.map(makePool), pending)).toBeLessThanOrEqual(before)
      },
    ),
    runs,
  )
})

test('Fold monotone: adding an unknown source never changes the result, and NaN, negative and -1 count as absent', () => {
  const nothing = fc.constantFrom(Number.NaN, -1, -1_000, null, undefined, Number.NEGATIVE_INFINITY)
  fc.assert(
    fc.property(arbitraryPool, arbitraryPending, nothing, nothing, (shape, pending, one, two) => {
      const pool = makePool(shape, 0)
      const unknown: UsageWindow = { unit: 'token', limit: one ?? null, used: two ?? null }
      const snapshot = pool.quotaSourceSnapshot ?? {
        source: 'other',
        captured_at: new Date(now).toISOString(),
        windows: [],
      }
      const withUnknown: CapacityPool = {
        ...pool,
        discoveredLimits: {
          requests_per_minute: one ?? null,
          input_tokens_per_minute: two ?? null,
          context_tokens: one ?? null,
        },
        quotaSourceSnapshot: {
          ...snapshot,
          windows: [...snapshot.windows, unknown],
          max_safe_concurrency: one ?? null,
        },
      }
      expect(countSlots([withUnknown], pending)).toBe(countSlots([pool], pending))
    }),
    runs,
  )
})

test('Fold monotone: permutation of sources does not matter', () => {
  fc.assert(
    fc.property(
      fc
        .array(arbitraryPool, { minLength: 2, maxLength: 5 })
        .chain((shapes) =>
          fc.tuple(fc.constant(shapes), fc.shuffledSubarray(shapes, { minLength: shapes.length })),
        ),
      arbitraryPending,
      ([shapes, shuffled], pending) => {
        expect(countSlots(shuffled.map(makePool), pending)).toBe(
          countSlots(shapes.map(makePool), pending),
        )
      },
    ),
    runs,
  )
})

test('Shared keys are exact: the slots of all pools together never exceed a limit that they share', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryPool, { minLength: 1, maxLength: 5 }),
      arbitraryPending,
      (shapes, pending) => {
        const pools = shapes.map(makePool)
        const capacity = computeDispatchCapacity({
          pools,
          sessionConfig: {},
          pendingItemTokens: pending,
          now,
        })
        for (const account of ['a', 'b']) {
          const own = shapes.flatMap((shape, index) =>
            shape.account === account
              ? [{ ...shape, slots: capacity.pools[index]?.slots ?? 0 }]
              : [],
          )
          const slots = own.reduce((sum, pool) => sum + pool.slots, 0)
          for (const { concurrency, requests } of own) {
            expect(slots).toBeLessThanOrEqual(concurrency ?? Number.POSITIVE_INFINITY)
            expect(slots).toBeLessThanOrEqual(requests ?? Number.POSITIVE_INFINITY)
          }
        }
        expect(capacity.total_slots).toBe(capacity.pools.reduce((sum, { slots }) => sum + slots, 0))
        expect(capacity.total_slots).toBeLessThanOrEqual(pending.length)
      },
    ),
    runs,
  )
})
