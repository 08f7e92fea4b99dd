import type { Dimension, ScenarioAccount } from './scenario.ts'
import { createLimits, type LimitContext, type TrueLimit } from './true-limit.ts'

/** What a call asks for. */
export interface CallSize {
  readonly inputTokens: number
  readonly maxOutputTokens: number
}

/** An answer that is being written. */
export interface OutputStream {
  readonly tokensPerS: number
  readonly endsAt: number
}

/** What sums of fractions may be off by: far less than a token. */
const TOLERANCE = 1e-6

/** A provider's account with its true limits. Times in seconds since the start. */
export class ProviderAccount {
  readonly scenario: ScenarioAccount
  readonly limits: readonly TrueLimit[]
  readonly #slots: number
  readonly #streams = new Set<OutputStream>()
  #inFlight = 0
  #at = 0

  constructor(context: LimitContext) {
    this.scenario = context.account
    this.limits = createLimits(context)
    const slots = context.account.resources.flatMap((resource) =>
      resource.enforcement === 'slots' ? [resource.limit] : [],
    )
    this.#slots = Math.min(...slots)
  }

  get hasSlot(): boolean {
    return this.#inFlight < this.#slots
  }

  advance(now: number): void {
    while (this.#at < now) {
      const from = this.#at
      const to = Math.min(now, ...this.limits.map(({ changesAt }) => changesAt))
      const produced = this.#measureProduced(from, to)
      for (const limit of this.limits) {
        limit.advance(to, countsStream(limit.dimension) ? produced : 0)
      }
      this.#at = to
    }
  }

  /** The limit that refuses a call for longest; undefined when the call is admitted. */
  findShortLimit(call: CallSize, now: number): { limit: TrueLimit; freeAt: number } | undefined {
    const short = this.limits
      .filter((limit) => limit.level + TOLERANCE < this.measureStart(limit.dimension, call))
      .map((limit) => ({
        limit,
        freeAt: limit.findFreeAt(this.measureStart(limit.dimension, call), now),
      }))
    return short.toSorted((left, right) => right.freeAt - left.freeAt)[0]
  }

  /** Whether some limit never holds as much as the call asks for. */
  isTooLarge(call: CallSize): boolean {
    return this.limits.some(
      ({ capacity, dimension }) => this.measureStart(dimension, call) > capacity,
    )
  }

  start(call: CallSize): void {
    this.#inFlight += 1
    for (const limit of this.limits) limit.take(this.measureStart(limit.dimension, call))
  }

  startStream(stream: OutputStream): void {
    if (this.scenario.charging === 'stream') this.#streams.add(stream)
  }

  /** Ends a call that was charged `start` and turned out to cost `actual`. */
  end(start: CallSize, actual: CallSize, stream: OutputStream | null): void {
    this.#inFlight -= 1
    if (stream !== null) this.#streams.delete(stream)
    for (const limit of this.limits) {
      const { dimension } = limit
      if (dimension === 'requests') continue
      limit.take(this.measureStart(dimension, actual) - this.measureStart(dimension, start))
    }
  }

  countRejection(): void {
    if (!this.scenario.rejects_cost_request) return
    for (const limit of this.limits) if (limit.dimension === 'requests') limit.take(1)
  }

  /** What a start takes of a limit. */
  measureStart(dimension: Dimension, { inputTokens, maxOutputTokens }: CallSize): number {
    const output = this.scenario.charging === 'precharge_max' ? maxOutputTokens : 0
    switch (dimension) {
      case 'requests':
      case 'concurrency':
        return 1
      case 'input_tokens':
        return inputTokens
      case 'output_tokens':
        return output
      case 'tokens':
      case 'plan':
      case 'week':
        return inputTokens + output
    }
  }

  #measureProduced(from: number, to: number): number {
    let produced = 0
    for (const { tokensPerS, endsAt } of this.#streams) {
      produced += tokensPerS * Math.max(0, Math.min(to, endsAt) - from)
    }
    return produced
  }
}

function countsStream(dimension: Dimension): boolean {
  return dimension !== 'requests' && dimension !== 'input_tokens' && dimension !== 'concurrency'
}
