import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawItems } from './items.ts'
import { always, makeAccount, makeBucket, makePool, makeScenario } from './fixtures/scenarios.ts'
import { computeLowerBound } from './lower-bound.ts'
import type { Scenario } from './scenario.ts'
import { simulate } from './simulate.ts'

interface Figures {
  readonly count: number
  readonly requests: number
  readonly inputTokens: number
  readonly spread: number
  readonly error: number
  readonly faults: number
  readonly foreign: number
  readonly drivers: number
}

const anyFigures = fc.record({
  count: fc.integer({ min: 1, max: 40 }),
  requests: fc.integer({ min: 5, max: 60 }),
  inputTokens: fc.integer({ min: 20_000, max: 120_000 }),
  spread: fc.double({ min: 1, max: 4, noNaN: true }),
  error: fc.double({ min: 1, max: 1.5, noNaN: true }),
  faults: fc.double({ min: 0, max: 0.1, noNaN: true }),
  foreign: fc.constantFrom(0, 0, 0.3),
  drivers: fc.integer({ min: 1, max: 3 }),
})
const anySeed = fc.integer({ min: 1, max: 1_000_000 })

/** A pool with known rates beside a CLI with three slots. */
function makeMixed(figures: Figures): Scenario {
  const { requests, inputTokens, spread, error } = figures
  const fault = { probability: figures.faults, takes_s: 20, charges: 'input' } as const
  const faults = { crash: fault, bad_output: { ...fault, takes_s: null, charges: 'all' } } as const
  const known = { requests_per_minute: requests, input_tokens_per_minute: inputTokens }
  const api = makePool('api', { known, headers: 'anthropic', rank: 'standard', faults })
  const cli = makePool('cli', { kind: 'cli', concurrency: 3, faults })
  const rates = [makeBucket('requests', requests), makeBucket('input_tokens', inputTokens)]
  const accounts = [
    makeAccount('api', rates, { foreign_load: figures.foreign }),
    makeAccount('cli', []),
  ]
  const scenario = makeScenario(figures.count, accounts, [api, cli])
  const spreadOut = (median: number) => ({
    lognormal: { median, p95: median * spread, min: median / 10, max: median * 6 },
  })
  return {
    ...scenario,
    drivers: figures.drivers,
    items: {
      ...scenario.items,
      input_tokens: spreadOut(2_000),
      output_tokens: spreadOut(600),
      estimate_error: { lognormal: { median: 1, p95: error, min: 0.5, max: 2 } },
      rank: { small: 0.5, standard: 0.3, deep: 0.2 },
    },
  }
}

test('the same seed gives the same run, to the last figure', async () => {
  await fc.assert(
    fc.asyncProperty(anyFigures, anySeed, async (figures, seed) => {
      const scenario = makeMixed(figures)
      expect(await simulate({ scenario, seed })).toEqual(await simulate({ scenario, seed }))
    }),
    { numRuns: 50 },
  )
})

test('every item is completed once or stranded, and known limits are never booked beyond', async () => {
  await fc.assert(
    fc.asyncProperty(anyFigures, anySeed, async (figures, seed) => {
      const scenario = makeMixed(figures)
      const result = await simulate({ scenario, seed })
      const byPools = result.perPool.reduce((sum, { completed }) => sum + completed, 0)
      expect(result.completed + result.stranded).toBe(figures.count)
      expect(byPools).toBe(result.completed)
      expect(result.overAdmission).toBe(0)
    }),
    { numRuns: 200 },
  )
})

test('no run that completes everything is faster than the bound', async () => {
  await fc.assert(
    fc.asyncProperty(anyFigures, anySeed, async (figures, seed) => {
      const scenario = makeMixed(figures)
      const { makespanSeconds, stranded } = await simulate({ scenario, seed })
      fc.pre(stranded === 0)
      expect(makespanSeconds).toBeGreaterThanOrEqual(computeLowerBound(scenario, seed) - 0.01)
    }),
    { numRuns: 200 },
  )
})

/** One pool under two token buckets; costs and durations are known exactly. */
function makeSingle({ count, requests, inputTokens, spread }: Figures): Scenario {
  const rates = [makeBucket('requests', requests), makeBucket('input_tokens', inputTokens)]
  const known = { requests_per_minute: requests, input_tokens_per_minute: inputTokens }
  const scenario = makeScenario(count, [makeAccount('a', rates)], [makePool('a', { known })])
  const input = { lognormal: { median: 3_000, p95: 3_000 * spread, min: 300, max: 18_000 } }
  return {
    ...scenario,
    items: { ...scenario.items, input_tokens: input, output_tokens: always(500) },
  }
}

test('one token-bucket pool with exact costs and durations stays within (K + 1) T_LB + d_max', async () => {
  const buckets = 2
  const longestS = 10
  await fc.assert(
    fc.asyncProperty(anyFigures, anySeed, async (figures, seed) => {
      const scenario = makeSingle(figures)
      const { makespanSeconds, stranded, rejections } = await simulate({ scenario, seed })
      const bound = computeLowerBound(scenario, seed)
      expect({ stranded, rejections }).toEqual({ stranded: 0, rejections: 0 })
      expect(makespanSeconds).toBeLessThanOrEqual((buckets + 1) * bound + longestS)
      expect(makespanSeconds).toBeGreaterThanOrEqual(bound - 0.01)
    }),
    { numRuns: 1_000 },
  )
})

test('the bound never rises when a limit does', () => {
  fc.assert(
    fc.property(anyFigures, anySeed, fc.integer({ min: 1, max: 60 }), (figures, seed, more) => {
      const bound = computeLowerBound(makeMixed(figures), seed)
      const requests = figures.requests + more
      const inputTokens = figures.inputTokens + more * 1_000
      for (const wider of [
        { ...figures, requests },
        { ...figures, inputTokens },
      ]) {
        expect(computeLowerBound(makeMixed(wider), seed)).toBeLessThanOrEqual(bound + 0.01)
      }
    }),
    { numRuns: 60 },
  )
})

test('estimates, ranks and sizes of items depend on the seed alone', () => {
  fc.assert(
    fc.property(anyFigures, anySeed, (figures, seed) => {
      const scenario = makeMixed(figures)
      const other = { ...scenario, drivers: 3, max_time_s: 1, pools: scenario.pools.slice(1) }
      expect(drawItems(other, seed)).toEqual(drawItems(scenario, seed))
    }),
    { numRuns: 20 },
  )
})
