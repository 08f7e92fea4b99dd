import type { RampStart } from './constraint.ts'

/** The limit never falls below one: with none in flight nothing could be learned. */
const SMALLEST_LIMIT = 1

/** A concurrency limit that is found by trying: it grows per clean round and is halved once per incident. */
export interface Ramp {
  limit: number
  growth: RampStart['growth']
  readonly most: number
  /** Work that ended well in the current round of `limit` pieces. */
  clean: number
  /** Whether the round ever used the whole limit; one that did not proves nothing about a higher limit. */
  isSaturated: boolean
  /** Epoch milliseconds of the last reduction; failures of work that started before belong to the same incident. */
  reducedAt: number
}

export function createRamp({ start, growth, most = Number.POSITIVE_INFINITY }: RampStart): Ramp {
  const limit = Math.min(start, most)
  const reducedAt = Number.NEGATIVE_INFINITY
  return { limit, growth, most, clean: 0, isSaturated: false, reducedAt }
}

export function noteStart(ramp: Ramp, inFlight: number): void {
  if (inFlight >= ramp.limit) ramp.isSaturated = true
}

/** Counts work that ended well; true when a whole round ended without the limit ever having been in the way. */
export function noteClean(ramp: Ramp): boolean {
  ramp.clean += 1
  if (ramp.clean < ramp.limit) return false
  const wasInTheWay = ramp.isSaturated
  const larger = ramp.growth === 'double' ? ramp.limit * 2 : ramp.limit + 1
  if (wasInTheWay) ramp.limit = Math.min(larger, ramp.most)
  ramp.clean = 0
  ramp.isSaturated = false
  return !wasInTheWay
}

/** Halves the limit, once for all failures of one incident; from then on it grows by one. */
export function noteRejected(ramp: Ramp, startedAt: number, now: number): void {
  if (startedAt <= ramp.reducedAt) return
  ramp.limit = Math.max(SMALLEST_LIMIT, Math.floor(ramp.limit / 2))
  ramp.growth = 'add'
  ramp.clean = 0
  ramp.isSaturated = false
  ramp.reducedAt = now
}
