import type { Clock } from '../core/index.ts'
import type { WorkOutcome } from '../dispatch/index.ts'
import type { Rank } from '../quota/index.ts'
import type { SimulatedCall } from './provider-world.ts'
import type { ScenarioPool } from './scenario.ts'

/** A work item as policies see it. */
export interface VisibleItem {
  readonly id: string
  readonly rank: Rank
  readonly estimatedTokens: number
}

/** A pool as policies see it: nothing of what its provider hides. */
export type VisiblePool = Omit<ScenarioPool, 'latency' | 'faults' | 'dies_at_s' | 'dies_of'>

export interface PolicyContext {
  readonly items: readonly VisibleItem[]
  readonly pools: readonly VisiblePool[]
  /** Separate coordinators that share one store. */
  readonly drivers: number
  readonly seed: number
  readonly clock: Clock
  /** Makes a call; every end is an outcome. */
  readonly call: (call: SimulatedCall) => Promise<WorkOutcome>
  /** Aborted when the scenario's time is over. */
  readonly signal: AbortSignal
}

/** A way to bring items to pools. Resolves when it has nothing more to do or was aborted, and nothing is in flight. */
export interface DispatchPolicy {
  readonly name: string
  readonly run: (context: PolicyContext) => Promise<void>
}
