import { expect, test } from 'vitest'
import type { DispatchCommand } from './events.ts'
import type { NodeAssignment } from './frontier-node.ts'
import { createWorld, makeNodes, makePool, makeSlots, type World } from './fixtures/world.ts'
import type { WorkOutcome } from './outcome.ts'

/** The kinds of what was decided, in order. */
const kinds = (commands: readonly DispatchCommand[]): string[] => commands.map(({ kind }) => kind)

function assignOne(world: World, nodeId = 'n0'): NodeAssignment {
  const assignments = world.coordinator.planAssignments()
  const found = assignments.find((assignment) => assignment.nodeId === nodeId)
  if (found === undefined) throw new Error(`${nodeId} was not assigned`)
  return found
}

function endWith(world: World, outcome: WorkOutcome, nodeId?: string): readonly DispatchCommand[] {
  return world.coordinator.observe(assignOne(world, nodeId), outcome).commands
}

const shared = { accountKey: 'one' }

test('ok completes the item by its epoch and books what was used', () => {
  const source = { provider: 'anthropic', quota: { input_tokens_per_minute: 10_000 } }
  const world = createWorld([makePool('a', { source })])
  world.coordinator.add(makeNodes(1))
  const usage = { inputTokens: 700, outputTokens: 90, cachedInputTokens: 200, costUsd: null }
  const receipt = world.coordinator.observe(assignOne(world), {
    class: 'ok',
    usage,
    resultRef: 'results/n0.json',
  })
  expect(receipt.completion).toBe('accepted')
  expect(world.claims.listCompleted()).toEqual([
    { id: 'n0', epoch: 1, resultRef: 'results/n0.json' },
  ])
  const reading = world.ledger.read('account:a rate input_token/60s', world.clock.now())
  // Input that was read from the cache is free there.
  expect(reading?.admittedMicro).toBe(500_000_000)
  expect(world.coordinator.listWaiting()).toEqual([])
})

test('throttle cools the account exactly until the stated time, charges no attempt and keeps the claim', async () => {
  const world = createWorld([makeSlots('a', 3)])
  world.coordinator.add(makeNodes(1))
  const until = world.clock.now() + 12_345
  const commands = endWith(world, { class: 'throttle', scope: 'account', until })
  expect(commands).toEqual([
    { kind: 'rest', key: 'account:a', state: 'cooling', until, cause: 'throttle' },
    {
      kind: 'requeue',
      nodeId: 'n0',
      poolId: 'a',
      cause: 'throttle',
      attempts: 0,
      message: null,
    },
  ])
  expect(world.claims.isClaimed('n0')).toBe(true)
  await world.clock.advance(12_344)
  expect(world.coordinator.planAssignments()).toEqual([])
  await world.clock.advance(1)
  expect(assignOne(world)).toMatchObject({ nodeId: 'n0', epoch: 1 })
})

test('window and day park the account for all of its pools and settle nothing', () => {
  for (const outcome of ['window', 'day'] as const) {
    const world = createWorld([
      makeSlots('a', 1, shared),
      makeSlots('b', 1, shared),
      makeSlots('c', 1),
    ])
    world.coordinator.add(makeNodes(3))
    const until = world.clock.now() + 5 * 3_600_000
    const commands = endWith(world, { class: outcome, scope: 'account', until })
    expect(commands[0]).toMatchObject({ kind: 'rest', key: 'account:one', state: 'parked', until })
    expect(world.settled.size).toBe(0)
    expect(world.coordinator.planAssignments()).toEqual([])
  }
})

test('credit settles every pool of the account and none of another', () => {
  const world = createWorld([
    makeSlots('a', 1, shared),
    makeSlots('b', 1, shared),
    makeSlots('c', 1),
  ])
  world.coordinator.add(makeNodes(1))
  const commands = endWith(world, { class: 'credit', message: 'balance too low' })
  expect(kinds(commands)).toEqual(['settle_pool', 'settle_pool', 'requeue'])
  expect([...world.settled]).toEqual(['a', 'b'])
  expect(assignOne(world).poolId).toBe('c')
})

test('auth and a missing model settle the pool alone', () => {
  for (const outcome of ['auth', 'model_gone'] as const) {
    const world = createWorld([makeSlots('a', 1, shared), makeSlots('b', 1, shared)])
    world.coordinator.add(makeNodes(1))
    endWith(world, { class: outcome })
    expect([...world.settled]).toEqual(['a'])
    expect(assignOne(world).poolId).toBe('b')
  }
})

test('overload cools the endpoint and not the account', () => {
  const at = (endpoint: string) => ({
    accountKey: 'one',
    source: { provider: 'anthropic', endpoint, quota: { concurrency: 9 } },
  })
  const world = createWorld([
    makePool('a', at('http://x')),
    makePool('b', at('http://x')),
    makePool('c', at('http://y')),
  ])
  world.coordinator.add(makeNodes(1))
  const commands = endWith(world, { class: 'overload', scope: 'endpoint' })
  expect(commands[0]).toMatchObject({ kind: 'rest', key: 'endpoint:http://x', state: 'cooling' })
  expect(assignOne(world).poolId).toBe('c')
})

test('too_large for a minute budget rules out that pool alone, not every pool with the same window', () => {
  const world = createWorld([makePool('a'), makePool('b')])
  world.coordinator.add(makeNodes(1))
  const [first] = world.coordinator.planAssignments()
  if (first === undefined) throw new Error('nothing assigned')
  world.coordinator.observe(first, { class: 'too_large', scope: 'item', unit: 'input_token' })
  const [second] = world.coordinator.planAssignments()
  expect(second?.poolId).not.toBe(first.poolId)
  expect(second?.nodeId).toBe(first.nodeId)
})

test('too_large never waits: it goes to a larger window, and is to be split when there is none', () => {
  const pools = [
    makeSlots('small', 1, { contextTokens: 32_000 }),
    makeSlots('equal', 1, { contextTokens: 32_000 }),
    makeSlots('large', 1, { contextTokens: 200_000 }),
  ]
  const world = createWorld(pools)
  world.coordinator.add(makeNodes(1))
  expect(kinds(endWith(world, { class: 'too_large' }))).toEqual(['requeue'])
  expect(kinds(endWith(world, { class: 'too_large', message: 'too long' }))).toEqual([
    'split',
    'release',
  ])
  expect(world.coordinator.listWaiting()).toEqual([])
  expect(world.claims.isClaimed('n0')).toBe(false)
})

test('a refusal is tried on one other pool, then a person decides', () => {
  const world = createWorld([makeSlots('a', 1), makeSlots('b', 1), makeSlots('c', 1)])
  world.coordinator.add(makeNodes(1))
  expect(kinds(endWith(world, { class: 'refused' }))).toEqual(['requeue'])
  const second = assignOne(world)
  expect(second.poolId).toBe('b')
  const { commands } = world.coordinator.observe(second, { class: 'refused', message: 'policy' })
  expect(commands[0]).toMatchObject({ kind: 'give_up', cause: 'refused', message: 'policy' })
})

test('a bad answer is mended where it came from first, with what the validator said, then elsewhere', () => {
  const world = createWorld([makeSlots('a', 1), makeSlots('b', 1)])
  world.coordinator.add(makeNodes(1))
  expect(endWith(world, { class: 'bad_output', message: 'no quote' })[0]).toMatchObject({
    kind: 'requeue',
    attempts: 1,
  })
  const second = assignOne(world)
  expect(second).toMatchObject({ poolId: 'a', notes: ['no quote'] })
  world.coordinator.observe(second, { class: 'bad_output', message: 'still none' })
  expect(assignOne(world)).toMatchObject({ poolId: 'b', notes: ['no quote', 'still none'] })
})

test('timeout, crash, spawn_failed and transient count an attempt and prefer another pool', () => {
  for (const outcome of ['timeout', 'crash', 'spawn_failed', 'transient'] as const) {
    const world = createWorld([makeSlots('a', 1), makeSlots('b', 1)], { maxAttempts: 3 })
    world.coordinator.add(makeNodes(1))
    expect(endWith(world, { class: outcome })[0]).toMatchObject({ kind: 'requeue', attempts: 1 })
    const second = assignOne(world)
    expect(second.poolId).toBe('b')
    world.coordinator.observe(second, { class: outcome })
    const { commands } = world.coordinator.observe(assignOne(world), { class: outcome })
    expect(kinds(commands)).toEqual(['give_up', 'release'])
  }
})

test('an item that was given up is not started again, even when it is listed again', () => {
  const world = createWorld([makeSlots('a', 1)], { maxAttempts: 1 })
  world.coordinator.add(makeNodes(1))
  expect(kinds(endWith(world, { class: 'crash' }))).toEqual(['give_up', 'release'])
  expect(world.coordinator.planAssignments(makeNodes(1))).toEqual([])
})

test('cancelled gives the claim back, and the item is not started again at once', async () => {
  const world = createWorld([makeSlots('a', 1)])
  world.coordinator.add(makeNodes(1))
  expect(kinds(endWith(world, { class: 'cancelled' }))).toEqual(['release'])
  expect(world.claims.isClaimed('n0')).toBe(false)
  expect(world.coordinator.planAssignments()).toEqual([])
  await world.clock.advance(5_000)
  expect(world.coordinator.planAssignments()).toHaveLength(1)
})

test('a pool on which attempt after attempt fails rests, and another takes over', () => {
  const world = createWorld([makeSlots('a', 3), makeSlots('b', 3)])
  world.coordinator.add(makeNodes(3))
  const assignments = world.coordinator.planAssignments()
  const rests = assignments.flatMap((assignment) =>
    world.coordinator
      .observe(assignment, { class: 'crash' })
      .commands.filter(({ kind }) => kind === 'rest'),
  )
  expect(rests).toMatchObject([{ key: 'model:a', state: 'cooling' }])
  expect(world.settled.size).toBe(0)
})

test('several failures of one incident cool once, and the wait grows with the next incident', async () => {
  const world = createWorld([makeSlots('a', 3)])
  world.coordinator.add(makeNodes(3))
  const waits: number[] = []
  for (let incident = 0; incident < 3; incident += 1) {
    const assignments = world.coordinator.planAssignments()
    expect(assignments).toHaveLength(3)
    await world.clock.advance(1_000)
    for (const assignment of assignments) {
      const { commands } = world.coordinator.observe(assignment, { class: 'throttle' })
      const rest = commands.find(({ kind }) => kind === 'rest')
      if (rest?.kind === 'rest') waits.push(rest.until - world.clock.now())
    }
    await world.clock.advance(waits.at(-1) ?? 0)
  }
  const [first, second, third] = [waits.slice(0, 3), waits.slice(3, 6), waits.slice(6, 9)]
  for (const incident of [first, second, third]) expect(new Set(incident).size).toBe(1)
  expect(second[0]).toBeGreaterThan(first[0] ?? 0)
  expect(third[0]).toBeGreaterThan(second[0] ?? 0)
})

test('headers of a reply lower the level to what they say is left', () => {
  const source = { provider: 'anthropic', quota: { requests_per_minute: 100 } }
  const world = createWorld([makePool('a', { source })])
  world.coordinator.add(makeNodes(200))
  const [first] = world.coordinator.planAssignments()
  if (first === undefined) throw new Error('nothing assigned')
  const headers = {
    'anthropic-ratelimit-requests-limit': '100',
    'anthropic-ratelimit-requests-remaining': '0',
    'anthropic-ratelimit-requests-reset': new Date(world.clock.now() + 60_000).toISOString(),
  }
  world.coordinator.observe(first, { class: 'ok', headers })
  expect(world.coordinator.planAssignments()).toEqual([])
})

test('a canary that finds a closed door settles the pool before any work goes out', () => {
  const world = createWorld([makeSlots('a', 3), makeSlots('b', 3)])
  world.coordinator.add(makeNodes(2))
  world.coordinator.observePool('a', { class: 'auth', message: 'no key' })
  expect(world.coordinator.planAssignments().map(({ poolId }) => poolId)).toEqual(['b', 'b'])
  expect([...world.settled]).toEqual(['a'])
})
