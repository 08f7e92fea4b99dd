export {
  computeDispatchCapacity,
  type CapacityInput,
  type DispatchCapacity,
  type PoolCapacity,
} from './capacity.ts'
export {
  type ChargingModel,
  computeActualCharges,
  computeCharges,
  computeRejectedCharges,
  measureCharge,
  type WorkEstimate,
  type WorkUsage,
} from './charging.ts'
export type {
  Confidence,
  Constraint,
  ConstraintKind,
  ConstraintUnit,
  Provenance,
} from './constraint.ts'
export { type FoldedPool, foldPools, listConstraints } from './fold-pools.ts'
export { resolveHostActiveSubagentLimit } from './host-limit.ts'
export { computeMaxSafeConcurrency } from './learned-concurrency.ts'
export type {
  Charge,
  GateReading,
  Ledger,
  LedgerSignal,
  MeterReading,
  Refusal,
  ReserveAnswer,
  Settlement,
  Verdict,
} from './ledger.ts'
export {
  allowsCharge,
  clampToView,
  createLedgerView,
  type LedgerView,
  type ResourceView,
} from './ledger-view.ts'
export { createMemoryLedger } from './memory-ledger.ts'
export { buildProviderModelKey } from './model-key.ts'
export {
  type Ability,
  type CapacityPool,
  type DiscoveredLimits,
  type PoolCost,
  type QuotaSessionConfig,
  type QuotaSourceSnapshot,
  type QuotaStateEntry,
  type Rank,
  readPoolKind,
  type Source,
} from './pool.ts'
export {
  buildQuotaSource,
  type ProbeMode,
  type ProbeResult,
  probeProvider,
  probeQuotaSource,
  type QuotaSource,
} from './quota-source.ts'
export {
  getQuotaStatePath,
  lookupDiscoveredLimits,
  mergeDiscoveredLimits,
  type QuotaState,
  readQuotaState,
  recordWaveOutcome,
  setQuotaStateDir,
  updateDiscoveredLimits,
  type WaveOutcome,
} from './quota-state.ts'
export { type LimitResolution, type ResolvedLimits, resolveLimits } from './resolve-limits.ts'
export { scheduleWave, type WaveInput, type WaveSchedule } from './schedule-wave.ts'
export {
  classifyFailure,
  computeCooldownUntil,
  detectRateLimitError,
  type FailureInput,
  type FailureKind,
  type FailureSignal,
  getHeaderExtractorForProvider,
  type HeaderExtractor,
  type HeadersLike,
  isExhausted,
  type LimitHeaderOptions,
  type LimitWindow,
  type ObservedLimits,
  parseReset,
  readLimitHeaders,
  readUsageReport,
  type ResetContext,
  type ResetForm,
  type ResetTime,
  type SignalScope,
  type SignalSource,
} from './signals/index.ts'
export { runSlidingWindow } from './sliding-window.ts'
