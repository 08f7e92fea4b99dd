import { expect, test } from 'vitest'
import { makeAccount, makeBucket, makePool, makeScenario } from './fixtures/scenarios.ts'
import { computeLowerBound } from './lower-bound.ts'
import type { DispatchPolicy } from './policy.ts'
import { simulate } from './simulate.ts'

test('a rate that binds alone is served to the millisecond, which is the bound', async () => {
  const account = makeAccount('a', [makeBucket('requests', 2)])
  const scenario = makeScenario(
    4,
    [account],
    [makePool('a', { known: { requests_per_minute: 2 } })],
  )
  const result = await simulate({ scenario, seed: 1 })
  expect(result).toMatchObject({
    makespanSeconds: 70,
    rejections: 0,
    wastedTokens: 0,
    stranded: 0,
    overAdmission: 0,
    completed: 4,
  })
  expect(computeLowerBound(scenario, 1)).toBeCloseTo(70, 2)
})

test('a plan window that closes is waited for, and the run goes on by itself after its reset', async () => {
  const window = {
    dimension: 'plan',
    enforcement: 'plan_window',
    budget_tokens: 6_000,
    used_fraction: 0.5,
    resets_at_s: 3_600,
    period_s: 18_000,
  } as const
  const pool = makePool('a', { kind: 'cli', concurrency: 1 })
  const scenario = makeScenario(5, [makeAccount('a', [window])], [pool])
  const { makespanSeconds, rejections, stranded } = await simulate({ scenario, seed: 1 })
  expect({ rejections, stranded }).toEqual({ rejections: 1, stranded: 0 })
  expect(makespanSeconds).toBeGreaterThan(3_600)
  expect(makespanSeconds).toBeLessThan(3_640)
  expect(computeLowerBound(scenario, 1)).toBeGreaterThan(3_600)
})

test('when the only pool dies the rest is stranded, and no time is spent waiting for it', async () => {
  const pool = makePool('a', { concurrency: 1, dies_at_s: 25, dies_of: 'credit' })
  const scenario = makeScenario(5, [makeAccount('a', [])], [pool])
  const result = await simulate({ scenario, seed: 1 })
  expect(result).toMatchObject({ completed: 3, stranded: 2, makespanSeconds: 30 })
})

test('what is left when the time is over counts as stranded', async () => {
  const pool = makePool('a', { concurrency: 1 })
  const scenario = { ...makeScenario(5, [makeAccount('a', [])], [pool]), max_time_s: 25 }
  const result = await simulate({ scenario, seed: 1 })
  expect(result).toMatchObject({ completed: 2, stranded: 3, makespanSeconds: 20 })
})

test('a policy that sends everything at once is turned away, and books more than was declared', async () => {
  const flood: DispatchPolicy = {
    name: 'flood',
    async run({ items, call }) {
      const estimate = { inputTokens: 1_000, outputTokens: 500, maxOutputTokens: 8_192 }
      await Promise.all(items.map(({ id }) => call({ itemId: id, poolId: 'a', estimate })))
    },
  }
  const account = makeAccount('a', [makeBucket('requests', 2)])
  const scenario = makeScenario(
    5,
    [account],
    [makePool('a', { known: { requests_per_minute: 2 } })],
  )
  const result = await simulate({ scenario, seed: 1, policy: flood })
  expect(result).toMatchObject({ completed: 2, rejections: 3, overAdmission: 3, stranded: 3 })
})

test('a policy that waits for what never comes is told so', async () => {
  const asleep: DispatchPolicy = { name: 'asleep', run: () => new Promise(() => {}) }
  const scenario = makeScenario(1, [makeAccount('a', [])], [makePool('a')])
  await expect(simulate({ scenario, seed: 1, policy: asleep })).rejects.toThrow('stands still')
})

test('the rejection of a call over the slots of an account is counted for its pool', async () => {
  const slots = { dimension: 'concurrency', enforcement: 'slots', limit: 1 } as const
  const scenario = makeScenario(6, [makeAccount('a', [slots])], [makePool('a')])
  const { rejections, stranded, perPool } = await simulate({ scenario, seed: 1 })
  expect(stranded).toBe(0)
  expect(rejections).toBeGreaterThan(0)
  expect(perPool).toEqual([
    expect.objectContaining({ poolId: 'a', completed: 6, calls: 6 + rejections, rejections }),
  ])
})
