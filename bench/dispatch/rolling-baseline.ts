import type { WorkOutcome } from '../../packages/shared/src/dispatch/index.ts'
import type { WorkEstimate } from '../../packages/shared/src/quota/index.ts'
import type {
  DispatchPolicy,
  PolicyContext,
  VisibleItem,
  VisiblePool,
} from '../../packages/shared/src/simulator/index.ts'

/** How long a pool rests after a rejection, or as long as it states; doubles per incident in a row. */
const FIRST_BACKOFF_MS = 1_000
const LONGEST_BACKOFF_MS = 60_000

/** How often a baseline looks again while nothing has ended. */
const POLL_MS = 500

const MAX_ATTEMPTS = 4
const ranks = ['small', 'standard', 'deep']
const limitClasses: ReadonlySet<string> = new Set(['throttle', 'window', 'overload'])
const deathClasses: ReadonlySet<string> = new Set(['credit', 'auth', 'model_gone'])

/** A pool as a baseline keeps it. */
export interface BaselinePool {
  readonly pool: VisiblePool
  inFlight: number
  restsUntil: number
  rejectionsInRow: number
  isDead: boolean
}

/** Decides when work starts; everything else is the same for all baselines. */
export interface StartRule {
  /** Whether the pool may start this item now; books it when it may. */
  mayStart(pool: BaselinePool, item: VisibleItem, now: number): boolean
  noteEnd?(pool: BaselinePool, outcome: WorkOutcome): void
}

/** A baseline that gives each pool in turn the first waiting item that fits it, whenever its rule allows. */
export function createRollingBaseline(name: string, createRule: () => StartRule): DispatchPolicy {
  return { name, run: (context) => new BaselineRun(context, createRule()).run() }
}

class BaselineRun {
  readonly #context: PolicyContext
  readonly #rule: StartRule
  readonly #pools: readonly BaselinePool[]
  readonly #running = new Set<Promise<void>>()
  readonly #skipped = new Map<string, Set<string>>()
  readonly #attempts = new Map<string, number>()
  readonly #queue: VisibleItem[]

  constructor(context: PolicyContext, rule: StartRule) {
    this.#context = context
    this.#rule = rule
    this.#queue = [...context.items]
    this.#pools = context.pools.map((pool) => ({
      pool,
      inFlight: 0,
      restsUntil: 0,
      rejectionsInRow: 0,
      isDead: false,
    }))
  }

  async run(): Promise<void> {
    const { clock, signal } = this.#context
    while (!signal.aborted) {
      for (const pool of this.#pools) this.#startAll(pool)
      if (this.#running.size === 0 && !this.#queue.some((item) => this.#hasPool(item))) break
      const polling = new AbortController()
      const poll = clock.sleep(this.#findPollMs(), polling.signal).catch(() => undefined)
      await Promise.race([poll, ...this.#running])
      polling.abort()
    }
    await Promise.all(this.#running)
  }

  /** While nothing runs, nothing happens before the first rest is over. */
  #findPollMs(): number {
    if (this.#running.size > 0) return POLL_MS
    const rests = this.#pools.filter(({ isDead }) => !isDead).map(({ restsUntil }) => restsUntil)
    return Math.max(POLL_MS, Math.min(...rests) - this.#context.clock.now())
  }

  #startAll(pool: BaselinePool): void {
    const now = this.#context.clock.now()
    while (!pool.isDead && pool.restsUntil <= now) {
      const place = this.#queue.findIndex((item) => this.#fits(pool, item))
      const item = this.#queue[place]
      if (item === undefined || !this.#rule.mayStart(pool, item, now)) return
      this.#queue.splice(place, 1)
      this.#start(pool, item)
    }
  }

  #fits({ pool, isDead }: BaselinePool, { id, rank, estimatedTokens }: VisibleItem): boolean {
    return (
      !isDead &&
      ranks.indexOf(pool.rank) >= ranks.indexOf(rank) &&
      estimatedTokens <= pool.context_tokens &&
      this.#skipped.get(id)?.has(pool.id) !== true
    )
  }

  #hasPool(item: VisibleItem): boolean {
    return this.#pools.some((pool) => this.#fits(pool, item))
  }

  #start(pool: BaselinePool, item: VisibleItem): void {
    pool.inFlight += 1
    const estimate = estimateItem(pool.pool, item)
    const work = this.#context
      .call({ itemId: item.id, poolId: pool.pool.id, estimate })
      .then((outcome) => this.#end(pool, item, outcome))
      .finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  #end(pool: BaselinePool, item: VisibleItem, outcome: WorkOutcome): void {
    pool.inFlight -= 1
    this.#rule.noteEnd?.(pool, outcome)
    if (outcome.class === 'ok') {
      pool.rejectionsInRow = 0
      return
    }
    if (limitClasses.has(outcome.class)) this.#rest(pool, outcome.until ?? 0)
    else if (deathClasses.has(outcome.class)) pool.isDead = true
    else if (outcome.class === 'too_large') this.#skip(pool, item)
    else if (this.#countFailure(item) >= MAX_ATTEMPTS) return
    this.#queue.unshift(item)
  }

  #skip({ pool }: BaselinePool, { id }: VisibleItem): void {
    const skipped = this.#skipped.get(id) ?? new Set()
    this.#skipped.set(id, skipped.add(pool.id))
  }

  #countFailure({ id }: VisibleItem): number {
    const attempts = (this.#attempts.get(id) ?? 0) + 1
    this.#attempts.set(id, attempts)
    return attempts
  }

  /** Rejections during a rest belong to the incident that began it. */
  #rest(pool: BaselinePool, until: number): void {
    const now = this.#context.clock.now()
    if (now >= pool.restsUntil) pool.rejectionsInRow += 1
    const waitMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (pool.rejectionsInRow - 1))
    pool.restsUntil = Math.max(pool.restsUntil, until, now + waitMs)
  }
}

/** What a baseline takes an item's call to cost. */
export function estimateItem(pool: VisiblePool, { estimatedTokens }: VisibleItem): WorkEstimate {
  return {
    inputTokens: estimatedTokens,
    outputTokens: Math.min(1_500, pool.output_tokens),
    maxOutputTokens: pool.output_tokens,
  }
}
