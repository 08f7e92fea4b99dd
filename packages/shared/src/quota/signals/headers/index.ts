export {
  extractHeaderLines,
  type HeaderMap,
  type HeadersLike,
  readHeaderMap,
} from './header-map.ts'
export { readStatus } from './anthropic.ts'
export { isExhausted, type LimitWindow } from './limit-window.ts'
export {
  type LimitHeaderOptions,
  readLimitHeaderMap,
  readLimitHeaders,
} from './read-limit-headers.ts'
