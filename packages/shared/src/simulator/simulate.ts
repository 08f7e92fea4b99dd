import { auditToolsPolicy } from './audit-tools-policy.ts'
import { drawItems } from './items.ts'
import type { DispatchPolicy, PolicyContext, VisiblePool } from './policy.ts'
import { type PoolReport, ProviderWorld } from './provider-world.ts'
import type { Scenario, ScenarioPool } from './scenario.ts'
import { createVirtualClock } from './virtual-clock.ts'

/** Any instant does; a fixed one makes runs repeatable. */
const START_AT = Date.UTC(2026, 0, 5, 9)

export interface SimulationInput {
  readonly scenario: Scenario
  /** Decides every draw; the same seed gives the same world to every policy, and the same result. */
  readonly seed: number
  /** The product where absent. */
  readonly policy?: DispatchPolicy
}

export interface SimulationResult {
  /** When the last item that was completed ended; 0 when none was. */
  readonly makespanSeconds: number
  /** Calls that a limit turned away. */
  readonly rejections: number
  /** Tokens of calls whose answer nobody needed or got. */
  readonly wastedTokens: number
  /** Items without an answer at the end, or when the scenario's time was over. */
  readonly stranded: number
  /** Starts that booked more than a declared limit had left. */
  readonly overAdmission: number
  readonly completed: number
  readonly perPool: readonly Readonly<PoolReport>[]
}

/**
 * Plays a scenario in virtual time: the product's own coordinator, ledger and dispatcher against providers whose true
 * limits it does not know. Rejects with what the policy rejects with, and with `internal-fault` when it stands still.
 */
export async function simulate({
  scenario,
  seed,
  policy = auditToolsPolicy,
}: SimulationInput): Promise<SimulationResult> {
  const clock = createVirtualClock(START_AT)
  const items = drawItems(scenario, seed)
  const world = new ProviderWorld({ scenario, seed, items, clock })
  const ending = new AbortController()
  const context: PolicyContext = {
    items: items.map(({ id, rank, estimatedTokens }) => ({ id, rank, estimatedTokens })),
    pools: scenario.pools.map(hideTruth),
    drivers: scenario.drivers,
    seed,
    clock,
    call: (call) => world.call(call),
    signal: ending.signal,
  }
  const closing = new AbortController()
  const timeOver = clock.sleep(scenario.max_time_s * 1_000, closing.signal)
  timeOver.then(
    () => ending.abort(),
    () => undefined,
  )
  await clock.run(policy.run(context))
  closing.abort()
  const times = [...world.completedAt.values()].filter((at) => at <= scenario.max_time_s)
  return {
    makespanSeconds: times.reduce((latest, at) => Math.max(latest, at), 0),
    rejections: world.reports.reduce((sum, { rejections }) => sum + rejections, 0),
    wastedTokens: world.wastedTokens,
    stranded: items.length - times.length,
    overAdmission: world.audit.overAdmission,
    completed: times.length,
    perPool: world.reports,
  }
}

function hideTruth(pool: ScenarioPool): VisiblePool {
  const { latency: _latency, faults: _faults, dies_at_s: _at, dies_of: _of, ...visible } = pool
  return visible
}
