import type { DispatchCapacity } from '../quota/index.ts'

/** One pool of a capacity, as hosts and people see it. */
export interface PoolSummary {
  readonly pool_id: string
  readonly slots: number
  readonly binding_cap: string | null
  readonly frees_at: string | null
  readonly estimated_wave_tokens: number
  readonly confidence: string
}

/** What each pool may start now and what keeps it from more, in the order of the pools. */
export function summarizeDispatchCapacityPools({ pools }: DispatchCapacity): PoolSummary[] {
  return pools.map(({ pool_id, slots, frees_at: freesAt, schedule }) => ({
    pool_id,
    slots,
    binding_cap: schedule.binding_cap,
    frees_at: freesAt ?? null,
    estimated_wave_tokens: schedule.estimated_wave_tokens,
    confidence: schedule.confidence,
  }))
}
