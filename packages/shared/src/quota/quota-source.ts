import { type Clock, systemClock } from '../core/index.ts'
import { computeMaxSafeConcurrency } from './learned-concurrency.ts'
import type { QuotaSourceSnapshot } from './pool.ts'
import { readQuotaState } from './quota-state.ts'

/** Something that can be asked what is used of a model's limits. */
export interface QuotaSource {
  /** Null when it knows nothing of the key. */
  queryCurrentUsage(key: string): QuotaSourceSnapshot | null
}

/** `auto` asks where asking is free, `never` does not ask, `force` asks in any case. */
export type ProbeMode = 'auto' | 'never' | 'force'

export type ProbeResult =
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'read'; readonly snapshot: QuotaSourceSnapshot }

/** The source that answers from what earlier runs learned. */
export function buildQuotaSource({
  halfLifeHours,
  clock = systemClock,
}: {
  readonly halfLifeHours?: number
  readonly clock?: Clock
} = {}): QuotaSource {
  return {
    queryCurrentUsage(key) {
      const entry = readQuotaState().entries[key]
      if (entry === undefined) return null
      const now = clock.now()
      return {
        source: 'learned',
        captured_at: new Date(now).toISOString(),
        windows: [],
        max_safe_concurrency: computeMaxSafeConcurrency(entry, { now, halfLifeHours }),
        cooldown_until: entry.cooldown_until,
      }
    },
  }
}

/** Asks a source about a model, as the mode allows. */
export function probeQuotaSource(source: QuotaSource, key: string, mode: ProbeMode): ProbeResult {
  if (mode === 'never') return { kind: 'skipped', reason: 'quota.probe is "never"' }
  const snapshot = source.queryCurrentUsage(key)
  return snapshot === null ? { kind: 'unknown' } : { kind: 'read', snapshot }
}

/** Asks a provider itself what is used. No provider offers that without a call that is billed or undocumented. */
export function probeProvider(name: string, mode: ProbeMode): ProbeResult {
  if (mode === 'never') return { kind: 'skipped', reason: 'quota.probe is "never"' }
  return { kind: 'unsupported', reason: `${name} has no documented way to read its usage` }
}
