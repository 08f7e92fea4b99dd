/*
 * What planning costs, without claim writes: a whole frontier at once, and one event among many pending nodes. Beside it,
 * in the same run, the plain way: go through the list and try each pool in turn (`list-scan`), anew at each event.
 * Flags: --json, --nodes=N (default 100000), --pools=N (default 16), --pending=N (default 10000), --events=N (default 200).
 */
import { parseArgs } from 'node:util'
import { createSeededRandom } from '../packages/shared/src/core/index.ts'
import {
  type ClaimPort,
  type FrontierNode,
  HybridSpillCoordinator,
} from '../packages/shared/src/dispatch/index.ts'
import {
  type CapacityPool,
  computeCharges,
  createMemoryLedger,
  foldPools,
  listConstraints,
} from '../packages/shared/src/quota/index.ts'

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '100000' },
    pools: { type: 'string', default: '16' },
    pending: { type: 'string', default: '10000' },
    events: { type: 'string', default: '200' },
  },
})
const nodeCount = Number(flags.nodes)
const poolCount = Number(flags.pools)
const pendingCount = Number(flags.pending)
const eventCount = Number(flags.events)

const startAt = Date.UTC(2026, 0, 1)
const clock = {
  at: startAt,
  now: (): number => clock.at,
  monotonic: (): number => clock.at,
  sleep: (): Promise<void> => Promise.resolve(),
}
const grantAll: ClaimPort = {
  claim: (id) => ({ acquired: true, ownerToken: id, epoch: 1 }),
  complete: () => 'accepted',
  release: () => 'released',
}

function makeNodes(count: number): FrontierNode[] {
  const random = createSeededRandom(7)
  const ranks = ['small', 'standard', 'deep'] as const
  return Array.from({ length: count }, (_, index) => ({
    id: `packet-${index}`,
    estimatedTokens: Math.round(1_500 * 40 ** random.next()),
    outputTokens: Math.round(200 * 20 ** random.next()),
    rank: ranks[Math.floor(random.next() * 3)] ?? 'small',
  }))
}

/** Three of four pools pay by account with rates, the fourth is a CLI; `scale` widens every limit. */
function makePools(count: number, scale: number): CapacityPool[] {
  const ranks = ['small', 'standard', 'deep', 'deep'] as const
  return Array.from({ length: count }, (_, index): CapacityPool => {
    const base = {
      id: `pool-${index}`,
      hostModel: 'model',
      hostConcurrencyLimit: null,
      rank: ranks[index % 4] ?? 'small',
      contextTokens: 200_000,
      outputTokens: 8_192,
    }
    if (index % 4 === 3) {
      const source = { provider: 'codex', quota: { concurrency: 6 * scale } }
      return { ...base, providerName: 'codex', source }
    }
    const quota = {
      requests_per_minute: 60 * scale,
      input_tokens_per_minute: 90_000 * scale,
      output_tokens_per_minute: 30_000 * scale,
    }
    const source = { provider: 'anthropic', quota }
    return { ...base, providerName: 'anthropic', accountKey: `account-${index >> 1}`, source }
  })
}

function createCoordinator(pools: readonly CapacityPool[]): HybridSpillCoordinator {
  return new HybridSpillCoordinator({
    pools,
    sessionConfig: {},
    claimRegistry: grantAll,
    readSettled: () => new Set(),
    onSettle: () => undefined,
    clock,
    random: createSeededRandom(1),
  })
}

interface PlanFigures {
  readonly name: string
  readonly assigned: number
  readonly ms: number
  /** Processor time: on a busy machine the wall clock counts what others do. */
  readonly cpu_ms: number
}

function measurePlan(name: string, plan: () => number): PlanFigures {
  const cpu = process.cpuUsage()
  const began = performance.now()
  const assigned = plan()
  const ms = performance.now() - began
  return { name, assigned, ms, cpu_ms: process.cpuUsage(cpu).user / 1_000 }
}

function planWhole(pools: readonly CapacityPool[], nodes: readonly FrontierNode[]): PlanFigures {
  const coordinator = createCoordinator(pools)
  return measurePlan('audit-tools', () => coordinator.planAssignments(nodes).length)
}

/** The plain way: each node in turn, largest first, to the first pool that admits it. */
function createScan(pools: readonly CapacityPool[]) {
  const ledger = createMemoryLedger()
  const folded = foldPools(pools, {}, clock.at)
  ledger.declare(listConstraints(folded), clock.at)
  const ranks = ['small', 'standard', 'deep']
  let operations = 0
  return {
    ledger,
    scan(nodes: readonly FrontierNode[]): { id: string; reservationId: string }[] {
      const sorted = nodes.toSorted((left, right) => right.estimatedTokens - left.estimatedTokens)
      return sorted.flatMap((node) => {
        for (const pool of folded) {
          if (ranks.indexOf(pool.pool.rank ?? '') < ranks.indexOf(node.rank ?? '')) continue
          const estimate = {
            inputTokens: node.estimatedTokens,
            outputTokens: node.outputTokens ?? 0,
            maxOutputTokens: pool.outputTokens,
          }
          operations += 1
          const charges = computeCharges(pool, estimate)
          const answer = ledger.reserve(charges, clock.at, `scan-${operations}`)
          if (answer.kind === 'reserved') return [{ id: node.id, ...answer }]
        }
        return []
      })
    },
  }
}

function scanWhole(pools: readonly CapacityPool[], nodes: readonly FrontierNode[]): PlanFigures {
  const plain = createScan(pools)
  return measurePlan('list-scan', () => plain.scan(nodes).length)
}

/** The value below which a share of the values lies. */
function findQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The cost of one event: a completion, and the plan that follows it. */
function measureEvents(pools: readonly CapacityPool[], nodes: readonly FrontierNode[]): number[] {
  clock.at = startAt
  const coordinator = createCoordinator(pools)
  coordinator.add(nodes)
  const flying = coordinator.planAssignments()
  return Array.from({ length: eventCount }, () => {
    clock.at += 500
    const [done] = flying.splice(0, 1)
    const began = performance.now()
    if (done !== undefined) coordinator.observe(done, { class: 'ok' })
    flying.push(...coordinator.planAssignments())
    coordinator.findNextWake()
    return performance.now() - began
  })
}

function scanEvents(pools: readonly CapacityPool[], nodes: readonly FrontierNode[]): number[] {
  clock.at = startAt
  const plain = createScan(pools)
  let pending = nodes
  const flying = plain.scan(pending)
  return Array.from({ length: Math.min(20, eventCount) }, () => {
    clock.at += 500
    const [done] = flying.splice(0, 1)
    const began = performance.now()
    if (done !== undefined) {
      plain.ledger.settle(done.reservationId, { actual: [], verdict: 'clean' }, clock.at)
    }
    const started = new Set(flying.map(({ id }) => id))
    pending = pending.filter(({ id }) => !started.has(id))
    flying.push(...plain.scan(pending))
    return performance.now() - began
  })
}

const nodes = makeNodes(nodeCount)
const wide = makePools(poolCount, 1_000_000)
const narrow = makePools(poolCount, 4)
planWhole(wide, nodes.slice(0, 2_000))
const plans = [
  { limits: 'wide', policies: [planWhole(wide, nodes), scanWhole(wide, nodes)] },
  { limits: 'narrow', policies: [planWhole(narrow, nodes), scanWhole(narrow, nodes)] },
]
const pending = makeNodes(pendingCount)
const ownEvents = measureEvents(narrow, pending)
const scanned = scanEvents(narrow, pending)
const describe = (name: string, values: readonly number[]) => ({
  name,
  median_ms: findQuantile(values, 0.5),
  p95_ms: findQuantile(values, 0.95),
  max_ms: Math.max(...values),
})
const event = {
  pending: pendingCount,
  policies: [describe('audit-tools', ownEvents), describe('list-scan', scanned)],
  ratio: findQuantile(scanned, 0.5) / findQuantile(ownEvents, 0.5),
}

if (flags.json) {
  const whole = plans.map(({ limits, policies }) => ({
    limits,
    nodes: nodeCount,
    pools: poolCount,
    policies,
    ratio: (policies[1]?.ms ?? 0) / (policies[0]?.ms ?? 1),
  }))
  console.log(JSON.stringify({ plan: whole, event }, null, 2))
} else {
  for (const { limits, policies } of plans) {
    for (const { name, assigned, ms, cpu_ms: cpuMs } of policies) {
      console.log(
        `${nodeCount} nodes, ${poolCount} pools, ${limits} limits: ${name} assigned ${assigned} in ${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} of them processor time`,
      )
    }
  }
  for (const { name, median_ms: median, p95_ms: p95, max_ms: max } of event.policies) {
    console.log(
      `one event, ${pendingCount} pending: ${name} ${median.toFixed(2)} ms median, ` +
        `${p95.toFixed(2)} ms at 95 %, ${max.toFixed(2)} ms at most`,
    )
  }
}
