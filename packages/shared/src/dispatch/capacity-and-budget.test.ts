import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { computeDispatchCapacity } from '../quota/index.ts'
import { computeAccountKey } from './account-key.ts'
import { createWorld, makeNodes, makePool, makeSlots } from './fixtures/world.ts'

const rows = readFileSync(new URL('fixtures/capacity-and-budget.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; input: string; right: string })

/** The name of a row's test: its id and what must happen. */
function describeRow(id: string): string {
  const row = rows.find((candidate) => candidate.id === id)
  if (row === undefined) throw new Error(`no row ${id}`)
  return `${id}: ${row.right}`
}

test(describeRow('C01'), async () => {
  const account = {
    accountKey: 'one',
    source: { provider: 'anthropic', quota: { concurrency: 10 } },
  }
  const world = createWorld([makePool('a', account), makePool('b', account)])
  world.coordinator.add(makeNodes(40))
  const assignments = world.coordinator.planAssignments()
  expect(assignments).toHaveLength(10)

  const [first, ...others] = assignments
  if (first === undefined) throw new Error('nothing assigned')
  const until = world.clock.now() + 300_000
  world.coordinator.observe(first, { class: 'throttle', scope: 'account', until })
  for (const assignment of others) {
    world.coordinator.observe(assignment, { class: 'ok', resultRef: assignment.nodeId })
  }
  expect(world.coordinator.planAssignments()).toEqual([])
  await world.clock.advance(299_999)
  expect(world.coordinator.planAssignments()).toEqual([])
  await world.clock.advance(1)
  expect(world.coordinator.planAssignments().length).toBeGreaterThan(0)
})

test(describeRow('C02'), () => {
  const at = (accountKey: string) => ({
    accountKey,
    source: {
      provider: 'openai-compatible',
      endpoint: 'http://gateway',
      quota: { concurrency: 4 },
    },
  })
  const world = createWorld([makePool('a', at('one')), makePool('b', at('two'))])
  world.coordinator.add(makeNodes(20))
  const assignments = world.coordinator.planAssignments()
  const limited = assignments.find(({ poolId }) => poolId === 'a')
  if (limited === undefined) throw new Error('nothing assigned to a')
  const until = world.clock.now() + 60_000
  world.coordinator.observe(limited, { class: 'throttle', scope: 'account', until })
  for (const assignment of assignments) {
    world.coordinator.observe(assignment, { class: 'ok', resultRef: assignment.nodeId })
  }
  const next = world.coordinator.planAssignments()
  expect(next.map(({ poolId }) => poolId)).toEqual(['b', 'b', 'b', 'b'])
})

test(describeRow('C03'), () => {
  const context = { environment: { KEY_ONE: 'sk-same', KEY_TWO: 'sk-same' }, secret: 'secret' }
  const makeSource = (variable: string) => ({
    provider: 'openai-compatible',
    endpoint: 'http://gateway',
    api_key_env: variable,
    quota: { requests_per_minute: 10 },
  })
  const pools = ['KEY_ONE', 'KEY_TWO'].map((variable) => {
    const source = makeSource(variable)
    return makePool(variable, { source, accountKey: computeAccountKey(source, context) })
  })
  expect(createWorld(pools).coordinator.planAssignments(makeNodes(40))).toHaveLength(10)
})

test(describeRow('C04'), () => {
  const pool = makeSlots('a', 30, {
    quotaSourceSnapshot: {
      source: 'live',
      captured_at: '2026-01-01T00:00:00Z',
      windows: [{ unit: 'percent', used: 74, resets_at: '2026-01-01T03:00:00Z' }],
    },
  })
  const world = createWorld([pool])
  world.coordinator.add(makeNodes(60))
  const [probe, ...more] = world.coordinator.planAssignments()
  expect(probe).toBeDefined()
  expect(more).toEqual([])
  const capacity = computeDispatchCapacity({
    pools: [pool],
    sessionConfig: {},
    pendingItemTokens: Array.from({ length: 60 }, () => 10_000),
    now: world.clock.now(),
  })
  expect(capacity.total_slots).toBe(1)
})

test(describeRow('C05'), () => {
  const able = Array.from({ length: 5 }, (_, index) => makeSlots(`able-${index}`, 30))
  const world = createWorld([
    makeSlots('best', 30, { rank: 'deep' }),
    ...able.map((pool) => ({
      ...pool,
      rank: 'standard' as const,
    })),
  ])
  world.coordinator.parkPool('best', world.clock.now() + 4 * 3_600_000)
  const nodes = [
    ...makeNodes(130, { rank: 'standard' }, 'any'),
    ...makeNodes(10, { rank: 'deep' }, 'deep'),
  ]
  const assignments = world.coordinator.planAssignments(nodes)
  expect(assignments).toHaveLength(130)
  expect(assignments.some(({ poolId }) => poolId === 'best')).toBe(false)
  expect(world.coordinator.listWaiting().every((id) => id.startsWith('deep'))).toBe(true)
  expect(world.coordinator.terminalStatus(world.coordinator.listWaiting())).toMatchObject({
    kind: 'dispatchable',
    waiting_until: world.clock.now() + 4 * 3_600_000,
  })
})

test(describeRow('C09'), () => {
  const { contextTokens: _, ...unknown } = makeSlots('a', 10)
  const world = createWorld([unknown])
  world.coordinator.add(makeNodes(3, { estimatedTokens: 92_700, isCounted: true }))
  const [probe, ...more] = world.coordinator.planAssignments()
  expect(probe?.nodeId).toBe('n0')
  expect(more).toEqual([])
  const [explanation] = world.coordinator.explain()
  expect(explanation).toMatchObject({ kind: 'waiting', constraint: 'context_tokens' })
  expect(JSON.stringify(explanation)).toContain('context_tokens of a is not known')

  if (probe === undefined) throw new Error('nothing assigned')
  world.coordinator.observe(probe, { class: 'ok', resultRef: 'r' })
  expect(world.coordinator.planAssignments()).toHaveLength(2)
})

test(describeRow('C12'), () => {
  const source = {
    provider: 'openai-compatible',
    quota: { tokens_per_minute: 30_000 },
  }
  const pool = makePool('a', {
    providerName: 'openai-compatible',
    outputTokens: 16_384,
    source,
  })
  const world = createWorld([pool])
  const nodes = makeNodes(6, { estimatedTokens: 3_000, outputTokens: 400 })
  expect(world.coordinator.planAssignments(nodes)).toHaveLength(1)
})
