import { type Clock, systemClock } from '../../core/index.ts'
import type { DiscoveredLimits } from '../pool.ts'
import { classifyFailure } from './classify.ts'
import { extractHeaderLines, type LimitWindow, readLimitHeaderMap } from './headers/index.ts'
import type { FailureKind } from './signal.ts'

/** How long to rest when nobody stated a time. */
const DEFAULT_COOLDOWN_MS = 60_000

const WAITABLE: ReadonlySet<FailureKind> = new Set([
  'throttle',
  'window',
  'day',
  'overload',
  'unknown',
])

/**
 * Whether an error text shows a limit that waiting ends, and how long it asks to wait: milliseconds, null when it does
 * not say. The short form of `classifyFailure` for callers that know nothing but a text.
 */
export function detectRateLimitError(
  text: string,
  clock: Clock = systemClock,
): { readonly isRateLimited: boolean; readonly retryAfterMs: number | null } {
  const now = clock.now()
  const { kind, until } = classifyFailure({ text, channel: 'error', now })
  const isRateLimited = WAITABLE.has(kind)
  return { isRateLimited, retryAfterMs: isRateLimited && until !== null ? until - now : null }
}

/** The instant, RFC 3339, at which a rest of `retryAfterMs` from now ends; of a minute when null. */
export function computeCooldownUntil(
  retryAfterMs: number | null,
  clock: Clock = systemClock,
): string {
  const restMs = retryAfterMs === null || retryAfterMs < 0 ? DEFAULT_COOLDOWN_MS : retryAfterMs
  return new Date(clock.now() + restMs).toISOString()
}

export interface HeaderExtractor {
  /** Null when the text has no header that states a limit per minute. */
  extract(text: string): DiscoveredLimits | null
}

/** Reads limits per minute from the headers that a provider's CLI printed, for `updateDiscoveredLimits`. */
export function getHeaderExtractorForProvider(
  name: string,
  clock: Clock = systemClock,
): HeaderExtractor {
  return {
    extract(text) {
      const { headers } = extractHeaderLines(text)
      const windows = readLimitHeaderMap(headers, { provider: name, receivedAt: clock.now() })
      const limits = {
        requests_per_minute: findMinuteLimit(windows, ['request']),
        input_tokens_per_minute: findMinuteLimit(windows, ['input_token', 'token']),
        output_tokens_per_minute: findMinuteLimit(windows, ['output_token']),
      }
      const isStated = Object.values(limits).some((limit) => limit !== null)
      return isStated ? { ...limits, source: 'headers' } : null
    },
  }
}

function findMinuteLimit(
  windows: readonly LimitWindow[],
  units: readonly LimitWindow['unit'][],
): number | null {
  const window = windows.find(
    ({ unit, limit, perSeconds }) => limit !== null && perSeconds === 60 && units.includes(unit),
  )
  return window?.limit ?? null
}
