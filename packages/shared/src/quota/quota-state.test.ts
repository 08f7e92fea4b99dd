import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../testing/index.ts'
import { computeMaxSafeConcurrency } from './learned-concurrency.ts'
import { buildQuotaSource, probeProvider, probeQuotaSource } from './quota-source.ts'
import {
  getQuotaStatePath,
  lookupDiscoveredLimits,
  mergeDiscoveredLimits,
  readQuotaState,
  recordWaveOutcome,
  setQuotaStateDir,
  updateDiscoveredLimits,
} from './quota-state.ts'
import { runSlidingWindow } from './sliding-window.ts'

const key = 'codex/m'
const hours = 3_600_000

beforeEach(() => setQuotaStateDir(mkdtempSync(join(tmpdir(), 'quota-state-'))))
afterEach(() => setQuotaStateDir(undefined))

test('nothing was learned in a new directory', () => {
  expect(readQuotaState()).toEqual({ version: 1, entries: {} })
  expect(lookupDiscoveredLimits(key)).toBeNull()
})

test('what went well and what was limited is kept, and its weight halves per half-life', async () => {
  const clock = createFakeClock()
  const wave = { estimated_tokens: 1_000 }
  await recordWaveOutcome(key, { ...wave, concurrency: 4, outcome: 'success' }, 24, clock)
  await clock.advance(24 * hours)
  const until = new Date(clock.now() + 60_000).toISOString()
  const limited = {
    ...wave,
    concurrency: 8,
    outcome: 'rate_limited',
    cooldown_until: until,
  } as const
  await recordWaveOutcome(key, limited, 24, clock)
  const entry = readQuotaState().entries[key]
  expect(entry).toEqual({
    updated_at: new Date(clock.now()).toISOString(),
    levels: { 4: { clean: 0.5, limited: 0 }, 8: { clean: 0, limited: 1 } },
    cooldown_until: until,
    last_429_at: new Date(clock.now()).toISOString(),
  })
  expect(computeMaxSafeConcurrency(entry ?? null, { now: clock.now() })).toBe(4)
  expect(
    computeMaxSafeConcurrency(entry ?? null, { now: clock.now() + 30 * 24 * hours }),
  ).toBeNull()
})

test('timeouts and errors say nothing about safe concurrency', async () => {
  for (const outcome of ['timeout', 'error'] as const) {
    await recordWaveOutcome(key, { concurrency: 3, estimated_tokens: 1, outcome })
  }
  expect(readQuotaState().entries[key]?.levels).toEqual({})
})

test('a shorter cooldown never replaces a longer one', async () => {
  const clock = createFakeClock()
  const late = new Date(clock.now() + 90_000).toISOString()
  const soon = new Date(clock.now() + 10_000).toISOString()
  for (const until of [late, soon]) {
    const wave = { concurrency: 1, estimated_tokens: 1, cooldown_until: until }
    await recordWaveOutcome(key, { ...wave, outcome: 'rate_limited' }, 24, clock)
  }
  expect(readQuotaState().entries[key]?.cooldown_until).toBe(late)
})

test('outcomes that are recorded at once are all kept', async () => {
  await Promise.all(
    Array.from({ length: 10 }, () =>
      recordWaveOutcome(key, { concurrency: 2, estimated_tokens: 1, outcome: 'success' }),
    ),
  )
  expect(readQuotaState().entries[key]?.levels[2]?.clean).toBeCloseTo(10, 3)
})

test('a damaged state is an error, never an empty one', async () => {
  writeFileSync(getQuotaStatePath(), '{')
  expect(() => readQuotaState()).toThrow('is damaged')
  const wave = { concurrency: 2, estimated_tokens: 1, outcome: 'success' } as const
  await expect(recordWaveOutcome(key, wave)).rejects.toThrow('is damaged')
})

test('discovered limits are kept per model, and what says nothing leaves the known figure', async () => {
  await updateDiscoveredLimits(key, { context_tokens: 200_000, source: 'provider_query' })
  await updateDiscoveredLimits(key, { context_tokens: null, requests_per_minute: 50 })
  expect(lookupDiscoveredLimits(key)).toEqual({
    context_tokens: 200_000,
    requests_per_minute: 50,
    source: 'provider_query',
  })
  expect(mergeDiscoveredLimits(null, { output_tokens: 5 })).toEqual({ output_tokens: 5 })
})

test('the learned source answers from the state, as far as asking is allowed', async () => {
  const source = buildQuotaSource({ halfLifeHours: 24 })
  expect(probeQuotaSource(source, key, 'auto')).toEqual({ kind: 'unknown' })
  await recordWaveOutcome(key, { concurrency: 5, estimated_tokens: 1, outcome: 'success' })
  expect(source.queryCurrentUsage(key)).toMatchObject({
    source: 'learned',
    windows: [],
    max_safe_concurrency: 5,
    cooldown_until: null,
  })
  expect(probeQuotaSource(source, key, 'never').kind).toBe('skipped')
  expect(probeProvider('codex', 'auto').kind).toBe('unsupported')
  expect(probeProvider('codex', 'never').kind).toBe('skipped')
})

test('a sliding window keeps the order of its results and never has more in flight', async () => {
  let running = 0
  let most = 0
  const thunks = Array.from({ length: 9 }, (_, index) => async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    running -= 1
    if (index === 4) throw new Error('four')
    return index
  })
  const { results } = await runSlidingWindow(thunks, 3)
  expect(most).toBe(3)
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
  ).toEqual([0, 1, 2, 3, 'failed', 5, 6, 7, 8])
})
