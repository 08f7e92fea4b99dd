export { DAY_MS } from './duration.ts'
export { addDelay, makeWall, parseHttpDate, parseRfc3339, readNumericInstant } from './instant.ts'
export { parseDuration } from './duration.ts'
export {
  findResets,
  parseReset,
  pickLatest,
  type ResetContext,
  type ResetForm,
  type ResetTime,
} from './reset.ts'
