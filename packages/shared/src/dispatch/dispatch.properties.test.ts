import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeededRandom, type Random } from '../core/index.ts'
import type { OutcomeClass } from '../providers/index.ts'
import type { CapacityPool } from '../quota/index.ts'
import { createWorld, makePool, runClock, type World } from './fixtures/world.ts'
import type { FrontierNode, NodeAssignment } from './frontier-node.ts'
import type { WorkOutcome } from './outcome.ts'
import { createRollingDispatcher, type DispatchEnd } from './rolling.ts'

const arbitraryQuota = fc.oneof(
  fc.record({ concurrency: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    requests_per_minute: fc.integer({ min: 1, max: 60 }),
    input_tokens_per_minute: fc.integer({ min: 2_000, max: 60_000 }),
  }),
  fc.record({
    input_tokens_per_minute: fc.integer({ min: 2_000, max: 60_000 }),
    output_tokens_per_minute: fc.integer({ min: 500, max: 10_000 }),
  }),
  fc.constant({}),
)

const ranks = ['small', 'standard', 'deep'] as const

const arbitraryPools = fc
  .array(
    fc.record({
      quota: arbitraryQuota,
      account: fc.constantFrom('one', 'two', undefined),
      rank: fc.constantFrom(...ranks, undefined),
      provider: fc.constantFrom('anthropic', 'openai-compatible', 'codex'),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((shapes) =>
    shapes.map(({ quota, account, rank, provider }, index): CapacityPool =>
      makePool(`pool-${index}`, {
        providerName: provider,
        source: { provider, quota },
        ...(account === undefined ? {} : { accountKey: account }),
        ...(rank === undefined ? {} : { rank }),
      }),
    ),
  )

const arbitraryNodes = fc
  .array(
    fc.record({
      estimatedTokens: fc.integer({ min: 0, max: 9_000 }),
      outputTokens: fc.option(fc.integer({ min: 1, max: 3_000 }), { nil: undefined }),
      rank: fc.constantFrom(...ranks, undefined),
      prefix: fc.constantFrom('p', 'q', undefined),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((shapes) =>
    shapes.map(({ estimatedTokens, outputTokens, rank, prefix }, index): FrontierNode => ({
      id: `node-${index}`,
      estimatedTokens,
      ...(outputTokens === undefined ? {} : { outputTokens }),
      ...(rank === undefined ? {} : { rank }),
      ...(prefix === undefined ? {} : { prefix }),
    })),
  )

interface Trace {
  readonly end: DispatchEnd
  readonly accepted: readonly string[]
  readonly launched: readonly NodeAssignment[]
  readonly plans: number
  readonly outcomes: number
  readonly wakeTimes: number
}

interface Play {
  readonly nodes: readonly FrontierNode[]
  /** Decides how long each launch takes, so in which order work ends. */
  readonly random: Random
  readonly decide: (assignment: NodeAssignment, random: Random) => WorkOutcome
}

/** Drives a world until the dispatcher ends, and counts what happened. */
async function play(world: World, { nodes, random, decide }: Play): Promise<Trace> {
  const { coordinator, clock } = world
  const accepted: string[] = []
  const launched: NodeAssignment[] = []
  const wakes = new Set<number>()
  let plans = 0
  let outcomes = 0
  const plan = coordinator.planAssignments.bind(coordinator)
  coordinator.planAssignments = (...list) => {
    plans += 1
    return plan(...list)
  }
  const findNextWake = coordinator.findNextWake.bind(coordinator)
  coordinator.findNextWake = () => {
    const at = findNextWake()
    if (at !== null) wakes.add(at)
    return at
  }
  coordinator.add(nodes)
  const dispatcher = createRollingDispatcher({
    coordinator,
    clock,
    longestWaitMs: Number.POSITIVE_INFINITY,
    launch: async (assignment) => {
      launched.push(assignment)
      const delayMs = Math.floor(random.next() * 30_000)
      await clock.sleep(delayMs)
      return decide(assignment, random)
    },
    onOutcome: (assignment, _, { completion }) => {
      outcomes += 1
      if (completion === 'accepted') accepted.push(assignment.nodeId)
    },
  })
  const end = await runClock(clock, dispatcher.run())
  return { end, accepted, launched, plans, outcomes, wakeTimes: wakes.size }
}

/** Resources that still hold something, of all that the pools have. */
function listHeld(world: World, pools: readonly CapacityPool[]): string[] {
  const keys = pools.flatMap((pool) => [
    `account:${pool.accountKey ?? pool.id}`,
    `model:${pool.id}`,
  ])
  const names = keys.map((key) => `${key} concurrency session`)
  return names.filter((name) => world.ledger.read(name, world.clock.now())?.reservedMicro !== 0)
}

/** Pools that may do any item, so that no item is without one. */
const openToAll = (pools: readonly CapacityPool[]): CapacityPool[] =>
  pools.map(({ rank: _rank, ...pool }) => pool)

const passing: readonly OutcomeClass[] = [
  'throttle',
  'overload',
  'bad_output',
  'transient',
  'timeout',
]

/** Fails now and then, but no item for ever. */
function createFlakyDecision(): Play['decide'] {
  const failures = new Map<string, number>()
  return ({ nodeId }, random) => {
    const failed = failures.get(nodeId) ?? 0
    if (failed >= 3 || random.next() < 0.6) return { class: 'ok', resultRef: nodeId }
    failures.set(nodeId, failed + 1)
    return { class: passing[Math.floor(random.next() * passing.length)] ?? 'transient' }
  }
}

test('Every item completes exactly once, in whatever order work ends and whatever fails on the way', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryPools, arbitraryNodes, fc.nat(), async (shapes, nodes, seed) => {
      const pools = openToAll(shapes)
      const world = createWorld(pools)
      const random = createSeededRandom(seed)
      const trace = await play(world, { nodes, random, decide: createFlakyDecision() })
      expect(trace.end).toEqual({ kind: 'done' })
      expect(trace.accepted.toSorted()).toEqual(nodes.map(({ id }) => id).toSorted())
      expect(world.claims.listCompleted()).toHaveLength(nodes.length)
      expect(world.claims.listClaims()).toEqual([])
      expect(listHeld(world, pools)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('Progress: all items complete and no busy loop: wake-ups <= events + distinct retryAt', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryPools, arbitraryNodes, fc.nat(), async (shapes, nodes, seed) => {
      const world = createWorld(openToAll(shapes))
      const random = createSeededRandom(seed)
      const trace = await play(world, { nodes, random, decide: createFlakyDecision() })
      expect(trace.end).toEqual({ kind: 'done' })
      expect(trace.plans).toBeLessThanOrEqual(1 + trace.outcomes + trace.wakeTimes)
    }),
    { numRuns: 300 },
  )
})

test('Settle discipline: only money, access and a missing model settle, settled pools receive no assignment, and the end says which pools are closed', async () => {
  const closing: readonly OutcomeClass[] = ['credit', 'auth', 'model_gone']
  const others: readonly OutcomeClass[] = [
    ...passing,
    'window',
    'day',
    'too_large',
    'refused',
    'crash',
  ]
  await fc.assert(
    fc.asyncProperty(
      arbitraryPools,
      arbitraryNodes,
      fc.nat(),
      fc.double({ min: 0, max: 0.3, noNaN: true }),
      async (pools, nodes, seed, share) => {
        const world = createWorld(pools)
        const closed = new Set<string>()
        const decide: Play['decide'] = ({ nodeId, poolId }, random) => {
          expect(world.settled.size).toBe(closed.size)
          const draw = random.next()
          if (draw < share) {
            const settling = closing[Math.floor(random.next() * closing.length)] ?? 'auth'
            const account = pools.find(({ id }) => id === poolId)?.accountKey
            for (const pool of pools) {
              const isSame = settling === 'credit' && account !== undefined
              if (pool.id === poolId || (isSame && pool.accountKey === account)) closed.add(pool.id)
            }
            return { class: settling }
          }
          if (draw < 2 * share) {
            return { class: others[Math.floor(random.next() * others.length)] ?? 'crash' }
          }
          return { class: 'ok', resultRef: nodeId }
        }
        const { coordinator } = world
        const plan = coordinator.planAssignments.bind(coordinator)
        coordinator.planAssignments = (...list) => {
          const assignments = plan(...list)
          expect(assignments.some(({ poolId }) => closed.has(poolId))).toBe(false)
          return assignments
        }
        const { end } = await play(world, { nodes, random: createSeededRandom(seed), decide })
        expect(world.settled).toEqual(closed)
        const left = coordinator.explain()
        if (end.kind === 'done') expect(left).toEqual([])
        else if (end.kind === 'exhausted') {
          const stranded = left.filter(({ kind }) => kind === 'exhausted').map((one) => one.nodeId)
          expect(end.terminal.stranded_ids).toEqual(stranded.toSorted())
          expect(left.some(({ kind }) => kind === 'waiting')).toBe(false)
        } else {
          expect(end.kind).toBe('stuck')
          expect(left.every(({ kind }) => kind === 'unplaceable')).toBe(true)
        }
      },
    ),
    { numRuns: 300 },
  )
})

const limitTexts = readFileSync(
  new URL('../quota/signals/fixtures/limits.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')

test('Result-channel immunity: no payload inside a successful item changes the state of a pool', () => {
  fc.assert(
    fc.property(
      arbitraryPools,
      fc.oneof(fc.constantFrom(...limitTexts), fc.string()),
      (shapes, payload) => {
        const pools = openToAll(shapes)
        const world = createWorld(pools)
        world.coordinator.add([{ id: 'node', estimatedTokens: 100 }])
        const [assignment] = world.coordinator.planAssignments()
        if (assignment === undefined) throw new Error('nothing assigned')
        const outcome = {
          class: 'ok',
          message: payload,
          text: payload,
          resultRef: payload,
        } as const
        const { commands } = world.coordinator.observe(assignment, outcome)
        expect(commands.map(({ kind }) => kind)).toEqual(['complete'])
        expect(world.settled.size).toBe(0)
        for (const { accountKey, id } of pools) {
          for (const key of [`account:${accountKey ?? id}`, `model:${id}`]) {
            expect(world.ledger.readGate(key, world.clock.now()).state).toBe('open')
          }
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

test('Work-conserving: no item is left while a pool that may take it has every constraint free', () => {
  fc.assert(
    fc.property(arbitraryPools, arbitraryNodes, (pools, nodes) => {
      const { coordinator } = createWorld(pools)
      coordinator.planAssignments(nodes)
      const free = coordinator
        .explain()
        .filter((left) => left.kind === 'waiting' && left.constraint === 'order')
      expect(free).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})

test('Matching is deterministic, and does not depend on the order in which items of different cost were added', () => {
  fc.assert(
    fc.property(arbitraryPools, arbitraryNodes, (pools, shapes) => {
      // Unlike costs: for equal ones the earlier item goes first.
      const nodes = shapes.map((node, index) => ({
        ...node,
        estimatedTokens: node.estimatedTokens * 100 + index,
      }))
      const planIn = (order: readonly FrontierNode[]): string[] =>
        createWorld(pools)
          .coordinator.planAssignments(order)
          .map(({ nodeId, poolId }) => `${nodeId} on ${poolId}`)
      expect(planIn(nodes)).toEqual(planIn(nodes))
      expect(planIn(nodes.toReversed())).toEqual(planIn(nodes))
    }),
    { numRuns: 300 },
  )
})
