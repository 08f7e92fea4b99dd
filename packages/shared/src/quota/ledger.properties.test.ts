import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Constraint, nameResource } from './constraint.ts'
import type { Charge, Ledger, LedgerSignal } from './ledger.ts'
import { createMemoryLedger } from './memory-ledger.ts'

const start = 1_700_000_000_000
const runs = { numRuns: 1_000 }

const rate = (unit: 'request' | 'token', limit: number, perSeconds: number): Constraint => ({
  key: 'account:a',
  kind: 'rate',
  unit,
  limit,
  perSeconds,
  provenance: 'declared',
  confidence: 'high',
})

const arbitraryRate = fc.record({
  limit: fc.integer({ min: 1, max: 100_000 }),
  perSeconds: fc.constantFrom(1, 7, 60, 3600),
})

type Step =
  | { kind: 'wait'; ms: number }
  | { kind: 'reserve'; share: number }
  | { kind: 'settle'; which: number; factor: number }
  | { kind: 'cancel'; which: number }

const arbitrarySteps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 90_000 }) }),
    fc.record({
      kind: fc.constant('reserve' as const),
      share: fc.double({ min: 0.01, max: 1, noNaN: true }),
    }),
    fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(20),
      factor: fc.double({ min: 0, max: 3, noNaN: true }),
    }),
    fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(20) }),
  ),
  { maxLength: 60 },
)

interface Booking {
  readonly at: number
  readonly estimate: number
  readonly actual: number
}

/** A second implementation, in exact fractions of a micro-unit: amounts are multiplied by the period. */
class ExactBucket {
  #level: bigint
  readonly #capacity: bigint
  readonly #perMs: bigint
  readonly #scale: bigint

  constructor(limit: number, perSeconds: number) {
    this.#scale = BigInt(perSeconds * 1000)
    this.#perMs = BigInt(limit) * 1_000_000n
    this.#capacity = this.#perMs * this.#scale
    this.#level = this.#capacity
  }

  wait(ms: number): void {
    if (ms === 0) return
    this.#clamp()
    this.#level += this.#perMs * BigInt(ms)
    this.#clamp()
  }

  take(micro: number): void {
    this.#clamp()
    this.#level -= BigInt(micro) * this.#scale
  }

  giveBack(micro: number): void {
    this.#level += BigInt(micro) * this.#scale
  }

  read(): number {
    const level = this.#level < this.#capacity ? this.#level : this.#capacity
    const rounded = level / this.#scale
    const isFloor = level >= 0n || level % this.#scale === 0n
    return Number(isFloor ? rounded : rounded - 1n)
  }

  #clamp(): void {
    if (this.#level > this.#capacity) this.#level = this.#capacity
  }
}

/** Plays steps against one rate and hands every state to `check`. */
function play(
  constraint: Constraint & { limit: number; perSeconds: number },
  steps: readonly Step[],
  check: (state: { ledger: Ledger; exact: ExactBucket; now: number; open: number }) => void,
): Booking[] {
  const ledger = createMemoryLedger()
  const exact = new ExactBucket(constraint.limit, constraint.perSeconds)
  const resource = nameResource(constraint)
  const open: { id: string; at: number; micro: number }[] = []
  const bookings: Booking[] = []
  let now = start
  ledger.declare([constraint], now)
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'wait') {
      now += step.ms
      exact.wait(step.ms)
    } else if (step.kind === 'reserve') {
      const micro = Math.round(constraint.limit * 1_000_000 * step.share)
      const answer = ledger.reserve([{ resource, micro }], now, `op-${index}`)
      if (answer.kind === 'reserved') {
        exact.take(micro)
        open.push({ id: answer.reservationId, at: now, micro })
      }
    } else if (open.length > 0) {
      const [lease] = open.splice(step.which % open.length, 1)
      if (lease === undefined) continue
      if (step.kind === 'cancel') {
        ledger.cancel(lease.id, now)
        exact.giveBack(lease.micro)
      } else {
        const actual = Math.round(lease.micro * step.factor)
        const settlement = { actual: [{ resource, micro: actual }], verdict: 'clean' as const }
        ledger.settle(lease.id, settlement, now)
        exact.giveBack(lease.micro - actual)
        bookings.push({ at: lease.at, estimate: lease.micro, actual })
      }
    }
    check({ ledger, exact, now, open: open.reduce((sum, { micro }) => sum + micro, 0) })
  }
  return bookings
}

test('Conservation: level + reserved + admitted - refill is constant to the micro-unit, and reserved is 0 after all leases close', () => {
  fc.assert(
    fc.property(arbitraryRate, arbitrarySteps, ({ limit, perSeconds }, steps) => {
      const constraint = { ...rate('token', limit, perSeconds), limit, perSeconds }
      const resource = nameResource(constraint)
      let admitted = 0
      const bookings = play(constraint, steps, ({ ledger, exact, now, open }) => {
        const reading = ledger.read(resource, now)
        if (reading === undefined) throw new Error('not declared')
        expect(reading.levelMicro).toBe(exact.read())
        expect(reading.reservedMicro).toBe(open)
        const sum = reading.levelMicro + reading.reservedMicro + reading.admittedMicro
        expect(sum - reading.refilledMicro).toBe(reading.capacityMicro)
        admitted = reading.admittedMicro
      })
      expect(admitted).toBe(bookings.reduce((sum, { actual }) => sum + actual, 0))
    }),
    runs,
  )
})

/** Largest amount booked in any interval above what the rate admits in it. */
function measureExcess(
  bookings: readonly { at: number; micro: number }[],
  capacityMicro: number,
  microPerMs: number,
): number {
  let excess = Number.NEGATIVE_INFINITY
  for (const [from, first] of bookings.entries()) {
    let sum = 0
    for (const { at, micro } of bookings.slice(from)) {
      sum += micro
      excess = Math.max(excess, sum - capacityMicro - microPerMs * (at - first.at))
    }
  }
  return excess
}

test('No over-admission: with exact costs the admitted amount in every interval is at most capacity + rate * time, for all interleavings', () => {
  fc.assert(
    fc.property(arbitraryRate, arbitrarySteps, ({ limit, perSeconds }, steps) => {
      const exactSteps = steps.map((step) =>
        step.kind === 'settle' ? { ...step, factor: 1 } : step,
      )
      const constraint = { ...rate('token', limit, perSeconds), limit, perSeconds }
      const bookings = play(constraint, exactSteps, () => undefined)
      const admitted = bookings
        .map(({ at, actual }) => ({ at, micro: actual }))
        .toSorted((left, right) => left.at - right.at)
      const capacity = limit * 1_000_000
      expect(measureExcess(admitted, capacity, capacity / (perSeconds * 1000))).toBeLessThan(1)
    }),
    runs,
  )
})

test('Over-admission with estimates is at most the sum of the underestimates, and debt is repaid before the next admission', () => {
  fc.assert(
    fc.property(arbitraryRate, arbitrarySteps, ({ limit, perSeconds }, steps) => {
      const constraint = { ...rate('token', limit, perSeconds), limit, perSeconds }
      const resource = nameResource(constraint)
      const bookings = play(constraint, steps, ({ ledger, now }) => {
        const reading = ledger.read(resource, now)
        if (reading === undefined || reading.levelMicro >= 0) return
        expect(ledger.check([{ resource, micro: 1 }], now)?.kind).toBe('refused')
      })
      const under = bookings.reduce(
        (sum, { estimate, actual }) => sum + Math.max(0, actual - estimate),
        0,
      )
      const admitted = bookings
        .map(({ at, actual }) => ({ at, micro: actual }))
        .toSorted((left, right) => left.at - right.at)
      const capacity = limit * 1_000_000
      const excess = measureExcess(admitted, capacity, capacity / (perSeconds * 1000))
      expect(excess).toBeLessThan(under + 1)
    }),
    runs,
  )
})

test('All-or-nothing: a refused acquire changes no ledger, and its retryAt is tight', () => {
  const arbitraryDemand = fc.record({
    first: fc.double({ min: 0, max: 1.5, noNaN: true }),
    second: fc.double({ min: 0, max: 1.5, noNaN: true }),
  })
  fc.assert(
    fc.property(
      arbitraryRate,
      arbitraryRate,
      fc.array(arbitraryDemand, { minLength: 2, maxLength: 12 }),
      (one, two, demands) => {
        const constraints = [
          rate('request', one.limit, one.perSeconds),
          rate('token', two.limit, two.perSeconds),
        ]
        const resources = constraints.map(nameResource)
        const ledger = createMemoryLedger()
        ledger.declare(constraints, start)
        let now = start
        const readAll = (): unknown => resources.map((resource) => ledger.read(resource, now))
        for (const [index, { first, second }] of demands.entries()) {
          const charges: Charge[] = [
            { resource: resources[0] ?? '', micro: Math.round(one.limit * 1e6 * first) },
            { resource: resources[1] ?? '', micro: Math.round(two.limit * 1e6 * second) },
          ]
          const before = readAll()
          const answer = ledger.reserve(charges, now, `op-${index}`)
          if (answer.kind === 'reserved') continue
          expect(readAll()).toEqual(before)
          if (answer.retryAt === null) throw new Error('a rate always frees')
          expect(answer.retryAt).toBeGreaterThan(now)
          expect(ledger.check(charges, answer.retryAt - 1)?.kind).toBe('refused')
          now = answer.retryAt
          expect(ledger.reserve(charges, now, `again-${index}`).kind).toBe('reserved')
        }
      },
    ),
    runs,
  )
})

test('Refund clamp: settling and cancelling never raise the level above capacity, and the order of concurrent leases does not matter', () => {
  const arbitraryLeases = fc.array(
    fc.record({
      share: fc.double({ min: 0.01, max: 0.3, noNaN: true }),
      factor: fc.double({ min: 0, max: 3, noNaN: true }),
      isCancelled: fc.boolean(),
    }),
    { minLength: 2, maxLength: 8 },
  )
  fc.assert(
    fc.property(
      arbitraryRate,
      arbitraryLeases,
      fc.nat(200_000),
      fc.infiniteStream(fc.nat()),
      ({ limit, perSeconds }, leases, waitMs, order) => {
        const constraint = rate('token', limit, perSeconds)
        const resource = nameResource(constraint)
        const close = (indexes: readonly number[]): unknown => {
          const ledger = createMemoryLedger()
          ledger.declare([constraint], start)
          const open = leases.flatMap(({ share }, index) => {
            const micro = Math.round(limit * 1e6 * share)
            const answer = ledger.reserve([{ resource, micro }], start, `op-${index}`)
            return answer.kind === 'reserved' ? [{ index, micro, id: answer.reservationId }] : []
          })
          for (const index of indexes) {
            const lease = open.find((entry) => entry.index === index)
            const plan = leases[index]
            if (lease === undefined || plan === undefined) continue
            if (plan.isCancelled) ledger.cancel(lease.id, start + waitMs)
            else {
              const actual = [{ resource, micro: Math.round(lease.micro * plan.factor) }]
              ledger.settle(lease.id, { actual, verdict: 'clean' }, start + waitMs)
            }
            const reading = ledger.read(resource, start + waitMs)
            expect(reading?.levelMicro).toBeLessThanOrEqual(limit * 1e6)
          }
          return ledger.read(resource, start + waitMs + 1)
        }
        const indexes = leases.map((_, index) => index)
        const keys = indexes.map(() => order.next().value ?? 0)
        const shuffled = indexes.toSorted(
          (left, right) => (keys[left] ?? 0) - (keys[right] ?? 0) || left - right,
        )
        expect(close(shuffled)).toEqual(close(indexes))
      },
    ),
    runs,
  )
})

const arbitrarySignal = fc.record({
  key: fc.constantFrom('account:a', 'account:b'),
  startedAt: fc.integer({ min: 0, max: 400_000 }).map((ms) => start + ms),
  until: fc.option(fc.integer({ min: -10_000, max: 4_000_000 }).map((ms) => start + ms)),
  jitter: fc.double({ min: 0, max: 0.999, noNaN: true }),
  rest: fc.constantFrom('cooling' as const, 'parked' as const),
  wakesByProbe: fc.boolean(),
})

test('Cooldown monotone: coolUntil never decreases by an observation, and unrelated accounts are untouched', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(arbitrarySignal, fc.nat(60_000)), { maxLength: 30 }),
      (observations) => {
        const ledger = createMemoryLedger()
        let now = start
        for (const [index, [signal, waitMs]] of observations.entries()) {
          now += waitMs
          const other = signal.key === 'account:a' ? 'account:b' : 'account:a'
          const before = ledger.readGate(signal.key, now).coolUntil
          const otherBefore = ledger.readGate(other, now)
          const limited: LedgerSignal = { kind: 'limited', ...signal }
          ledger.observe(limited, now, `op-${index}`)
          const after = ledger.readGate(signal.key, now).coolUntil
          expect(after).toBeGreaterThanOrEqual(before)
          if (signal.until !== null && signal.until > now) {
            expect(after).toBe(Math.max(before, signal.until))
          }
          expect(ledger.readGate(other, now)).toEqual(otherBefore)
        }
      },
    ),
    runs,
  )
})

test('Idempotence: repeating a ledger call with the same opId gives the same answer and the same state', () => {
  fc.assert(
    fc.property(arbitraryRate, arbitrarySteps, ({ limit, perSeconds }, steps) => {
      const constraint = rate('token', limit, perSeconds)
      const resource = nameResource(constraint)
      const playTimes = (times: number): unknown => {
        const ledger = createMemoryLedger()
        ledger.declare([constraint], start)
        let now = start
        const answers: unknown[] = []
        const ids: string[] = []
        for (const [index, step] of steps.entries()) {
          if (step.kind === 'wait') now += step.ms
          const id = ids[step.kind === 'wait' || step.kind === 'reserve' ? 0 : step.which]
          for (let time = 0; time < times; time += 1) {
            if (step.kind === 'reserve') {
              const charges = [{ resource, micro: Math.round(limit * 1e6 * step.share) }]
              const answer = ledger.reserve(charges, now, `op-${index}`)
              if (time === 0) ids.push(`op-${index}`)
              answers[index] = answer
            }
            if (step.kind === 'cancel' && id !== undefined) ledger.cancel(id, now)
            if (step.kind === 'settle' && id !== undefined) {
              ledger.settle(id, { actual: [], verdict: 'clean' }, now)
            }
          }
        }
        return { answers, reading: ledger.read(resource, now) }
      }
      expect(playTimes(3)).toEqual(playTimes(1))
    }),
    runs,
  )
})

test('No over-admission: with exact costs the admitted amount is at most quota per aligned window, whenever work ends', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 60_000 }),
      arbitrarySteps,
      (limit, firstResetMs, steps) => {
        const periodMs = 60_000
        const window: Constraint = {
          ...rate('token', limit, 60),
          kind: 'window',
          resetsAt: start + firstResetMs,
        }
        const resource = nameResource(window)
        const ledger = createMemoryLedger()
        ledger.declare([window], start)
        const admitted = new Map<number, number>()
        const open: { id: string; micro: number }[] = []
        let now = start
        for (const [index, step] of steps.entries()) {
          if (step.kind === 'wait') now += step.ms
          if (step.kind === 'reserve') {
            const micro = Math.round(limit * 1e6 * step.share)
            const answer = ledger.reserve([{ resource, micro }], now, `op-${index}`)
            if (answer.kind === 'refused') {
              if (answer.retryAt === null) throw new Error('a window frees at its reset')
              expect(ledger.check([{ resource, micro }], answer.retryAt - 1)?.kind).toBe('refused')
              continue
            }
            const place = Math.floor((now - start - firstResetMs) / periodMs)
            admitted.set(place, (admitted.get(place) ?? 0) + micro)
            open.push({ id: answer.reservationId, micro })
          }
          if (step.kind === 'settle' && open.length > 0) {
            const [lease] = open.splice(step.which % open.length, 1)
            if (lease === undefined) continue
            const actual = [{ resource, micro: lease.micro }]
            ledger.settle(lease.id, { actual, verdict: 'clean' }, now)
          }
        }
        for (const sum of admitted.values()) expect(sum).toBeLessThanOrEqual(limit * 1e6)
      },
    ),
    runs,
  )
})

test('A budget: booked + reserved is at most the cap under any interleaving, and nothing comes back by time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), arbitrarySteps, (cap, steps) => {
      const budget: Constraint = {
        key: 'run',
        kind: 'budget',
        unit: 'usd',
        limit: cap,
        provenance: 'declared',
        confidence: 'high',
      }
      const resource = nameResource(budget)
      const ledger = createMemoryLedger()
      ledger.declare([budget], start)
      const open: { id: string; micro: number }[] = []
      let now = start
      for (const [index, step] of steps.entries()) {
        if (step.kind === 'wait') now += step.ms
        if (step.kind === 'reserve') {
          const micro = Math.round(cap * 1e6 * step.share)
          const answer = ledger.reserve([{ resource, micro }], now, `op-${index}`)
          if (answer.kind === 'reserved') open.push({ id: answer.reservationId, micro })
          else expect(answer.retryAt).toBeNull()
        }
        const [lease] = step.kind === 'settle' || step.kind === 'cancel' ? open.splice(0, 1) : []
        if (lease !== undefined && step.kind === 'settle') {
          const micro = Math.floor(lease.micro * Math.min(1, step.factor))
          ledger.settle(lease.id, { actual: [{ resource, micro }], verdict: 'clean' }, now)
        } else if (lease !== undefined) ledger.cancel(lease.id, now)
        const reading = ledger.read(resource, now)
        expect((reading?.admittedMicro ?? 0) + (reading?.reservedMicro ?? 0)).toBeLessThanOrEqual(
          cap * 1e6,
        )
      }
    }),
    runs,
  )
})
