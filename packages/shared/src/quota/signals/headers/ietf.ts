import { addDelay } from '../time/index.ts'
import type { HeaderContext } from './header-context.ts'
import type { HeaderMap } from './header-map.ts'
import { type LimitWindow, pickKind } from './limit-window.ts'
import { type BareItem, type Item, parseDictionary, parseItemList } from './structured-fields.ts'

/** Quota units of the draft (httpapi-ratelimit-headers, 2025-09). */
const UNITS: Readonly<Record<string, LimitWindow['unit']>> = {
  requests: 'request',
  'content-bytes': 'byte',
}

/**
 * `RateLimit-Policy` and `RateLimit` structured fields, joined by policy name, and the three older spellings of the
 * draft. They describe the moment a response was made, so one from a cache (`Age`) says nothing.
 */
export function readIetfWindows(headers: HeaderMap, context: HeaderContext): LimitWindow[] {
  if (Number(headers.get('age') ?? 0) > 0) return []
  const current = readCurrent(headers, context)
  return current.length > 0 ? current : readOlder(headers, context)
}

function readCurrent(headers: HeaderMap, context: HeaderContext): LimitWindow[] {
  const policies = parseNamed(headers.get('ratelimit-policy'), 'q')
  const states = parseNamed(headers.get('ratelimit'), 'r')
  const names = [...new Set([...policies.keys(), ...states.keys()])]
  return names.map((name) => {
    const policy = policies.get(name)
    const state = states.get(name)
    const quotaUnit = policy?.get('qu') ?? 'requests'
    const perSeconds = readPositive(policy?.get('w'))
    const isConcurrency = quotaUnit === 'concurrent-requests'
    return {
      name,
      kind: isConcurrency ? 'concurrency' : pickKind(perSeconds),
      unit: isConcurrency
        ? 'session'
        : (typeof quotaUnit === 'string' && UNITS[quotaUnit]) || 'request',
      perSeconds,
      limit: readPositive(policy?.get('q')),
      remaining: readAmount(state?.get('r')),
      resetAt: readDelay(state?.get('t'), context),
    }
  })
}

/** Members that carry the parameter they must have; a member without it does not follow the draft. */
function parseNamed(
  field: string | undefined,
  required: string,
): ReadonlyMap<string, ReadonlyMap<string, BareItem>> {
  const items = field === undefined ? null : parseItemList(field)
  const members = (items ?? []).filter(
    (item) => typeof item.value === 'string' && item.parameters.has(required),
  )
  return new Map(members.map((item) => [String(item.value), item.parameters]))
}

/** `RateLimit-{Limit,Remaining,Reset}` or one `RateLimit: limit=100, remaining=50, reset=5`; delta seconds. */
function readOlder(headers: HeaderMap, context: HeaderContext): LimitWindow[] {
  const combined = parseDictionary(headers.get('ratelimit') ?? '')
  const limits = parseItemList(headers.get('ratelimit-limit') ?? '')
  const limit = readAmount(combined?.get('limit')?.value ?? limits?.[0]?.value)
  const remaining = readAmount(
    combined?.get('remaining')?.value ?? readSingle(headers, 'ratelimit-remaining'),
  )
  const resetAt = readDelay(
    combined?.get('reset')?.value ?? readSingle(headers, 'ratelimit-reset'),
    context,
  )
  if (limit === null && remaining === null && resetAt === null) return []
  const policies = limits ?? parseItemList(headers.get('ratelimit-policy') ?? '') ?? []
  const perSeconds = findPeriod(policies, limit)
  return [
    {
      name: 'ratelimit',
      kind: pickKind(perSeconds),
      unit: 'request',
      perSeconds,
      limit: limit === 0 ? null : limit,
      remaining,
      resetAt,
    },
  ]
}

function readSingle(headers: HeaderMap, name: string): BareItem | undefined {
  return parseItemList(headers.get(name) ?? '')?.[0]?.value
}

function findPeriod(policies: readonly Item[], limit: number | null): number | null {
  const policy = policies.find((item) => item.value === limit && item.parameters.has('w'))
  return readPositive(policy?.parameters.get('w'))
}

function readAmount(value: BareItem | undefined): number | null {
  return typeof value === 'number' && value >= 0 ? value : null
}

function readPositive(value: BareItem | undefined): number | null {
  return typeof value === 'number' && value > 0 ? value : null
}

function readDelay(value: BareItem | undefined, context: HeaderContext): number | null {
  const seconds = readAmount(value)
  return seconds === null ? null : addDelay(context.receivedAt, seconds * 1_000)
}
