import { expect, test } from 'vitest'
import { ClaimRegistry, createMemoryClaimStore } from '../claims/index.ts'
import { createFakeClock } from '../testing/index.ts'
import type { ClaimPort } from './claim-port.ts'
import type { NodeAssignment } from './frontier-node.ts'
import { createWorld, makeNodes, makePool, makeSlots } from './fixtures/world.ts'

const byPool = (assignments: readonly NodeAssignment[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { poolId } of assignments) counts[poolId] = (counts[poolId] ?? 0) + 1
  return counts
}

test('every assignment is booked and claimed before it is returned', () => {
  const { coordinator, claims, ledger, clock } = createWorld([makeSlots('a', 3)])
  const assignments = coordinator.planAssignments(makeNodes(5))
  expect(assignments).toHaveLength(3)
  for (const { nodeId, poolId, ownerToken, epoch } of assignments) {
    expect(claims.heartbeat(nodeId, ownerToken)).toBe(true)
    expect(epoch).toBe(1)
    expect(poolId).toBe('a')
  }
  expect(claims.listClaims()).toHaveLength(3)
  const booked = ledger.read('account:a concurrency session', clock.now())
  expect(booked?.reservedMicro).toBe(3_000_000)
})

test('an assignment names provider, model, reservation and estimate', () => {
  const { coordinator } = createWorld([makeSlots('a', 1)])
  const [assignment] = coordinator.planAssignments(makeNodes(1))
  expect(assignment).toMatchObject({
    nodeId: 'n0',
    poolId: 'a',
    providerName: 'codex',
    hostModel: 'a-model',
    estimate: { inputTokens: 1_000, outputTokens: 500, maxOutputTokens: 4_000 },
    notes: [],
  })
})

test('no nodes or no pools give no assignments', () => {
  expect(createWorld([makeSlots('a', 1)]).coordinator.planAssignments([])).toEqual([])
  expect(createWorld([]).coordinator.planAssignments(makeNodes(3))).toEqual([])
})

test('a node in flight is never returned again', () => {
  const { coordinator } = createWorld([makeSlots('a', 10)])
  const nodes = makeNodes(4)
  expect(coordinator.planAssignments(nodes)).toHaveLength(4)
  expect(coordinator.planAssignments(nodes)).toEqual([])
})

test('the array form makes the frontier equal to the list', () => {
  const { coordinator } = createWorld([makeSlots('a', 1)])
  coordinator.planAssignments(makeNodes(5))
  coordinator.planAssignments(makeNodes(3))
  expect(coordinator.listWaiting()).toEqual(['n1', 'n2'])
})

test('a lost claim gives its place to other work, and the item is tried again later', async () => {
  const clock = createFakeClock()
  const store = createMemoryClaimStore()
  const other = new ClaimRegistry('memory', { clock, store })
  const claimRegistry = new ClaimRegistry('memory', { clock, store })
  const { coordinator, ledger } = createWorld([makeSlots('a', 2)], { clock, claimRegistry })
  const held = other.claim('n0', 'elsewhere')

  const nodes = makeNodes(3)
  expect(coordinator.planAssignments(nodes).map(({ nodeId }) => nodeId)).toEqual(['n1', 'n2'])
  expect(ledger.read('account:a concurrency session', clock.now())?.reservedMicro).toBe(2_000_000)
  expect(coordinator.explain()).toMatchObject([{ kind: 'held', nodeId: 'n0' }])

  if (held.acquired) other.release('n0', held.ownerToken)
  expect(coordinator.findNextWake()).toBe(clock.now() + 5_000)
  await clock.advance(5_000)
  expect(coordinator.planAssignments()).toEqual([])
  expect(coordinator.explain()).toMatchObject([{ kind: 'waiting', nodeId: 'n0', freesAt: null }])
})

test('an item that somebody else has done is adopted with its result', () => {
  const commands: unknown[] = []
  const { coordinator, claims } = createWorld([makeSlots('a', 2)], {
    onCommand: (command) => commands.push(command),
  })
  const grant = claims.claim('n0', 'elsewhere')
  if (grant.acquired) claims.complete('n0', grant.epoch, 'result-0')
  expect(coordinator.planAssignments(makeNodes(1))).toEqual([])
  expect(commands).toContainEqual({ kind: 'adopt', nodeId: 'n0', resultRef: 'result-0' })
  expect(coordinator.listWaiting()).toEqual([])
})

test('when claiming throws, everything that the call claimed and booked is given back', () => {
  const clock = createFakeClock()
  const registry = new ClaimRegistry('memory', { clock, store: createMemoryClaimStore() })
  let calls = 0
  const failing: ClaimPort = {
    claim: (id, poolId) => {
      calls += 1
      if (calls === 3) throw new Error('disk full')
      return registry.claim(id, poolId)
    },
    complete: (id, epoch, resultRef) => registry.complete(id, epoch, resultRef),
    release: (id, token) => registry.release(id, token),
  }
  const { coordinator, ledger } = createWorld([makeSlots('a', 5)], {
    clock,
    claimRegistry: failing,
  })
  expect(() => coordinator.planAssignments(makeNodes(5))).toThrow('disk full')
  expect(registry.listClaims()).toEqual([])
  expect(ledger.read('account:a concurrency session', clock.now())?.reservedMicro).toBe(0)
  expect(coordinator.planAssignments(makeNodes(5))).toHaveLength(5)
})

test('settled pools are read on every pass and get nothing', () => {
  const { coordinator, settled } = createWorld([makeSlots('a', 5), makeSlots('b', 5)])
  settled.add('a')
  expect(byPool(coordinator.planAssignments(makeNodes(8)))).toEqual({ b: 5 })
})

test('a list of settled pools that cannot be read stops planning', () => {
  const { coordinator } = createWorld([makeSlots('a', 5)], {
    readSettled: () => {
      throw new Error('unreadable')
    },
  })
  expect(() => coordinator.planAssignments(makeNodes(2))).toThrow('unreadable')
})

test('a pool is settled once, through onSettle, and a failure to persist it shows', async () => {
  const calls: string[] = []
  const { coordinator } = createWorld([makeSlots('a', 5)], {
    onSettle: async (poolId) => {
      calls.push(poolId)
      await Promise.reject(new Error('disk full'))
    },
  })
  coordinator.settlePool('a', 'credit')
  coordinator.settlePool('a', 'credit')
  expect(calls).toEqual(['a'])
  await expect(coordinator.flush()).rejects.toThrow('disk full')
})

test('two pools with one id are refused', () => {
  expect(() => createWorld([makeSlots('a', 1), makeSlots('a', 2)])).toThrow('id "a"')
})

test('release is token-checked', () => {
  const { coordinator, claims } = createWorld([makeSlots('a', 1)])
  const [assignment] = coordinator.planAssignments(makeNodes(1))
  if (assignment === undefined) throw new Error('nothing assigned')
  expect(coordinator.release({ ...assignment, ownerToken: 'somebody' })).toBe(false)
  expect(claims.isClaimed('n0')).toBe(true)
  expect(coordinator.release(assignment)).toBe(true)
  expect(claims.isClaimed('n0')).toBe(false)
  expect(coordinator.planAssignments()).toHaveLength(1)
})

test('a result of an epoch that was overtaken is stale and the item is not done', () => {
  const clock = createFakeClock()
  const store = createMemoryClaimStore({
    probeOwner: () => 'dead',
  })
  const claimRegistry = new ClaimRegistry('memory', { clock, store })
  const { coordinator } = createWorld([makeSlots('a', 1)], { clock, claimRegistry })
  const [assignment] = coordinator.planAssignments(makeNodes(1))
  if (assignment === undefined) throw new Error('nothing assigned')
  const other = new ClaimRegistry('memory', { clock, store })
  expect(other.claim('n0', 'b')).toMatchObject({ acquired: true, epoch: 2 })
  const receipt = coordinator.observe(assignment, { class: 'ok', resultRef: 'late' })
  expect(receipt.completion).toBe('stale')
  expect(coordinator.explain()).toMatchObject([{ kind: 'held', nodeId: 'n0' }])
})

test('an outcome of work that is not in flight changes nothing', () => {
  const { coordinator } = createWorld([makeSlots('a', 1)])
  const [assignment] = coordinator.planAssignments(makeNodes(1))
  if (assignment === undefined) throw new Error('nothing assigned')
  expect(coordinator.observe(assignment, { class: 'ok', resultRef: 'r' }).completion).toBe(
    'accepted',
  )
  expect(coordinator.observe(assignment, { class: 'credit' })).toEqual({
    completion: null,
    commands: [],
  })
  expect(coordinator.terminalStatus([])).toEqual({ kind: 'dispatchable' })
})

test('ranks, abilities, windows and skip lists are hard; a pool whose rank nobody stated takes all', () => {
  const pools = [
    makeSlots('small', 9, { rank: 'small', abilities: ['read_files'] }),
    makeSlots('deep', 9, { rank: 'deep', abilities: ['read_files', 'edit_files'] }),
    makeSlots('plain', 9),
  ]
  const { coordinator } = createWorld(pools)
  const nodes = [
    ...makeNodes(1, { rank: 'deep', skipPools: ['plain'] }, 'ranked'),
    ...makeNodes(1, { needs: ['edit_files'] }, 'able'),
    ...makeNodes(1, { estimatedTokens: 500_000, isCounted: true }, 'huge'),
    ...makeNodes(1, { rank: 'standard', skipPools: ['deep'] }, 'any'),
  ]
  const assigned = new Map(
    coordinator.planAssignments(nodes).map(({ nodeId, poolId }) => [nodeId, poolId]),
  )
  expect(Object.fromEntries(assigned)).toEqual({ ranked0: 'deep', able0: 'deep', any0: 'plain' })
  const [explanation] = coordinator.explain()
  expect(explanation).toMatchObject({ kind: 'unplaceable', nodeId: 'huge0' })
  expect(JSON.stringify(explanation)).toContain('window of 200000 tokens is too small')
})

test('an estimate never makes an item unplaceable: it is tried alone where it comes closest to fitting', () => {
  const pools = [
    makeSlots('small', 9, { contextTokens: 32_000 }),
    makeSlots('large', 9, { contextTokens: 100_000 }),
  ]
  const { coordinator } = createWorld(pools)
  const assignments = coordinator.planAssignments(makeNodes(3, { estimatedTokens: 150_000 }))
  expect(assignments.map(({ poolId }) => poolId)).toEqual(['large'])
  expect(coordinator.explain()[0]).toMatchObject({ kind: 'waiting', constraint: 'context_tokens' })
})

test('the most constrained items are placed first, so that others do not take their only pool', () => {
  const pools = [makeSlots('deep', 2, { rank: 'deep' }), makeSlots('small', 2, { rank: 'small' })]
  const { coordinator } = createWorld(pools)
  const nodes = [
    ...makeNodes(2, { rank: 'small' }, 'easy'),
    ...makeNodes(2, { rank: 'deep' }, 'hard'),
  ]
  const assigned = coordinator.planAssignments(nodes)
  expect(assigned.filter(({ nodeId }) => nodeId.startsWith('hard')).map((a) => a.poolId)).toEqual([
    'deep',
    'deep',
  ])
  expect(assigned).toHaveLength(4)
})

test('among equal pools the preferred comes first, then the cheaper', () => {
  const cost = (input: number) => ({ cost: { input, output: input * 5 } })
  const pools = [
    makeSlots('dear', 1, cost(3)),
    makeSlots('cheap', 1, cost(1)),
    makeSlots('own', 1, cost(9)),
  ]
  const { coordinator } = createWorld(pools, { sessionConfig: { prefer: ['own'] } })
  const one = (label: string): string | undefined =>
    coordinator.planAssignments(makeNodes(1, {}, label))[0]?.poolId
  expect([one('a'), one('b'), one('c'), one('d')]).toEqual(['own', 'cheap', 'dear', undefined])
})

test('a request-per-minute figure is a rate, not a number of slots', async () => {
  const source = { provider: 'anthropic', quota: { requests_per_minute: 6 } }
  const { coordinator, clock } = createWorld([makePool('a', { source })])
  coordinator.add(makeNodes(20))
  expect(coordinator.planAssignments()).toHaveLength(6)
  expect(coordinator.findNextWake()).toBe(clock.now() + 10_000)
  await clock.advance(9_999)
  expect(coordinator.planAssignments()).toHaveLength(0)
  await clock.advance(1)
  expect(coordinator.planAssignments()).toHaveLength(1)
})

test('explain names the one constraint that binds and when it frees', () => {
  const source = { provider: 'anthropic', quota: { requests_per_minute: 1 } }
  const { coordinator, clock } = createWorld([makePool('a', { source })])
  coordinator.planAssignments(makeNodes(2))
  expect(coordinator.explain()).toEqual([
    {
      kind: 'waiting',
      nodeId: 'n1',
      poolId: 'a',
      constraint: 'account:a rate request/60s',
      freesAt: clock.now() + 60_000,
      message: 'account:a rate request/60s is used up',
    },
  ])
})

test('a parked pool comes back by itself, by one probe', async () => {
  const { coordinator, clock } = createWorld([makeSlots('a', 5)])
  coordinator.add(makeNodes(9))
  coordinator.parkPool('a', clock.now() + 3_600_000)
  expect(coordinator.planAssignments()).toEqual([])
  expect(coordinator.terminalStatus(coordinator.listWaiting())).toMatchObject({
    kind: 'dispatchable',
    waiting_until: clock.now() + 3_600_000,
  })
  expect(coordinator.findNextWake()).toBe(clock.now() + 3_600_000)
  await clock.advance(3_600_000)
  expect(coordinator.planAssignments()).toHaveLength(1)
})

test('exhausted only when every pool that could take the rest is settled', () => {
  const pools = [makeSlots('a', 5, { rank: 'deep' }), makeSlots('b', 5, { rank: 'small' })]
  const { coordinator } = createWorld(pools)
  const nodes = [...makeNodes(1, { rank: 'deep' }, 'd'), ...makeNodes(1, { rank: 'small' }, 's')]
  coordinator.add(nodes)
  coordinator.settlePool('a', 'credit')
  expect(coordinator.terminalStatus(['d0', 's0'])).toEqual({ kind: 'dispatchable' })
  expect(coordinator.terminalStatus(['d0'])).toEqual({
    kind: 'all_pools_exhausted',
    terminal: {
      reason: 'every pool that could take the rest is closed for this run: a (credit)',
      stranded_ids: ['d0'],
    },
  })
  coordinator.settlePool('b', 'auth')
  expect(coordinator.terminalStatus(['d0', 's0']).kind).toBe('all_pools_exhausted')
})

test('no pools at all, and items that fit nowhere, are not exhausted quota', () => {
  expect(createWorld([]).coordinator.terminalStatus(['x'])).toEqual({ kind: 'dispatchable' })
  const { coordinator } = createWorld([makeSlots('a', 1)])
  coordinator.add(makeNodes(1, { needs: ['edit_files'] }))
  coordinator.settlePool('a')
  expect(coordinator.terminalStatus(['n0'])).toEqual({ kind: 'dispatchable' })
})

test('a budget is a reservation before launch and stops what would exceed it', () => {
  const pool = makeSlots('a', 50, { cost: { input: 1_000, output: 0 } })
  const { coordinator } = createWorld([pool], { sessionConfig: { budget: { usd: 3.5 } } })
  const assignments = coordinator.planAssignments(makeNodes(10))
  expect(assignments).toHaveLength(3)
  expect(coordinator.explain()[0]).toMatchObject({ constraint: 'run budget usd', freesAt: null })
  for (const assignment of assignments) {
    const usage = { inputTokens: 500, outputTokens: 10, cachedInputTokens: null, costUsd: 0.5 }
    coordinator.observe(assignment, { class: 'ok', usage })
  }
  expect(coordinator.planAssignments()).toHaveLength(2)
})

test('an endpoint without prices cannot be kept inside a budget in dollars, and says so', () => {
  const { coordinator } = createWorld([makePool('a')], { sessionConfig: { budget: { usd: 3 } } })
  expect(coordinator.planAssignments(makeNodes(1))).toEqual([])
  expect(JSON.stringify(coordinator.explain())).toContain('the cost of its source is not stated')
})
