import type { ConstraintUnit } from '../../constraint.ts'
import { parseDuration } from '../time/index.ts'
import { type HeaderContext, readResetAt } from './header-context.ts'
import type { HeaderMap } from './header-map.ts'
import {
  isExhausted,
  type LimitWindow,
  parseFigure,
  parseLimit,
  parseRemaining,
} from './limit-window.ts'

const RATES: readonly (readonly [name: string, unit: ConstraintUnit])[] = [
  ['requests', 'request'],
  ['tokens', 'token'],
  ['input-tokens', 'input_token'],
  ['output-tokens', 'output_token'],
  ['priority-input-tokens', 'input_token'],
  ['priority-output-tokens', 'output_token'],
]

/**
 * Token buckets per minute, also of the priority tier (platform.claude.com/docs/en/api/rate-limits). `reset` is when a
 * bucket is full again; what is left of tokens is rounded to the nearest thousand.
 */
export function readAnthropicRates(headers: HeaderMap, context: HeaderContext): LimitWindow[] {
  return RATES.flatMap(([name, unit]) => {
    const prefix = name.startsWith('priority-')
      ? `anthropic-${name}`
      : `anthropic-ratelimit-${name}`
    const limit = headers.get(`${prefix}-limit`)
    const remaining = headers.get(`${prefix}-remaining`)
    const reset = headers.get(`${prefix}-reset`)
    if (limit === undefined && remaining === undefined && reset === undefined) return []
    return [
      {
        name,
        kind: 'rate',
        unit,
        perSeconds: 60,
        limit: parseLimit(limit),
        remaining: parseRemaining(remaining, limit),
        resetAt: readResetAt(reset, context),
        ...(unit === 'request' ? {} : { roundedTo: 1_000 }),
      },
    ]
  })
}

const UNIFIED = /^anthropic-ratelimit-unified-(?:(\w{1,30})-)?(status|reset|utilization)$/
/** `five_hour`, `seven_day_opus`: the claims as the response names its cause, beside the `5h` and `7d_opus` of its windows. */
const NAMED_CLAIM = /^(five_hour|seven_day)(_\w{1,30})?$/

interface Claim {
  status?: string
  reset?: string
  utilization?: string
}

/**
 * Plan windows of a subscription as fractions. Where windows have no status of their own, the status and reset of the
 * whole response belong to the window that is named as its cause.
 */
export function readAnthropicUnified(headers: HeaderMap, context: HeaderContext): LimitWindow[] {
  const claims = new Map<string, Claim>()
  for (const [header, value] of headers) {
    const match = UNIFIED.exec(header)
    if (match === null) continue
    const claim = claims.get(match[1] ?? '') ?? {}
    claim[match[2] as keyof Claim] = value
    claims.set(match[1] ?? '', claim)
  }
  const overall = claims.get('')
  claims.delete('')
  // Whether extra usage may be bought says nothing about the plan's own windows.
  claims.delete('overage')
  const windows = [...claims].map(([name, claim]) => makeWindow(name, claim, context))
  if (overall?.status !== 'rejected') return windows
  const claim = headers.get('anthropic-ratelimit-unified-representative-claim')
  return blameWindow(windows, claim, makeWindow('unified', overall, context))
}

function makeWindow(name: string, claim: Claim, context: HeaderContext): LimitWindow {
  const [, period, family] = /^(\d{1,3}[a-z])(?:_(\w{1,30}))?$/.exec(name) ?? []
  const durationMs = period === undefined ? null : parseDuration(period)
  const utilization = parseFigure(claim.utilization)
  const status = readStatus(claim.status)
  return {
    name,
    kind: 'window',
    unit: 'percent',
    perSeconds: durationMs === null ? null : durationMs / 1_000,
    limit: null,
    remaining: null,
    resetAt: readResetAt(claim.reset, context),
    ...(utilization === null ? {} : { utilization }),
    ...(status === undefined ? {} : { status }),
    ...(family === undefined ? {} : { family }),
  }
}

export function readStatus(status: string | undefined): LimitWindow['status'] {
  if (status === 'allowed' || status === 'rejected') return status
  return status === 'allowed_warning' ? 'warning' : undefined
}

/** Marks the window that is named as the cause; one of its own where no window is named or known to be full. */
function blameWindow(
  windows: readonly LimitWindow[],
  claim: string | undefined,
  overall: LimitWindow,
): LimitWindow[] {
  if (claim === undefined && windows.some(isExhausted)) return [...windows]
  const name = claim === undefined ? 'unified' : shortenClaim(claim)
  const family = name.split('_')[1]
  const blamed = windows.find((window) => window.name === name) ?? {
    ...overall,
    name,
    ...(family === undefined ? {} : { family }),
  }
  const others = windows.filter((window) => window.name !== name)
  const resetAt = blamed.resetAt ?? overall.resetAt
  return [...others, { ...blamed, status: blamed.status ?? 'rejected', resetAt }]
}

function shortenClaim(claim: string): string {
  const [, plan, family = ''] = NAMED_CLAIM.exec(claim) ?? []
  if (plan === undefined) return claim
  return `${plan === 'five_hour' ? '5h' : '7d'}${family}`
}
