import { createDraws } from './draws.ts'
import type { Dimension, ScenarioAccount } from './scenario.ts'

/** Others change how much they use this often, in seconds. */
const FOREIGN_SLOT_S = 10

/** What others may take at most: a resource that they use up for good would be no part of the scenario. */
const MAX_FOREIGN_SHARE = 0.95

type Resource = ScenarioAccount['resources'][number]
type MeteredResource = Exclude<Resource, { enforcement: 'slots' }>

/** One limit as the provider really keeps it, net of what others use. Times in seconds since the start. */
export interface TrueLimit {
  readonly dimension: Dimension
  /** The most that it ever holds; a larger call can never be admitted. */
  readonly capacity: number
  /** Below zero when answers were longer than what was left. */
  readonly level: number
  /** The next instant at which it changes otherwise than by flow. */
  readonly changesAt: number
  /** Moves on to an instant, not beyond `changesAt`, while `used` flows out. */
  advance(to: number, used: number): void
  /** Takes an amount; a negative one is given back. */
  take(amount: number): void
  /** The first instant from `now` at which the amount is there when nobody takes any. */
  findFreeAt(amount: number, now: number): number
  /** Everything that it can have admitted by an instant, counted from its start. */
  measureSupply(until: number): number
  /** Windows that have begun by an instant; a bucket is one. */
  countWindows(until: number): number
}

export interface LimitContext {
  readonly account: ScenarioAccount
  readonly seed: number
}

/** The limits of an account but its slots. */
export function createLimits(context: LimitContext): TrueLimit[] {
  return context.account.resources.flatMap((resource) =>
    resource.enforcement === 'slots' ? [] : [createLimit(resource, context)],
  )
}

function createLimit(resource: MeteredResource, context: LimitContext): TrueLimit {
  const readShare = createForeignTrace(resource, context)
  switch (resource.enforcement) {
    case 'bucket':
      return new BucketLimit(resource, readShare, context.account.foreign_load > 0)
    case 'fixed_window': {
      const { dimension, quota, window_s: periodS, phase_s: resetsAt } = resource
      return new WindowLimit({ dimension, quota, periodS, resetsAt, usedFraction: 0 }, readShare)
    }
    case 'plan_window': {
      const { dimension, budget_tokens: quota, period_s: periodS, resets_at_s: resetsAt } = resource
      const { used_fraction: usedFraction } = resource
      return new WindowLimit({ dimension, quota, periodS, resetsAt, usedFraction }, readShare)
    }
  }
}

/** The share that others use, per slot of time or per window: a fixed trace whose mean is the account's foreign load. */
function createForeignTrace(
  { dimension }: Resource,
  { account, seed }: LimitContext,
): (slot: number) => number {
  const { foreign_load: load, id } = account
  if (load === 0) return () => 0
  return (slot) => {
    const draw = createDraws(seed, 'foreign', id, dimension, slot).next()
    return Math.min(MAX_FOREIGN_SHARE, 2 * load * draw)
  }
}

class BucketLimit implements TrueLimit {
  readonly dimension: Dimension
  readonly capacity: number
  level: number
  changesAt: number
  readonly #perSecond: number
  readonly #readShare: (slot: number) => number
  readonly #isShared: boolean
  #at = 0

  constructor(
    resource: Extract<Resource, { enforcement: 'bucket' }>,
    readShare: (slot: number) => number,
    isShared: boolean,
  ) {
    this.dimension = resource.dimension
    this.capacity = resource.burst
    this.level = resource.burst
    this.#perSecond = resource.rate_per_minute / 60
    this.#readShare = readShare
    this.#isShared = isShared
    this.changesAt = isShared ? FOREIGN_SLOT_S : Number.POSITIVE_INFINITY
  }

  advance(to: number, used: number): void {
    const gain = (to - this.#at) * this.#readRate(this.#at)
    this.level = Math.min(this.capacity, this.level + gain - used)
    this.#at = to
    if (to >= this.changesAt) this.changesAt += FOREIGN_SLOT_S
  }

  take(amount: number): void {
    this.level = Math.min(this.capacity, this.level - amount)
  }

  findFreeAt(amount: number, now: number): number {
    let missing = amount - this.level
    let at = now
    while (missing > 0) {
      const rate = this.#readRate(at)
      const slotEnd = this.#isShared ? this.#findSlotEnd(at) : Number.POSITIVE_INFINITY
      const gain = rate * (slotEnd - at)
      if (gain >= missing) return at + missing / rate
      missing -= gain
      at = slotEnd
    }
    return at
  }

  measureSupply(until: number): number {
    if (!this.#isShared) return this.capacity + this.#perSecond * Math.max(0, until)
    let supply = this.capacity
    for (let at = 0; at < until; at += FOREIGN_SLOT_S) {
      supply += this.#readRate(at) * Math.min(FOREIGN_SLOT_S, until - at)
    }
    return supply
  }

  countWindows(): number {
    return 1
  }

  #findSlotEnd(at: number): number {
    return (Math.floor(at / FOREIGN_SLOT_S) + 1) * FOREIGN_SLOT_S
  }

  #readRate(at: number): number {
    return this.#perSecond * (1 - this.#readShare(Math.floor(at / FOREIGN_SLOT_S)))
  }
}

interface WindowShape {
  readonly dimension: Dimension
  readonly quota: number
  readonly periodS: number
  readonly resetsAt: number
  readonly usedFraction: number
}

class WindowLimit implements TrueLimit {
  readonly dimension: Dimension
  readonly capacity: number
  level: number
  changesAt: number
  readonly #shape: WindowShape
  readonly #readShare: (slot: number) => number
  #window = 0

  constructor(shape: WindowShape, readShare: (slot: number) => number) {
    this.dimension = shape.dimension
    this.capacity = shape.quota
    this.#shape = shape
    this.#readShare = readShare
    this.level = this.#readQuota(0)
    this.changesAt = shape.resetsAt > 0 ? shape.resetsAt : shape.periodS
  }

  advance(to: number, used: number): void {
    this.level -= used
    if (to < this.changesAt) return
    this.#window += 1
    this.level = this.#readQuota(this.#window)
    this.changesAt += this.#shape.periodS
  }

  take(amount: number): void {
    this.level = Math.min(this.#readQuota(this.#window), this.level - amount)
  }

  findFreeAt(amount: number, now: number): number {
    if (this.level >= amount) return now
    return this.changesAt
  }

  measureSupply(until: number): number {
    let supply = 0
    for (let window = 0; window < this.countWindows(until); window += 1) {
      supply += this.#readQuota(window)
    }
    return supply
  }

  countWindows(until: number): number {
    const { resetsAt, periodS } = this.#shape
    const firstReset = resetsAt > 0 ? resetsAt : periodS
    return until < firstReset ? 1 : 2 + Math.floor((until - firstReset) / periodS)
  }

  #readQuota(window: number): number {
    const { quota, usedFraction } = this.#shape
    const left = window === 0 ? quota * (1 - usedFraction) : quota
    return left * (1 - this.#readShare(window))
  }
}
