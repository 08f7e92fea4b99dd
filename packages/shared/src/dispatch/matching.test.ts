import { expect, test } from 'vitest'
import { createWorld, makeNodes, makePool, makeSlots, runClock } from './fixtures/world.ts'
import { planHybridDispatch } from './hybrid.ts'
import { createRollingDispatcher } from './rolling.ts'

test('under several rates big and small work is mixed, so that no rate runs dry before the others', () => {
  const quota = { requests_per_minute: 100, input_tokens_per_minute: 100_000 }
  const { coordinator } = createWorld([makePool('a', { source: { provider: 'anthropic', quota } })])
  const big = makeNodes(60, { estimatedTokens: 4_000 }, 'big')
  const small = makeNodes(400, { estimatedTokens: 200 }, 'small')
  const assignments = coordinator.planAssignments([...big, ...small])
  const bigStarts = assignments.filter(({ nodeId }) => nodeId.startsWith('big')).length
  // Largest first would start 25 big ones and leave 75 requests unused.
  expect(bigStarts).toBeGreaterThanOrEqual(15)
  expect(assignments.length).toBeGreaterThanOrEqual(90)
})

test('where only slots count, the longest goes first', () => {
  const { coordinator } = createWorld([makeSlots('a', 2)])
  const nodes = [10, 500, 90, 3_000, 700].map((estimatedTokens) => ({
    id: `of-${estimatedTokens}`,
    estimatedTokens,
  }))
  const assigned = coordinator.planAssignments(nodes).map(({ nodeId }) => nodeId)
  expect(assigned).toEqual(['of-3000', 'of-700'])
})

test('when less waits than could start, the longest goes first also under rates', () => {
  const quota = { requests_per_minute: 100, input_tokens_per_minute: 100_000 }
  const { coordinator } = createWorld([makePool('a', { source: { provider: 'anthropic', quota } })])
  const nodes = [10, 500, 90].map((estimatedTokens) => ({
    id: `of-${estimatedTokens}`,
    estimatedTokens,
  }))
  const assigned = coordinator.planAssignments(nodes).map(({ nodeId }) => nodeId)
  expect(assigned).toEqual(['of-500', 'of-90', 'of-10'])
})

test('among work of like cost, a warm prompt prefix goes first', () => {
  const quota = { requests_per_minute: 4, input_tokens_per_minute: 100_000 }
  const { coordinator } = createWorld([makePool('a', { source: { provider: 'anthropic', quota } })])
  const nodes = ['x', 'y', 'x', 'y', 'x', 'y', 'x', 'y'].map((prefix, index) => ({
    id: `${prefix}${index}`,
    estimatedTokens: 1_000,
    outputTokens: 100,
    prefix,
  }))
  const assigned = coordinator.planAssignments(nodes).map(({ nodeId }) => nodeId[0])
  expect(new Set(assigned).size).toBe(1)
})

test('large work is not starved by small work that keeps coming', async () => {
  const source = { provider: 'anthropic', quota: { input_tokens_per_minute: 1_000 } }
  const { coordinator, clock } = createWorld([makePool('a', { source })])
  const began = clock.now()
  let largeStartedMs: number | undefined
  let count = 0
  const addSmall = (): void => {
    count += 1
    coordinator.add([{ id: `small-${count}`, estimatedTokens: 100, outputTokens: 1 }])
  }
  coordinator.add([{ id: 'first', estimatedTokens: 300, outputTokens: 1 }])
  const cancel = new AbortController()
  const dispatcher = createRollingDispatcher({
    coordinator,
    clock,
    launch: async ({ nodeId }, signal) => {
      if (nodeId === 'first') {
        // By now the bucket is not full, so that the large one has to wait.
        coordinator.add([{ id: 'large', estimatedTokens: 1_000, outputTokens: 1 }])
        for (let index = 0; index < 10; index += 1) addSmall()
      }
      if (nodeId === 'large') {
        largeStartedMs = clock.now() - began
        cancel.abort()
      }
      await clock.sleep(1_000, signal).catch(() => undefined)
      if (nodeId !== 'large') addSmall()
      return { class: 'ok', resultRef: nodeId }
    },
  })
  await runClock(clock, dispatcher.run(cancel.signal))
  // Twice its own size goes before it, at 1,000 tokens a minute, and then a bucket has to fill.
  expect(largeStartedMs).toBeLessThanOrEqual(4 * 60_000)
})

/** Work that the remediation tool launches itself; audit's set has no deterministic fixers. */
const remediationKinds = new Set([
  'openai-compatible',
  'anthropic',
  'codex',
  'opencode',
  'claude-code',
  'subprocess-template',
  'local-subprocess',
])

const pools = [
  makeSlots('api', 2, { providerName: 'openai-compatible' }),
  makeSlots('fixer', 2, { providerName: 'local-subprocess' }),
  makeSlots('template', 2, { providerName: 'subprocess-template' }),
  makePool('host', { providerName: 'claude-code', kind: 'host', hostConcurrencyLimit: 3 }),
]

test('host and in-process work draw on one frontier, told apart by the tool alone', () => {
  const { claims, ledger, clock } = createWorld(pools)
  const input = {
    frontier: makeNodes(20),
    pools,
    sessionConfig: {},
    claimRegistry: claims,
    readSettled: () => new Set<string>(),
    onSettle: () => undefined,
    clock,
    ledger,
  }
  const remediation = planHybridDispatch({
    ...input,
    isInProcess: ({ providerName, kind }) => kind !== 'host' && remediationKinds.has(providerName),
  })
  expect(remediation.inProcess.map(({ poolId }) => poolId).toSorted()).toEqual([
    'api',
    'api',
    'fixer',
    'fixer',
    'template',
    'template',
  ])
  // Never more than the host can start now.
  expect(remediation.host.map(({ poolId }) => poolId)).toEqual(['host', 'host', 'host'])
  const ids = [...remediation.inProcess, ...remediation.host].map(({ nodeId }) => nodeId)
  expect(new Set(ids).size).toBe(9)
  expect(claims.listClaims()).toHaveLength(9)
})

test('a classifier that only reads the provider name works, and the coordinator goes on with the rest', () => {
  const { claims, clock } = createWorld(pools)
  const audit = planHybridDispatch({
    frontier: makeNodes(20),
    pools,
    sessionConfig: {},
    claimRegistry: claims,
    readSettled: () => new Set<string>(),
    onSettle: () => undefined,
    clock,
    isInProcess: ({ providerName }) => providerName === 'openai-compatible',
  })
  expect(audit.inProcess).toHaveLength(2)
  expect(audit.host).toHaveLength(7)
  const [first] = audit.inProcess
  if (first === undefined) throw new Error('nothing assigned')
  audit.coordinator.observe(first, { class: 'ok', resultRef: 'r' })
  expect(audit.coordinator.planAssignments()).toHaveLength(1)
})
