import type { WorkOutcome } from '../dispatch/index.ts'
import type { WorkEstimate } from '../quota/index.ts'
import type { Scenario, ScenarioPool } from './scenario.ts'

/** Amounts are compared to a thousandth of a unit: more exact than any limit. */
const TOLERANCE = 0.001

type LimitName = keyof NonNullable<ScenarioPool['known']>

const limitNames: readonly LimitName[] = [
  'requests_per_minute',
  'tokens_per_minute',
  'input_tokens_per_minute',
  'output_tokens_per_minute',
]

interface DeclaredMeter {
  readonly name: LimitName
  readonly perMinute: number
  level: number
  /** Seconds since the start. */
  at: number
}

/** What a started call booked, to be settled at its end. */
export type Booking = readonly { readonly meter: DeclaredMeter; readonly amount: number }[]

/** Checks what policies book against the limits that were declared to them, independently of any ledger. */
export class AdmissionAudit {
  /** Starts whose estimate did not fit. */
  overAdmission = 0
  readonly #metersByAccount: ReadonlyMap<string, readonly DeclaredMeter[]>
  readonly #inFlight = new Map<string, number>()

  constructor({ accounts, pools }: Scenario) {
    this.#metersByAccount = new Map(
      accounts.map(({ id }) => [id, createMeters(pools.filter(({ account }) => account === id))]),
    )
  }

  book(pool: ScenarioPool, estimate: WorkEstimate, now: number): Booking {
    const running = (this.#inFlight.get(pool.id) ?? 0) + 1
    this.#inFlight.set(pool.id, running)
    const meters = this.#metersByAccount.get(pool.account) ?? []
    let isOver = pool.concurrency !== null && running > pool.concurrency
    const booking = meters.map((meter) => {
      refill(meter, now)
      const amount = Math.min(meter.perMinute, measureBooking(pool, meter.name, estimate))
      if (meter.level + TOLERANCE < amount) isOver = true
      meter.level -= amount
      return { meter, amount }
    })
    if (isOver) this.overAdmission += 1
    return booking
  }

  settle(
    { pool, booking }: { pool: ScenarioPool; booking: Booking },
    outcome: WorkOutcome,
    now: number,
  ): void {
    this.#inFlight.set(pool.id, (this.#inFlight.get(pool.id) ?? 0) - 1)
    for (const { meter, amount } of booking) {
      refill(meter, now)
      const back = amount - measureUse(pool, meter.name, { outcome, amount })
      meter.level = Math.min(meter.perMinute, meter.level + back)
    }
  }
}

function createMeters(pools: readonly ScenarioPool[]): DeclaredMeter[] {
  const tightest = new Map<LimitName, number>()
  for (const { known } of pools) {
    for (const name of limitNames) {
      const limit = known?.[name]
      if (limit === undefined) continue
      tightest.set(name, Math.min(limit, tightest.get(name) ?? Number.POSITIVE_INFINITY))
    }
  }
  return Array.from(tightest, ([name, perMinute]) => ({ name, perMinute, level: perMinute, at: 0 }))
}

function refill(meter: DeclaredMeter, now: number): void {
  const gain = ((now - meter.at) * meter.perMinute) / 60
  meter.level = Math.min(meter.perMinute, meter.level + gain)
  meter.at = now
}

/** Of an API that is not Anthropic's it is assumed that the whole `max_tokens` counts until the call ends. */
function measureBooking(
  { headers, kind }: ScenarioPool,
  name: LimitName,
  { inputTokens, outputTokens, maxOutputTokens }: WorkEstimate,
): number {
  const countsMaximum = kind === 'api' && headers !== 'anthropic'
  const output = countsMaximum ? maxOutputTokens : outputTokens
  return measureTokens(name, inputTokens, output)
}

function measureTokens(name: LimitName, input: number, output: number): number {
  switch (name) {
    case 'requests_per_minute':
      return 1
    case 'input_tokens_per_minute':
      return input
    case 'output_tokens_per_minute':
      return output
    case 'tokens_per_minute':
      return input + output
  }
}

/** What a call has used as far as a policy can know: as reported, nothing when turned away, else as booked. */
function measureUse(
  { headers, kind }: ScenarioPool,
  name: LimitName,
  { outcome, amount }: { readonly outcome: WorkOutcome; readonly amount: number },
): number {
  const { usage } = outcome
  if (usage !== undefined && usage !== null) {
    return measureTokens(name, usage.inputTokens ?? 0, usage.outputTokens ?? 0)
  }
  if (outcome.class === 'crash' || outcome.class === 'timeout' || outcome.class === 'transient') {
    return amount
  }
  return name === 'requests_per_minute' && kind === 'api' && headers !== 'anthropic' ? 1 : 0
}
