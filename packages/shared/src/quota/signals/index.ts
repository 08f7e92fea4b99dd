export { classifyFailure } from './classify.ts'
export type { FailureInput } from './evidence.ts'
export {
  type HeadersLike,
  isExhausted,
  type LimitHeaderOptions,
  type LimitWindow,
  readLimitHeaders,
} from './headers/index.ts'
export {
  computeCooldownUntil,
  detectRateLimitError,
  getHeaderExtractorForProvider,
  type HeaderExtractor,
} from './rate-limit-text.ts'
export type {
  FailureKind,
  FailureSignal,
  ObservedLimits,
  SignalScope,
  SignalSource,
} from './signal.ts'
export { parseReset, type ResetContext, type ResetForm, type ResetTime } from './time/index.ts'
export { readUsageReport } from './usage-report.ts'
