import { systemClock } from '../core/index.ts'
import { type Confidence, readFigure } from './constraint.ts'
import { chooseRamp, type ConcurrencyContext } from './fold-concurrency.ts'
import { buildProviderModelKey } from './model-key.ts'
import type {
  CapacityPool,
  DiscoveredLimits,
  QuotaSessionConfig,
  QuotaSourceSnapshot,
  QuotaStateEntry,
} from './pool.ts'
import { type LimitResolution, type ResolvedLimits, resolveLimits } from './resolve-limits.ts'
import { foldRest } from './usage-window.ts'

/** How many pieces of work a host may start together, in the names of the contract. */
export interface WaveSchedule {
  readonly wave_size: number
  readonly max_concurrent: number
  readonly estimated_wave_tokens: number
  /** RFC 3339; null when nothing rests. */
  readonly cooldown_until: string | null
  readonly resolved_limits: ResolvedLimits
  readonly confidence: Confidence
  readonly source: LimitResolution['source']
  /** What keeps the wave from being larger; null when all that was requested fits. */
  readonly binding_cap: string | null
  readonly host_concurrency_limit: number | null
  readonly model: string | null
}

export interface WaveInput {
  readonly providerName: string
  readonly sessionConfig: QuotaSessionConfig
  readonly hostModel: string | null
  readonly requestedConcurrency: number
  /** Tokens of one slot, or of each in order. */
  readonly estimatedSlotTokens?: number | readonly number[]
  readonly quotaStateEntry?: QuotaStateEntry | null
  readonly hostConcurrencyLimit?: number | null
  readonly quotaSourceSnapshot?: QuotaSourceSnapshot | null
  readonly discoveredLimits?: DiscoveredLimits | null
  readonly now?: number
}

/**
 * Sizes a wave for a caller that starts work in waves. Never below one: a caller that must wait reads `cooldown_until`.
 * Rates allow at most what they hold at once.
 */
export function scheduleWave(input: WaveInput): WaveSchedule {
  const requested = Math.max(1, Math.floor(readFigure(input.requestedConcurrency) ?? 1))
  const now = input.now ?? systemClock.now()
  const hostConcurrencyLimit = readFigure(input.hostConcurrencyLimit) ?? null
  const pool = describePool(input, hostConcurrencyLimit)
  const resolution = resolveLimits(input)
  const limits = resolution.resolved_limits
  const slotTokens = readSlotTokens(input.estimatedSlotTokens)
  const isLimited = hostConcurrencyLimit !== null || limits.requests_per_minute !== null
  const caps: [string, number][] = [
    ['host_concurrency', hostConcurrencyLimit ?? Number.POSITIVE_INFINITY],
    ['learned_concurrency', findLearnedCap(pool, { ...input, now, isLimited })],
    ['requests_per_minute', limits.requests_per_minute ?? Number.POSITIVE_INFINITY],
    ['input_tokens_per_minute', countFitting(slotTokens, limits.input_tokens_per_minute)],
  ]
  const [name, cap] = caps.reduce((least, next) => (next[1] < least[1] ? next : least))
  const size = Math.max(1, Math.min(requested, Math.floor(cap)))
  const restsUntil = foldRest(pool, now)
  return {
    wave_size: size,
    max_concurrent: size,
    estimated_wave_tokens: sumSlots(slotTokens, size),
    cooldown_until: restsUntil === null ? null : new Date(restsUntil).toISOString(),
    resolved_limits: limits,
    confidence: resolution.confidence,
    source: resolution.source,
    binding_cap: size < requested ? name : null,
    host_concurrency_limit: hostConcurrencyLimit,
    model: input.hostModel,
  }
}

function describePool(input: WaveInput, hostConcurrencyLimit: number | null): CapacityPool {
  const { providerName, hostModel } = input
  return {
    id: buildProviderModelKey(providerName, hostModel),
    providerName,
    hostModel,
    hostConcurrencyLimit,
    quotaStateEntry: input.quotaStateEntry ?? null,
    quotaSourceSnapshot: input.quotaSourceSnapshot ?? null,
  }
}

/** The concurrency that was found to be safe, or with which to begin where nothing is known at all. */
function findLearnedCap(pool: CapacityPool, context: ConcurrencyContext): number {
  const { start, isLearned } = chooseRamp(pool, context)
  return isLearned || !context.isLimited ? start : Number.POSITIVE_INFINITY
}

/** Tokens of the slot at an index; the last figure stands for all that follow. */
type SlotTokens = (index: number) => number

function readSlotTokens(estimate: WaveInput['estimatedSlotTokens']): SlotTokens {
  const list = typeof estimate === 'number' ? [estimate] : (estimate ?? [])
  return (index) => readFigure(list[Math.min(index, list.length - 1)]) ?? 0
}

function sumSlots(slotTokens: SlotTokens, size: number): number {
  let sum = 0
  for (let index = 0; index < size; index += 1) sum += slotTokens(index)
  return sum
}

/** Slots whose tokens together stay inside the limit; no limit and no tokens bind nothing. */
function countFitting(slotTokens: SlotTokens, limit: number | null): number {
  if (limit === null || slotTokens(0) === 0) return Number.POSITIVE_INFINITY
  let sum = 0
  let count = 0
  while (sum + slotTokens(count) <= limit && slotTokens(count) > 0) {
    sum += slotTokens(count)
    count += 1
  }
  return count
}
