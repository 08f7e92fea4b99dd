export { type Clock, systemClock } from './clock.ts'
export { type Environment, readEnvironment } from './environment.ts'
export {
  AuditToolsError,
  type ErrorCode,
  type ErrorOptionsWithDetails,
  errorInfo,
  isAuditToolsError,
  readErrorMessage,
  readSystemErrorCode,
  unreachable,
} from './errors.ts'
export { ExitCode } from './exit-code.ts'
export { groupBy } from './group-by.ts'
export { hashContent, hashParts } from './hash.ts'
export { collectIfLarge, detach, limitGarbage } from './memory.ts'
export { createSeededRandom, type Random, systemRandom } from './random.ts'
export { compareText, escapeControls, findNearest, formatCount, formatStableJson } from './text.ts'
