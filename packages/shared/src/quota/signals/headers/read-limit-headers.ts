import { readAnthropicRates, readAnthropicUnified } from './anthropic.ts'
import { readCodexWindows } from './codex.ts'
import type { HeaderContext } from './header-context.ts'
import { type HeaderMap, type HeadersLike, readHeaderMap } from './header-map.ts'
import { readIetfWindows } from './ietf.ts'
import type { LimitWindow } from './limit-window.ts'
import { measureClockSkewMs, readRetryAt } from './retry-after.ts'
import { readNamedRates, readPlainRate, readSizedRates } from './x-ratelimit.ts'

type HeaderReader = (headers: HeaderMap, context: HeaderContext) => readonly LimitWindow[]

/** Every family of limit headers; their names do not overlap. */
const READERS: readonly HeaderReader[] = [
  readRetryAfter,
  readAnthropicRates,
  readAnthropicUnified,
  readNamedRates,
  readSizedRates,
  readCodexWindows,
  readPlainRate,
  readIetfWindows,
]

export interface LimitHeaderOptions {
  /** Decides what names mean that providers use differently. */
  readonly provider?: string | undefined
  /** Epoch milliseconds of this machine's clock when the response arrived. */
  readonly receivedAt: number
}

/**
 * Reads every limit that response headers state: Anthropic's rates, priority tier and plan windows, OpenAI's and those
 * of its copies, Codex, Mistral, `X-RateLimit-*`, the IETF `RateLimit` fields and `Retry-After`. Names are case-free.
 * What is absent, negative or malformed is null or left out; never throws.
 */
export function readLimitHeaders(
  headers: HeadersLike,
  { provider, receivedAt }: LimitHeaderOptions,
): LimitWindow[] {
  return readLimitHeaderMap(readHeaderMap(headers), { provider, receivedAt })
}

export function readLimitHeaderMap(
  headers: HeaderMap,
  { provider, receivedAt }: LimitHeaderOptions,
): LimitWindow[] {
  const context: HeaderContext = {
    provider: provider?.toLowerCase(),
    receivedAt,
    skewMs: measureClockSkewMs(headers, receivedAt),
  }
  return READERS.flatMap((read) => read(headers, context))
}

function readRetryAfter(headers: HeaderMap, { receivedAt }: HeaderContext): readonly LimitWindow[] {
  const resetAt = readRetryAt(headers, receivedAt)
  if (resetAt === null) return []
  return [
    {
      name: 'retry-after',
      kind: 'retry_after',
      unit: 'request',
      perSeconds: null,
      limit: null,
      remaining: null,
      resetAt,
    },
  ]
}
