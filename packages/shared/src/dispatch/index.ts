export { type AccountContext, computeAccountKey, readAccountSecret } from './account-key.ts'
export { type PoolSummary, summarizeDispatchCapacityPools } from './capacity-summary.ts'
export type { ClaimPort } from './claim-port.ts'
export {
  HybridSpillCoordinator,
  type HybridSpillCoordinatorOptions,
  type OutcomeReceipt,
  type SettledExclusionSet,
} from './coordinator.ts'
export type { DispatchCommand, DispatchEvent, SettleCause } from './events.ts'
export type { NodeExplanation } from './explain.ts'
export type { FrontierNode, NodeAssignment } from './frontier-node.ts'
export { type HostModel, parseHostModelRoster } from './host-roster.ts'
export {
  type HybridDispatchInput,
  type HybridDispatchPartition,
  planHybridDispatch,
} from './hybrid.ts'
export { InFlightTokenTracker } from './in-flight-token-tracker.ts'
export type { WorkOutcome } from './outcome.ts'
export {
  advancePausedState,
  checkLivelockGuard,
  detectLivelock,
  LIVELOCK_PAUSE_LIMIT,
  type LivelockVerdict,
  type PausedState,
  type PauseInput,
} from './pause.ts'
export type { DispatchSessionConfig } from './pool-entry.ts'
export {
  createRollingDispatcher,
  type DispatchEnd,
  type RollingDispatcher,
  type RollingDispatcherOptions,
} from './rolling.ts'
export { selectProvider } from './select-provider.ts'
export {
  addSettledPool,
  readSettledPoolCauses,
  readSettledPools,
  readSettledPoolsSync,
  type SettledPool,
  type SettledPoolInfo,
} from './settled-pools.ts'
export {
  buildSourcePool,
  buildSourcePools,
  collectDispatchableSources,
  type DispatchableSource,
  dispatchableSourceId,
  filterNewProviders,
  sourceByPoolId,
  type SourceConfigInput,
} from './source-pools.ts'
export {
  buildEmptyPoolTerminal,
  type CoordinatorTerminalStatus,
  type PartialCompletionTerminal,
} from './terminal.ts'
export { compareTier, mostCapableTier, tierRank } from './tier.ts'
