import { expect, test } from 'vitest'
import { computeDispatchCapacity } from './capacity.ts'
import { resolveHostActiveSubagentLimit } from './host-limit.ts'
import { createMemoryLedger } from './memory-ledger.ts'
import type { CapacityPool, QuotaSessionConfig } from './pool.ts'
import { resolveLimits } from './resolve-limits.ts'
import { scheduleWave } from './schedule-wave.ts'

const now = Date.UTC(2026, 0, 1)

const makePool = (id: string, change: Partial<CapacityPool> = {}): CapacityPool => ({
  id,
  providerName: 'anthropic',
  hostModel: 'm',
  hostConcurrencyLimit: null,
  ...change,
})

const fold = (
  pools: readonly CapacityPool[],
  items: number,
  sessionConfig: QuotaSessionConfig = {},
) =>
  computeDispatchCapacity({
    pools,
    sessionConfig,
    pendingItemTokens: Array.from({ length: items }, () => 1_000),
    now,
  })

test('a pool of which nothing is known gets two slots at first', () => {
  expect(fold([makePool('a')], 50)).toMatchObject({
    total_slots: 2,
    binding_cap: 'account:a concurrency session',
    cooldown_until: null,
    pools: [{ pool_id: 'a', slots: 2, schedule: { confidence: 'low', source: 'default' } }],
  })
})

test('the binding constraint is named, and no more is given than waits', () => {
  const source = { provider: 'anthropic', quota: { input_tokens_per_minute: 7_500 } }
  expect(fold([makePool('a', { source })], 50)).toMatchObject({
    total_slots: 7,
    binding_cap: 'account:a rate input_token/60s',
    estimated_wave_tokens: 7_000,
  })
  expect(fold([makePool('a', { source })], 3)).toMatchObject({ total_slots: 3, binding_cap: null })
})

test('what one pool declares of an account holds for every pool of that account', () => {
  const source = { provider: 'anthropic', quota: { concurrency: 5 } }
  const pools = [makePool('a', { accountKey: 'x', source }), makePool('b', { accountKey: 'x' })]
  expect(fold(pools, 50)).toMatchObject({ total_slots: 5, pools: [{ slots: 5 }, { slots: 0 }] })
})

test('zero slots is a legal answer, and says when one frees', () => {
  const pool = makePool('a', {
    quotaStateEntry: {
      updated_at: new Date(now).toISOString(),
      levels: {},
      cooldown_until: new Date(now + 90_000).toISOString(),
      last_429_at: null,
    },
  })
  const other = makePool('b', { accountKey: 'a' })
  expect(fold([pool, other], 9)).toMatchObject({
    total_slots: 0,
    cooldown_until: '2026-01-01T00:01:30.000Z',
    pools: [
      { slots: 0, frees_at: '2026-01-01T00:01:30.000Z' },
      { slots: 0, frees_at: '2026-01-01T00:01:30.000Z' },
    ],
  })
})

test('a ledger shows what is in use', () => {
  const ledger = createMemoryLedger()
  const source = { provider: 'anthropic', quota: { concurrency: 3 } }
  const input = {
    pools: [makePool('a', { source })],
    sessionConfig: {},
    pendingItemTokens: [1, 1, 1, 1],
    now,
    ledger,
  }
  expect(computeDispatchCapacity(input).total_slots).toBe(3)
  ledger.reserve([{ resource: 'account:a concurrency session', micro: 2_000_000 }], now, 'op')
  expect(computeDispatchCapacity(input).total_slots).toBe(1)
})

test('a signal that cannot be read allows one start', () => {
  const source = { provider: 'anthropic', quota: { concurrency: 30 } }
  expect(fold([makePool('a', { source, quotaSignalDegraded: true })], 9)).toMatchObject({
    total_slots: 1,
    pools: [{ schedule: { confidence: 'low' } }],
  })
})

test('a used-up plan window gives nothing, also where its reset is not known', () => {
  const snapshot = { source: 'live', captured_at: new Date(now).toISOString() }
  const used = { ...snapshot, windows: [{ unit: 'percent' as const, used: 100 }] }
  expect(fold([makePool('a', { quotaSourceSnapshot: used })], 9).total_slots).toBe(0)
})

test('the margin that the user keeps is left of every rate', () => {
  const source = { provider: 'anthropic', quota: { requests_per_minute: 100 } }
  const config = { quota: { safety_margin: 0.1 } }
  expect(fold([makePool('a', { source })], 500, config).total_slots).toBe(90)
})

test('without a ramp an unknown pool gets its cap at once', () => {
  const quota = { ramp_up_enabled: false, unknown_hosted_concurrency: 6 }
  expect(fold([makePool('a')], 50, { quota }).total_slots).toBe(6)
})

test('what was learned lately is where an unknown pool begins', () => {
  const pool = makePool('a', {
    quotaStateEntry: {
      updated_at: new Date(now).toISOString(),
      levels: { 4: { clean: 3, limited: 0 }, 9: { clean: 0, limited: 2 } },
      cooldown_until: null,
      last_429_at: null,
    },
  })
  expect(fold([pool], 50).total_slots).toBe(4)
})

test('limits: what the user declares wins over what was discovered, and a default never poses as knowledge', () => {
  const input = { providerName: 'codex', hostModel: 'm', sessionConfig: {} }
  expect(resolveLimits(input)).toEqual({
    resolved_limits: {
      context_tokens: 32_000,
      output_tokens: 4_096,
      requests_per_minute: null,
      input_tokens_per_minute: null,
      output_tokens_per_minute: null,
    },
    confidence: 'low',
    source: 'default',
    isContextKnown: false,
  })
  const discoveredLimits = { context_tokens: 200_000, requests_per_minute: -1 }
  expect(resolveLimits({ ...input, discoveredLimits })).toMatchObject({
    resolved_limits: { context_tokens: 200_000, requests_per_minute: null },
    confidence: 'medium',
    source: 'discovered',
    isContextKnown: true,
  })
  const models = { 'codex/m': { context_tokens: 64_000 } }
  expect(
    resolveLimits({ ...input, discoveredLimits, sessionConfig: { quota: { models } } }),
  ).toMatchObject({ resolved_limits: { context_tokens: 64_000 }, source: 'config' })
})

test('a wave is never below one: a caller that must wait reads cooldown_until', () => {
  const schedule = scheduleWave({
    providerName: 'codex',
    hostModel: null,
    sessionConfig: {},
    requestedConcurrency: 0,
    quotaStateEntry: {
      updated_at: new Date(now).toISOString(),
      levels: {},
      cooldown_until: new Date(now + 60_000).toISOString(),
      last_429_at: null,
    },
    now,
  })
  expect(schedule).toMatchObject({
    wave_size: 1,
    cooldown_until: '2026-01-01T00:01:00.000Z',
    model: null,
    host_concurrency_limit: null,
  })
})

test.each([
  ['host_concurrency', { hostConcurrencyLimit: 3 }, 3],
  ['requests_per_minute', { discoveredLimits: { requests_per_minute: 5 } }, 5],
  [
    'input_tokens_per_minute',
    { discoveredLimits: { requests_per_minute: 90, input_tokens_per_minute: 4_500 } },
    4,
  ],
  ['learned_concurrency', {}, 2],
] as const)('a wave is bound by %s', (name, change, size) => {
  const schedule = scheduleWave({
    providerName: 'codex',
    hostModel: 'm',
    sessionConfig: {},
    requestedConcurrency: 40,
    estimatedSlotTokens: 1_000,
    now,
    ...change,
  })
  expect(schedule).toMatchObject({
    wave_size: size,
    max_concurrent: size,
    estimated_wave_tokens: size * 1_000,
    binding_cap: name,
  })
})

test('the host says how many subagents it runs, else the configuration does, else nobody knows', () => {
  const config = { quota: { host_active_subagent_limit: 4 } }
  expect(resolveHostActiveSubagentLimit(config, 7)).toBe(7)
  expect(resolveHostActiveSubagentLimit(config, null)).toBe(4)
  expect(resolveHostActiveSubagentLimit({})).toBeNull()
})
