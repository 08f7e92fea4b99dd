import { type Constraint, nameResource } from './constraint.ts'

/** Amounts are integers of a millionth of a unit, so that sums stay exact. */
const MICRO_PER_UNIT = 1_000_000

/** Stands for "no limit": large enough never to bind, small enough to stay an exact integer. */
const UNLIMITED_MICRO = 2 ** 52

export function toMicro(units: number): number {
  return Math.round(units * MICRO_PER_UNIT)
}

/** A rate as an exact fraction: per millisecond `whole + numerator / denominator` micro-units come back. */
interface ContinuousRefill {
  readonly kind: 'continuous'
  readonly whole: number
  readonly numerator: number
  readonly denominator: number
  /** Part of a micro-unit that has come back so far, in `1 / denominator`. */
  remainder: number
}

interface PeriodicRefill {
  readonly kind: 'periodic'
  /** Undefined when only the next reset is known. */
  readonly periodMs: number | undefined
  /** Undefined until the first use opens the window. */
  resetsAt: number | undefined
  /** Counts the resets, so that a refund finds out that its window is gone. */
  epoch: number
}

type Refill = ContinuousRefill | PeriodicRefill | { readonly kind: 'on_return' | 'never' }

/**
 * The level of one resource. `levelMicro + reservedMicro + admittedMicro - refilledMicro` never changes: what leaves the
 * level is reserved, then admitted or given back; whatever else moves the level is booked in `refilledMicro`.
 */
export interface Meter {
  readonly resource: string
  constraint: Constraint
  capacityMicro: number
  /** Below zero is debt. May stand above the capacity within one instant, so that refunds commute. */
  levelMicro: number
  reservedMicro: number
  admittedMicro: number
  refilledMicro: number
  refill: Refill
  /** Instant, in whole milliseconds, up to which refills are counted. */
  advancedAt: number
}

/** An amount that a reservation holds of a meter. */
export interface Hold {
  readonly meter: Meter
  readonly micro: number
  readonly epoch: number
}

/** A meter that starts full, less what the constraint says was used. */
export function createMeter(constraint: Constraint, now: number): Meter {
  const capacityMicro = computeCapacity(constraint)
  const usedMicro = Math.min(toMicro(constraint.used ?? 0), capacityMicro)
  return {
    resource: nameResource(constraint),
    constraint,
    capacityMicro,
    levelMicro: capacityMicro - usedMicro,
    reservedMicro: 0,
    admittedMicro: 0,
    refilledMicro: 0,
    refill: createRefill(constraint, now),
    advancedAt: Math.floor(now),
  }
}

/** Puts the meter under a changed constraint; what is used, reserved and owed stays. */
export function redeclareMeter(meter: Meter, constraint: Constraint): void {
  const isFoundByTrying = constraint.limit === 'unknown' && meter.constraint.limit === 'unknown'
  if (!isFoundByTrying) resizeMeter(meter, computeCapacity(constraint))
  if (!sameRefill(meter.constraint, constraint))
    meter.refill = createRefill(constraint, meter.advancedAt)
  meter.constraint = constraint
}

/** Changes the capacity. A rate keeps its level and fills up by itself; elsewhere what is in use stays the same. */
export function resizeMeter(meter: Meter, capacityMicro: number): void {
  if (meter.constraint.kind === 'rate') meter.capacityMicro = capacityMicro
  else {
    const byMicro = capacityMicro - meter.capacityMicro
    meter.capacityMicro = capacityMicro
    moveLevel(meter, byMicro)
  }
}

function sameRefill(left: Constraint, right: Constraint): boolean {
  return left.limit === right.limit && left.resetsAt === right.resetsAt
}

/** What a rate gives back in a time, not counting its capacity; 0 for every other kind. */
export function measureRefill({ refill }: Meter, durationMs: number): number {
  if (refill.kind !== 'continuous') return 0
  const perMs = refill.whole + refill.numerator / refill.denominator
  return Math.round(perMs * Math.max(0, durationMs))
}

function computeCapacity({ limit, burst, ramp }: Constraint): number {
  if (limit === 'unlimited') return UNLIMITED_MICRO
  if (limit === 'unknown') return ramp === undefined ? UNLIMITED_MICRO : toMicro(ramp.start)
  return Math.min(toMicro(burst ?? limit), UNLIMITED_MICRO)
}

function createRefill({ kind, limit, perSeconds, resetsAt }: Constraint, now: number): Refill {
  const periodMs = perSeconds === undefined ? undefined : Math.round(perSeconds * 1000)
  switch (kind) {
    case 'concurrency':
      return { kind: 'on_return' }
    case 'budget':
      return { kind: 'never' }
    case 'window':
      return {
        kind: 'periodic',
        periodMs,
        resetsAt: findNextReset(resetsAt, periodMs, now),
        epoch: 0,
      }
    case 'rate': {
      if (typeof limit !== 'number' || periodMs === undefined) return { kind: 'never' }
      const divisor = findDivisor(toMicro(limit), periodMs)
      const amount = toMicro(limit) / divisor
      const denominator = periodMs / divisor
      const numerator = amount % denominator
      const whole = (amount - numerator) / denominator
      return { kind: 'continuous', whole, numerator, denominator, remainder: 0 }
    }
  }
}

/** The first reset after `now` of a window of which one reset is known, perhaps a past one. */
function findNextReset(
  resetsAt: number | undefined,
  periodMs: number | undefined,
  now: number,
): number | undefined {
  if (resetsAt === undefined || resetsAt > now) return resetsAt
  if (periodMs === undefined) return undefined
  return resetsAt + (Math.floor((now - resetsAt) / periodMs) + 1) * periodMs
}

function findDivisor(left: number, right: number): number {
  return right === 0 ? left : findDivisor(right, left % right)
}

/** Counts what has come back by `now`. A clock that went back changes nothing. */
export function advanceMeter(meter: Meter, now: number): void {
  const instant = Math.floor(now)
  if (instant <= meter.advancedAt) return
  clampLevel(meter)
  const { refill } = meter
  if (refill.kind === 'continuous') refillContinuously(meter, refill, instant - meter.advancedAt)
  if (refill.kind === 'periodic') openWindow(meter, refill, instant)
  meter.advancedAt = instant
}

/** What may be taken now, in micro-units; below zero while a debt is not repaid. */
export function readLevel(meter: Meter): number {
  return Math.min(meter.levelMicro, meter.capacityMicro)
}

/** Whole micro-units that a rate gives back in `durationMs`, remainder included. */
function computeGain(refill: ContinuousRefill, durationMs: number): number {
  const { whole, numerator, denominator, remainder } = refill
  return whole * durationMs + Math.floor((numerator * durationMs + remainder) / denominator)
}

function refillContinuously(meter: Meter, refill: ContinuousRefill, durationMs: number): void {
  const missing = meter.capacityMicro - meter.levelMicro
  const gain = computeGain(refill, durationMs)
  if (gain >= missing) {
    refill.remainder = 0
    moveLevel(meter, missing)
    return
  }
  refill.remainder = (refill.numerator * durationMs + refill.remainder) % refill.denominator
  moveLevel(meter, gain)
}

function openWindow(meter: Meter, refill: PeriodicRefill, instant: number): void {
  const { periodMs, resetsAt } = refill
  if (resetsAt === undefined || instant < resetsAt) return
  // A window whose resets are not known ahead opens at its next use.
  const isRegular = meter.constraint.resetsAt !== undefined
  refill.resetsAt = isRegular ? findNextReset(resetsAt, periodMs, instant) : undefined
  refill.epoch += 1
  moveLevel(meter, meter.capacityMicro - meter.levelMicro)
}

function clampLevel(meter: Meter): void {
  if (meter.levelMicro < meter.capacityMicro) return
  moveLevel(meter, meter.capacityMicro - meter.levelMicro)
  // A full bucket gathers nothing, not even the part of a micro-unit that was on its way.
  if (meter.refill.kind === 'continuous') meter.refill.remainder = 0
}

function moveLevel(meter: Meter, byMicro: number): void {
  meter.levelMicro += byMicro
  meter.refilledMicro += byMicro
}

/** Lowers the level to `levelMicro`; a level that is lower already stands. */
export function lowerLevel(meter: Meter, levelMicro: number): void {
  clampLevel(meter)
  if (levelMicro < meter.levelMicro) moveLevel(meter, levelMicro - meter.levelMicro)
}

/** Makes the meter allow `micro` exactly at `until` and not before, as a provider that stated that wait does. */
export function calibrateMeter(meter: Meter, micro: number, until: number): void {
  if (meter.refill.kind !== 'continuous') return
  const needed = clampToCapacity(meter, micro)
  const waitMs = Math.max(0, Math.floor(until) - meter.advancedAt)
  lowerLevel(meter, needed - computeGain({ ...meter.refill, remainder: 0 }, waitMs))
}

/**
 * What an amount books: a single piece of work above what a rate or window ever holds waits for all of it and runs alone.
 * A budget is never stretched that way.
 */
export function clampToCapacity(meter: Meter, micro: number): number {
  if (meter.capacityMicro === 0 || meter.refill.kind === 'never') return micro
  return Math.min(micro, meter.capacityMicro)
}

export function takeFromMeter(meter: Meter, micro: number): Hold {
  clampLevel(meter)
  meter.levelMicro -= micro
  meter.reservedMicro += micro
  const { refill } = meter
  if (refill.kind !== 'periodic') return { meter, micro, epoch: 0 }
  if (refill.resetsAt === undefined && refill.periodMs !== undefined) {
    refill.resetsAt = meter.advancedAt + refill.periodMs
  }
  return { meter, micro, epoch: refill.epoch }
}

/** Closes a hold with what was really used; less than was held comes back, more becomes debt. */
export function settleHold({ meter, ...hold }: Hold, actualMicro: number): void {
  meter.reservedMicro -= hold.micro
  if (meter.refill.kind === 'on_return') {
    meter.levelMicro += hold.micro
    return
  }
  meter.admittedMicro += actualMicro
  const backMicro = hold.micro - actualMicro
  const isWindowGone = meter.refill.kind === 'periodic' && meter.refill.epoch !== hold.epoch
  // What was taken from an earlier window cannot come back to this one.
  if (isWindowGone && backMicro > 0) meter.refilledMicro -= backMicro
  else meter.levelMicro += backMicro
}

/**
 * The first whole millisecond at which `micro` can be taken when nothing else happens; null when time alone never brings
 * it.
 */
export function findFreeAt(meter: Meter, micro: number): number | null {
  const missing = micro - readLevel(meter)
  if (missing <= 0) return meter.advancedAt
  const { refill } = meter
  if (micro > meter.capacityMicro) return null
  if (refill.kind === 'periodic') return refill.resetsAt ?? null
  if (refill.kind !== 'continuous') return null
  const { whole, numerator, denominator } = refill
  if (whole + numerator === 0) return null
  let waitMs = Math.ceil(missing / (whole + numerator / denominator))
  while (waitMs > 0 && computeGain(refill, waitMs - 1) >= missing) waitMs -= 1
  while (computeGain(refill, waitMs) < missing) waitMs += 1
  return meter.advancedAt + waitMs
}
