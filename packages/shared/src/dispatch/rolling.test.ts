import { expect, test } from 'vitest'
import {
  createWorld,
  makeNodes,
  makePool,
  makeSlots,
  runClock,
  type World,
} from './fixtures/world.ts'
import type { NodeAssignment } from './frontier-node.ts'
import type { WorkOutcome } from './outcome.ts'
import { createRollingDispatcher, type RollingDispatcherOptions } from './rolling.ts'

interface Drive {
  readonly world: World
  readonly launch: (assignment: NodeAssignment) => WorkOutcome | Promise<WorkOutcome>
  readonly options?: Partial<RollingDispatcherOptions>
}

/** A dispatcher over launches that take ten seconds each, and what it started when. */
function createDriver({ world, launch, options }: Drive) {
  const starts: { nodeId: string; poolId: string; atMs: number }[] = []
  const began = world.clock.now()
  const dispatcher = createRollingDispatcher({
    coordinator: world.coordinator,
    clock: world.clock,
    launch: async (assignment, signal) => {
      const { nodeId, poolId } = assignment
      starts.push({ nodeId, poolId, atMs: world.clock.now() - began })
      try {
        await world.clock.sleep(10_000, signal)
      } catch {
        return { class: 'cancelled' }
      }
      return launch(assignment)
    },
    ...options,
  })
  return { dispatcher, starts }
}

const succeed = ({ nodeId }: NodeAssignment): WorkOutcome => ({ class: 'ok', resultRef: nodeId })

test('work is bound at launch and each completion starts the next: there are no waves', async () => {
  const world = createWorld([makeSlots('a', 2)])
  world.coordinator.add(makeNodes(4))
  const { dispatcher, starts } = createDriver({ world, launch: succeed })
  expect(await runClock(world.clock, dispatcher.run())).toEqual({ kind: 'done' })
  expect(starts.map(({ atMs }) => atMs)).toEqual([0, 0, 10_000, 10_000])
  expect(world.claims.listCompleted()).toHaveLength(4)
})

test('a rate is waited for to the millisecond, without polling', async () => {
  const source = { provider: 'anthropic', quota: { requests_per_minute: 2 } }
  const world = createWorld([makePool('a', { source })])
  world.coordinator.add(makeNodes(4))
  const { dispatcher, starts } = createDriver({ world, launch: succeed })
  await runClock(world.clock, dispatcher.run())
  expect(starts.map(({ atMs }) => atMs)).toEqual([0, 0, 30_000, 60_000])
})

test('work that is added while running starts at once', async () => {
  const world = createWorld([makeSlots('a', 3)])
  world.coordinator.add(makeNodes(1))
  const { dispatcher, starts } = createDriver({
    world,
    launch: (assignment) => {
      if (assignment.nodeId === 'n0') dispatcher.add(makeNodes(2, {}, 'more'))
      return succeed(assignment)
    },
  })
  expect(await runClock(world.clock, dispatcher.run())).toEqual({ kind: 'done' })
  expect(starts.map(({ atMs }) => atMs)).toEqual([0, 10_000, 10_000])
})

test('a pool that dies of credit spills its queue to the other, with no further launch on it', async () => {
  const world = createWorld([makeSlots('a', 1), makeSlots('b', 1)])
  world.coordinator.add(makeNodes(12))
  let onA = 0
  const { dispatcher, starts } = createDriver({
    world,
    launch: (assignment) => {
      if (assignment.poolId === 'a') onA += 1
      return onA > 2 && assignment.poolId === 'a' ? { class: 'credit' } : succeed(assignment)
    },
  })
  expect(await runClock(world.clock, dispatcher.run())).toEqual({ kind: 'done' })
  expect(starts.filter(({ poolId }) => poolId === 'a')).toHaveLength(3)
  expect(world.claims.listCompleted()).toHaveLength(12)
})

test('a run whose pools are all closed ends exhausted, with what is stranded', async () => {
  const world = createWorld([makeSlots('a', 1)])
  world.coordinator.add(makeNodes(2))
  const { dispatcher } = createDriver({ world, launch: () => ({ class: 'credit' }) })
  expect(await runClock(world.clock, dispatcher.run())).toEqual({
    kind: 'exhausted',
    terminal: {
      reason: 'every pool that could take the rest is closed for this run: a (credit)',
      stranded_ids: ['n0', 'n1'],
    },
  })
  expect(world.claims.listClaims()).toEqual([])
})

test('a long rest ends the run with its time, and claims are given back', async () => {
  const world = createWorld([makeSlots('a', 1)])
  world.coordinator.add(makeNodes(2))
  const until = world.clock.now() + 3 * 3_600_000
  const { dispatcher, starts } = createDriver({
    world,
    launch: () => ({ class: 'window', scope: 'account', until }),
  })
  const end = await runClock(world.clock, dispatcher.run())
  expect(end).toMatchObject({ kind: 'waiting', until })
  expect(starts).toHaveLength(1)
  expect(world.claims.listClaims()).toEqual([])
})

test('with patience the same run waits and goes on by itself', async () => {
  const world = createWorld([makeSlots('a', 4)])
  world.coordinator.add(makeNodes(3))
  const until = world.clock.now() + 3 * 3_600_000
  const { dispatcher, starts } = createDriver({
    world,
    launch: (assignment) =>
      world.clock.now() < until
        ? { class: 'window', scope: 'account', until }
        : succeed(assignment),
    options: { longestWaitMs: Number.POSITIVE_INFINITY },
  })
  expect(await runClock(world.clock, dispatcher.run())).toEqual({ kind: 'done' })
  expect(starts.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 10_800_000, 10_810_000, 10_810_000])
})

test('cancelling stops what runs, gives claims back, and ends the run', async () => {
  const world = createWorld([makeSlots('a', 2)])
  world.coordinator.add(makeNodes(5))
  const cancel = new AbortController()
  const { dispatcher } = createDriver({ world, launch: succeed })
  const run = dispatcher.run(cancel.signal)
  await world.clock.advance(15_000)
  cancel.abort()
  expect(await runClock(world.clock, run)).toEqual({ kind: 'cancelled' })
  expect(world.claims.listClaims()).toEqual([])
  expect(world.claims.listCompleted()).toHaveLength(2)
})

test('a launch that throws ends the run after everything in flight has ended', async () => {
  const world = createWorld([makeSlots('a', 2)])
  world.coordinator.add(makeNodes(5))
  const { dispatcher } = createDriver({
    world,
    launch: () => {
      throw new Error('disk full')
    },
  })
  await expect(runClock(world.clock, dispatcher.run())).rejects.toThrow('disk full')
  expect(world.claims.listClaims()).toEqual([])
})

test('work that fits no pool ends the run as stuck, with the reason', async () => {
  const world = createWorld([makeSlots('a', 2)])
  world.coordinator.add(makeNodes(1, { needs: ['edit_files'] }))
  const { dispatcher } = createDriver({ world, launch: succeed })
  expect(await runClock(world.clock, dispatcher.run())).toMatchObject({
    kind: 'stuck',
    waiting: [{ kind: 'unplaceable', pools: [{ poolId: 'a', reason: 'it lacks edit_files' }] }],
  })
})

test('near the end nothing starts on a slow pool that the fast one finishes sooner', async () => {
  const seconds: Record<string, number> = { fast: 10, slow: 100 }
  const world = createWorld([makeSlots('fast', 2), makeSlots('slow', 2)])
  world.coordinator.add(makeNodes(30))
  const starts: { poolId: string; atMs: number }[] = []
  const began = world.clock.now()
  const dispatcher = createRollingDispatcher({
    coordinator: world.coordinator,
    clock: world.clock,
    launch: async ({ nodeId, poolId }) => {
      starts.push({ poolId, atMs: world.clock.now() - began })
      await world.clock.sleep((seconds[poolId] ?? 0) * 1_000)
      return { class: 'ok', resultRef: nodeId }
    },
  })
  const end = dispatcher.run().then(() => world.clock.now() - began)
  // Without the slow pool it takes 150 s; two items on it save 10 s; two more at 100 s would end at 200 s.
  expect(await runClock(world.clock, end)).toBeLessThanOrEqual(140_000)
  expect(starts.filter(({ poolId, atMs }) => poolId === 'slow' && atMs > 0)).toEqual([])
})
