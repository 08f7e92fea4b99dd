import type { QuotaStateEntry } from './pool.ts'

/** Half of what was learned counts after this long, unless configured otherwise. */
export const DEFAULT_HALF_LIFE_HOURS = 24

/** Weight below which what went well once is too old to build on. */
const SMALLEST_PROOF = 0.5

/** Share of limited work from which a concurrency counts as too high. */
const LIMITED_SHARE = 0.2

const HOUR_MS = 3_600_000

/** What is left of a weight after `ageMs`. */
export function decayWeight(weight: number, ageMs: number, halfLifeHours: number): number {
  return weight * 0.5 ** (Math.max(0, ageMs) / (halfLifeHours * HOUR_MS))
}

/**
 * The highest concurrency that went well lately with no lower one having been limited; half of the lowest limited one
 * when nothing went well; null when nothing recent is known.
 */
export function computeMaxSafeConcurrency(
  entry: QuotaStateEntry | null,
  {
    now,
    halfLifeHours = DEFAULT_HALF_LIFE_HOURS,
  }: { readonly now: number; readonly halfLifeHours?: number | undefined },
): number | null {
  if (entry === null) return null
  const ageMs = now - Date.parse(entry.updated_at)
  let safe: number | null = null
  const levels = Object.entries(entry.levels)
    .map(([level, weights]) => ({ level: Number(level), ...weights }))
    .toSorted((left, right) => left.level - right.level)
  for (const { level, clean, limited } of levels) {
    const cleanNow = decayWeight(clean, ageMs, halfLifeHours)
    const limitedNow = decayWeight(limited, ageMs, halfLifeHours)
    if (cleanNow + limitedNow < SMALLEST_PROOF) continue
    if (limitedNow > (cleanNow + limitedNow) * LIMITED_SHARE) {
      return safe ?? Math.max(1, Math.floor(level / 2))
    }
    safe = level
  }
  return safe
}
