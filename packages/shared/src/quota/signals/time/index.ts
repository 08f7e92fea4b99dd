export { findCalendarEnd } from './calendar.ts'
export { DAY_MS, parseDuration } from './duration.ts'
export { addDelay, parseHttpDate, parseRfc3339, readNumericInstant } from './instant.ts'
export {
  findResets,
  parseReset,
  type ResetContext,
  type ResetForm,
  type ResetTime,
} from './reset.ts'
