import type { CapacityPool } from '../quota/index.ts'
import { HybridSpillCoordinator, type HybridSpillCoordinatorOptions } from './coordinator.ts'
import type { FrontierNode, NodeAssignment } from './frontier-node.ts'

export interface HybridDispatchInput extends HybridSpillCoordinatorOptions {
  readonly frontier: readonly FrontierNode[]
  /** Whether the tool launches work of this pool itself; what it does not launch is the host's. */
  readonly isInProcess: (pool: CapacityPool) => boolean
}

/** What may start now, by who starts it. Both parts draw on one frontier. */
export interface HybridDispatchPartition {
  readonly inProcess: readonly NodeAssignment[]
  readonly host: readonly NodeAssignment[]
  /** Goes on with the rest of the frontier. */
  readonly coordinator: HybridSpillCoordinator
}

/** Plans a frontier over all pools at once and tells in-process work from the host's. */
export function planHybridDispatch(input: HybridDispatchInput): HybridDispatchPartition {
  const { frontier, isInProcess, ...options } = input
  const coordinator = new HybridSpillCoordinator(options)
  const ownPools = new Set(options.pools.filter((pool) => isInProcess(pool)).map(({ id }) => id))
  const assignments = coordinator.planAssignments(frontier)
  return {
    inProcess: assignments.filter(({ poolId }) => ownPools.has(poolId)),
    host: assignments.filter(({ poolId }) => !ownPools.has(poolId)),
    coordinator,
  }
}
