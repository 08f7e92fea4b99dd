import { ClaimRegistry, createMemoryClaimStore } from '../claims/index.ts'
import { createRollingDispatcher, HybridSpillCoordinator } from '../dispatch/index.ts'
import { type CapacityPool, createMemoryLedger } from '../quota/index.ts'
import { createDraws } from './draws.ts'
import type { DispatchPolicy, PolicyContext, VisiblePool } from './policy.ts'

/** The product itself: coordinators, claims, ledger and rolling dispatchers as they run in production. */
export const auditToolsPolicy: DispatchPolicy = { name: 'audit-tools', run: runProduct }

async function runProduct(context: PolicyContext): Promise<void> {
  const { clock, drivers, items, signal, seed, call } = context
  const pools = context.pools.map(describePool)
  const ledger = createMemoryLedger()
  const store = createMemoryClaimStore()
  const settled = new Set<string>()
  const ends = Array.from({ length: drivers }, async (_, index) => {
    const coordinator = new HybridSpillCoordinator({
      pools,
      sessionConfig: {},
      claimRegistry: new ClaimRegistry('memory', { ownerId: `driver-${index}`, clock, store }),
      readSettled: () => settled,
      onSettle: (poolId) => {
        settled.add(poolId)
      },
      ledger,
      clock,
      random: createDraws(seed, 'driver', index),
    })
    coordinator.add(items)
    const dispatcher = createRollingDispatcher({
      coordinator,
      clock,
      longestWaitMs: Number.POSITIVE_INFINITY,
      launch: ({ nodeId: itemId, poolId, estimate }) => call({ itemId, poolId, estimate }),
    })
    await dispatcher.run(signal)
  })
  await Promise.all(ends)
}

function describePool(pool: VisiblePool): CapacityPool {
  const { id, kind, rank, account, concurrency, known, cost } = pool
  const provider = chooseProvider(pool)
  return {
    id,
    kind,
    rank,
    providerName: provider,
    hostModel: id,
    hostConcurrencyLimit: concurrency,
    accountKey: account,
    contextTokens: pool.context_tokens,
    outputTokens: pool.output_tokens,
    cost: {
      input: cost.input,
      output: cost.output,
      ...(cost.cached_input === undefined ? {} : { cachedInput: cost.cached_input }),
    },
    source: { provider, ...(known === null ? {} : { quota: known }) },
  }
}

/** Whose rules of charging the product assumes, by what it sees of the pool. */
function chooseProvider({ headers, kind }: VisiblePool): string {
  if (headers === 'anthropic') return 'anthropic'
  return headers === 'openai' || kind === 'api' ? 'openai-compatible' : 'claude-code'
}
