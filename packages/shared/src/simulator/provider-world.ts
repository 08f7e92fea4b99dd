import { AuditToolsError, type Clock } from '../core/index.ts'
import type { WorkOutcome } from '../dispatch/index.ts'
import type { ConstraintUnit, WorkEstimate } from '../quota/index.ts'
import { AdmissionAudit } from './admission-audit.ts'
import { type Attempt, drawAttempt } from './attempt.ts'
import type { SimulatedItem } from './items.ts'
import { writeLimitHeaders } from './limit-headers.ts'
import { type CallSize, ProviderAccount } from './provider-account.ts'
import type { Dimension, Scenario, ScenarioPool } from './scenario.ts'
import type { TrueLimit } from './true-limit.ts'

/** How long a provider takes to turn a call away, in seconds. */
const REFUSAL_S = 0.4

const units: Readonly<Partial<Record<Dimension, ConstraintUnit>>> = {
  requests: 'request',
  tokens: 'token',
  input_tokens: 'input_token',
  output_tokens: 'output_token',
}

/** One call as a policy makes it. */
export interface SimulatedCall {
  readonly itemId: string
  readonly poolId: string
  /** What the policy books for it; `maxOutputTokens` is sent to the provider. */
  readonly estimate: WorkEstimate
}

/** What happened on one pool. */
export interface PoolReport {
  readonly poolId: string
  calls: number
  completed: number
  /** Calls that a limit turned away. */
  rejections: number
  /** Seconds of admitted calls, added up. */
  busySeconds: number
}

interface PoolState {
  readonly scenario: ScenarioPool
  readonly account: ProviderAccount
  readonly report: PoolReport
  inFlight: number
}

export interface ProviderWorldOptions {
  readonly scenario: Scenario
  readonly seed: number
  readonly items: readonly SimulatedItem[]
  readonly clock: Clock
}

/** The providers of a scenario with everything that they hide. */
export class ProviderWorld {
  readonly audit: AdmissionAudit
  /** When each item was first answered well, in seconds. */
  readonly completedAt = new Map<string, number>()
  /** Tokens of calls whose answer nobody needed or got. */
  wastedTokens = 0
  readonly #clock: Clock
  readonly #seed: number
  readonly #items: ReadonlyMap<string, SimulatedItem>
  readonly #pools: ReadonlyMap<string, PoolState>
  readonly #attempts = new Map<string, number>()

  constructor({ scenario, seed, items, clock }: ProviderWorldOptions) {
    this.audit = new AdmissionAudit(scenario)
    this.#clock = clock
    this.#seed = seed
    this.#items = new Map(items.map((item) => [item.id, item]))
    const accounts = new Map(
      scenario.accounts.map((account) => [account.id, new ProviderAccount({ account, seed })]),
    )
    this.#pools = new Map(
      scenario.pools.map((pool) => [pool.id, createPoolState(pool, accounts.get(pool.account))]),
    )
  }

  get reports(): readonly PoolReport[] {
    return [...this.#pools.values()].map(({ report }) => report)
  }

  async call({ itemId, poolId, estimate }: SimulatedCall): Promise<WorkOutcome> {
    const item = this.#items.get(itemId)
    const pool = this.#pools.get(poolId)
    if (item === undefined || pool === undefined) {
      throw new AuditToolsError(
        'internal-fault',
        `the scenario has no item "${itemId}" or no pool "${poolId}"`,
      )
    }
    const booking = this.audit.book(pool.scenario, estimate, this.#readSeconds())
    const { maxOutputTokens } = estimate
    const size: CallSize = { inputTokens: item.inputTokens, maxOutputTokens }
    pool.report.calls += 1
    pool.account.advance(this.#readSeconds())
    const refusal = this.#findRefusal(pool, item, size)
    const outcome = refusal === undefined ? await this.#serve(pool, item, size) : refusal
    if (refusal !== undefined) await this.#clock.sleep(REFUSAL_S * 1_000)
    this.audit.settle({ pool: pool.scenario, booking }, outcome, this.#readSeconds())
    return outcome
  }

  #readSeconds(): number {
    return this.#clock.monotonic() / 1_000
  }

  #findRefusal(pool: PoolState, item: SimulatedItem, size: CallSize): WorkOutcome | undefined {
    const { scenario, account } = pool
    const now = this.#readSeconds()
    if (scenario.dies_at_s !== null && now >= scenario.dies_at_s) {
      return { class: scenario.dies_of ?? 'credit' }
    }
    const need = size.inputTokens + item.outputTokens
    if (need > scenario.context_tokens) return { class: 'too_large', scope: 'item' }
    if (account.isTooLarge(size)) return { class: 'too_large', scope: 'item', unit: 'token' }
    const short = account.findShortLimit(size, now)
    const isFull = pool.inFlight >= (scenario.concurrency ?? Number.POSITIVE_INFINITY)
    if (short === undefined && account.hasSlot && !isFull) return undefined
    pool.report.rejections += 1
    account.countRejection()
    return this.#describeRejection(pool, short)
  }

  #describeRejection(
    { scenario, account }: PoolState,
    short: { readonly limit: TrueLimit; readonly freeAt: number } | undefined,
  ): WorkOutcome {
    const headers = writeLimitHeaders(scenario, account)
    if (short === undefined) return { class: 'throttle', scope: 'account', headers }
    const { dimension } = short.limit
    const unit = scenario.headers === 'none' ? undefined : units[dimension]
    return {
      class: dimension === 'plan' || dimension === 'week' ? 'window' : 'throttle',
      scope: 'account',
      until: scenario.retry_after ? this.#stateInstant(short.freeAt) : null,
      headers,
      ...(unit === undefined ? {} : { unit }),
    }
  }

  /** Providers state waits in whole seconds from when they answer. */
  #stateInstant(freeAt: number): number {
    const answeredAt = this.#readSeconds() + REFUSAL_S
    const waitS = Math.max(1, Math.ceil(freeAt - answeredAt))
    return this.#clock.now() + (REFUSAL_S + waitS) * 1_000
  }

  async #serve(pool: PoolState, item: SimulatedItem, size: CallSize): Promise<WorkOutcome> {
    const { scenario, account, report } = pool
    const startS = this.#readSeconds()
    const attempt = drawAttempt(scenario, item, {
      seed: this.#seed,
      attempt: this.#countAttempt(item, scenario),
      startS,
    })
    pool.inFlight += 1
    account.start(size)
    const endsAt = startS + attempt.durationS
    const writes = attempt.fault === null || attempt.fault.charges === 'all'
    const headS = writes ? attempt.firstTokenS : attempt.durationS
    await this.#clock.sleep(headS * 1_000)
    account.advance(this.#readSeconds())
    const headers = writeLimitHeaders(scenario, account)
    const tokensPerS = item.outputTokens / Math.max(0.001, endsAt - this.#readSeconds())
    const stream = writes ? { tokensPerS, endsAt } : null
    if (stream !== null) account.startStream(stream)
    await this.#clock.sleep(Math.max(0, endsAt - this.#readSeconds()) * 1_000)
    account.advance(this.#readSeconds())
    account.end(size, measureActual(attempt, item), stream)
    pool.inFlight -= 1
    report.busySeconds += attempt.durationS
    return this.#conclude(pool, item, { attempt, headers })
  }

  #countAttempt(item: SimulatedItem, pool: ScenarioPool): number {
    const key = `${item.id} ${pool.id}`
    const attempt = this.#attempts.get(key) ?? 0
    this.#attempts.set(key, attempt + 1)
    return attempt
  }

  #conclude(
    { report }: PoolState,
    item: SimulatedItem,
    { attempt, headers }: { attempt: Attempt; headers: Record<string, string> },
  ): WorkOutcome {
    const actual = measureActual(attempt, item)
    const isNew = attempt.fault === null && !this.completedAt.has(item.id)
    if (!isNew) this.wastedTokens += actual.inputTokens + actual.maxOutputTokens
    if (attempt.fault !== null && attempt.fault.charges !== 'all') {
      return { class: attempt.fault.name }
    }
    const usage = {
      inputTokens: item.inputTokens,
      outputTokens: item.outputTokens,
      cachedInputTokens: null,
      costUsd: null,
    }
    if (attempt.fault !== null) return { class: attempt.fault.name, usage, headers }
    if (isNew) {
      this.completedAt.set(item.id, this.#readSeconds())
      report.completed += 1
    }
    return { class: 'ok', usage, headers, resultRef: item.id }
  }
}

function createPoolState(scenario: ScenarioPool, account: ProviderAccount | undefined): PoolState {
  if (account === undefined) {
    throw new AuditToolsError(
      'config-invalid',
      `pool "${scenario.id}" names the account "${scenario.account}", which the scenario does not have`,
    )
  }
  const report = { poolId: scenario.id, calls: 0, completed: 0, rejections: 0, busySeconds: 0 }
  return { scenario, account, report, inFlight: 0 }
}

/** What a call comes to in the provider's books. */
function measureActual({ fault }: Attempt, item: SimulatedItem): CallSize {
  const charges = fault === null ? 'all' : fault.charges
  return {
    inputTokens: charges === 'none' ? 0 : item.inputTokens,
    maxOutputTokens: charges === 'all' ? item.outputTokens : 0,
  }
}
