import { AuditToolsError } from '../core/index.ts'
import { type Constraint, nameResource } from './constraint.ts'
import { closeGate, createGate, enterGate, type Gate, leaveGate, readGateAt } from './gate.ts'
import type {
  Charge,
  GateReading,
  Ledger,
  LedgerSignal,
  MeterReading,
  Refusal,
  ReserveAnswer,
  Settlement,
} from './ledger.ts'
import {
  advanceMeter,
  calibrateMeter,
  clampToCapacity,
  createMeter,
  findFreeAt,
  type Hold,
  lowerLevel,
  type Meter,
  readLevel,
  redeclareMeter,
  resizeMeter,
  settleHold,
  takeFromMeter,
  toMicro,
  measureRefill,
} from './meter.ts'
import { RecentAnswers } from './recent-answers.ts'
import { createRamp, noteClean, noteRejected, noteStart, type Ramp } from './ramp.ts'

/** Answers that are remembered for repeated calls; a caller repeats a call soon or never. */
const MAX_REMEMBERED = 65_536

interface Reservation {
  readonly startedAt: number
  readonly holds: readonly Hold[]
  readonly entries: readonly { readonly gate: Gate; readonly generation: number }[]
}

const noEntries: Reservation['entries'] = []

/** A ledger in this process's memory, for tests, simulation and one-shot planning. */
export function createMemoryLedger(): Ledger {
  return new MemoryLedger()
}

class MemoryLedger implements Ledger {
  readonly #meters = new Map<string, Meter>()
  readonly #metersByKey = new Map<string, Meter[]>()
  /** Of concurrency limits that nobody states. */
  readonly #ramps = new Map<Meter, Ramp>()
  readonly #gates = new Map<string, Gate>()
  readonly #reservations = new Map<string, Reservation>()
  readonly #answers = new RecentAnswers<ReserveAnswer | 'observed'>(MAX_REMEMBERED)

  declare(constraints: readonly Constraint[], now: number): void {
    for (const constraint of constraints) {
      const known = this.#meters.get(nameResource(constraint))
      const meter = known ?? this.#addMeter(constraint, now)
      if (known !== undefined) {
        advanceMeter(known, now)
        redeclareMeter(known, constraint)
      }
      if (constraint.limit !== 'unknown' || constraint.ramp === undefined) this.#ramps.delete(meter)
      else if (!this.#ramps.has(meter)) this.#ramps.set(meter, createRamp(constraint.ramp))
    }
  }

  reserve(charges: readonly Charge[], now: number, opId: string): ReserveAnswer {
    const answered = this.#answers.get(opId)
    if (answered !== undefined && answered !== 'observed') return answered
    const refusal = this.check(charges, now)
    const answer = refusal ?? ({ kind: 'reserved', reservationId: opId } as const)
    if (refusal === undefined) this.#reservations.set(opId, this.#take(charges, now))
    this.#answers.set(opId, answer)
    return answer
  }

  check(charges: readonly Charge[], now: number): Refusal | undefined {
    let refusal: Refusal | undefined
    for (const charge of charges) {
      const meter = this.#getMeter(charge.resource, now)
      const found = this.#checkGate(meter.constraint.key, now) ?? checkLevel(meter, charge)
      if (found !== undefined) refusal = pickLater(refusal, found)
    }
    return refusal
  }

  settle(reservationId: string, settlement: Settlement, now: number): void {
    const reservation = this.#reservations.get(reservationId)
    if (reservation === undefined) return
    this.#reservations.delete(reservationId)
    const actual = new Map(settlement.actual.map(({ resource, micro }) => [resource, micro]))
    for (const hold of reservation.holds) {
      advanceMeter(hold.meter, now)
      settleHold(hold, actual.get(hold.meter.resource) ?? hold.micro)
      actual.delete(hold.meter.resource)
    }
    for (const [resource, micro] of actual) {
      settleHold(takeFromMeter(this.#getMeter(resource, now), 0), micro)
    }
    this.#close(reservation, settlement.verdict === 'clean')
  }

  cancel(reservationId: string, now: number): void {
    const reservation = this.#reservations.get(reservationId)
    if (reservation === undefined) return
    this.#reservations.delete(reservationId)
    for (const hold of reservation.holds) {
      advanceMeter(hold.meter, now)
      settleHold(hold, 0)
    }
    for (const { gate, generation } of reservation.entries) {
      leaveGate(gate, { generation, startedAt: reservation.startedAt }, false)
    }
  }

  observe(signal: LedgerSignal, now: number, opId: string): void {
    if (this.#answers.get(opId) !== undefined) return
    this.#answers.set(opId, 'observed')
    if (signal.kind === 'remaining') this.#observeRemaining(signal, now)
    else this.#observeLimited(signal, now)
  }

  read(resource: string, now: number): MeterReading | undefined {
    const meter = this.#meters.get(resource)
    if (meter === undefined) return undefined
    advanceMeter(meter, now)
    return readMeter(meter)
  }

  readGate(key: string, now: number): GateReading {
    const gate = this.#gates.get(key)
    return gate ? readGateAt(gate, now) : { state: 'open', coolUntil: 0, startsLeft: null }
  }

  #addMeter(constraint: Constraint, now: number): Meter {
    const meter = createMeter(constraint, now)
    this.#meters.set(meter.resource, meter)
    const siblings = this.#metersByKey.get(constraint.key)
    if (siblings === undefined) this.#metersByKey.set(constraint.key, [meter])
    else siblings.push(meter)
    return meter
  }

  #getMeter(resource: string, now: number): Meter {
    const meter = this.#meters.get(resource)
    if (meter === undefined) {
      throw new AuditToolsError('internal-fault', `"${resource}" was charged but never declared`)
    }
    advanceMeter(meter, now)
    return meter
  }

  #checkGate(key: string, now: number): Refusal | undefined {
    const gate = this.#gates.get(key)
    if (gate === undefined) return undefined
    const { state, coolUntil, startsLeft } = readGateAt(gate, now)
    if (state === 'open' || startsLeft !== 0) return undefined
    const retryAt = state === 'probing' ? null : coolUntil
    return { kind: 'refused', binding: key, cause: state, retryAt }
  }

  #take(charges: readonly Charge[], now: number): Reservation {
    const holds = charges.map(({ resource, micro }) => {
      const meter = this.#getMeter(resource, now)
      const hold = takeFromMeter(meter, clampToCapacity(meter, micro))
      const ramp = this.#ramps.get(meter)
      if (ramp !== undefined) noteStart(ramp, meter.reservedMicro / toMicro(1))
      return hold
    })
    return { startedAt: now, holds, entries: this.#enterGates(holds) }
  }

  /** A key that never rested has no gate, and most keys never rest. */
  #enterGates(holds: readonly Hold[]): Reservation['entries'] {
    if (this.#gates.size === 0) return noEntries
    const keys = new Set(holds.map(({ meter }) => meter.constraint.key))
    return [...keys].flatMap((key) => {
      const gate = this.#gates.get(key)
      return gate === undefined ? [] : [{ gate, generation: enterGate(gate) }]
    })
  }

  #close({ startedAt, holds, entries }: Reservation, isClean: boolean): void {
    for (const { gate, generation } of entries) leaveGate(gate, { generation, startedAt }, isClean)
    if (!isClean) return
    for (const { meter } of holds) {
      const ramp = this.#ramps.get(meter)
      if (ramp === undefined) continue
      noteClean(ramp)
      resizeMeter(meter, toMicro(ramp.limit))
    }
  }

  #observeRemaining(
    { resource, remaining, startedAt }: Extract<LedgerSignal, { kind: 'remaining' }>,
    now: number,
  ): void {
    const meter = this.#getMeter(resource, now)
    let laterMicro = 0
    for (const reservation of this.#reservations.values()) {
      if (reservation.startedAt <= startedAt) continue
      laterMicro += reservation.holds.find((hold) => hold.meter === meter)?.micro ?? 0
    }
    // The figure is a whole number, as old as the head of the reply; what came back since then is not in it.
    const sinceMicro = measureRefill(meter, now - startedAt)
    lowerLevel(meter, toMicro(remaining + 1) + sinceMicro - laterMicro)
  }

  #observeLimited(signal: Extract<LedgerSignal, { kind: 'limited' }>, now: number): void {
    const gate = this.#gates.get(signal.key) ?? createGate()
    this.#gates.set(signal.key, gate)
    closeGate(gate, signal, now)
    const meters = this.#metersByKey.get(signal.key) ?? []
    for (const meter of meters) {
      advanceMeter(meter, now)
      const ramp = this.#ramps.get(meter)
      if (ramp === undefined) continue
      noteRejected(ramp, signal.startedAt, now)
      resizeMeter(meter, toMicro(ramp.limit))
    }
    const short = this.#findShortRate(signal, now)
    if (short !== undefined) calibrateMeter(short.meter, short.micro, gate.coolUntil)
  }

  /** The rate that most likely refused a call which our own level would have admitted: the one with the least to spare. */
  #findShortRate(
    { charges = [], unit }: Extract<LedgerSignal, { kind: 'limited' }>,
    now: number,
  ): { meter: Meter; micro: number } | undefined {
    const asked = charges.map(({ resource, micro }) => ({
      meter: this.#getMeter(resource, now),
      micro,
    }))
    return asked
      .filter(({ meter: { constraint }, micro }) => constraint.kind === 'rate' && micro > 0)
      .filter(({ meter: { constraint } }) => unit === undefined || constraint.unit === unit)
      .toSorted((left, right) => measureSlack(left) - measureSlack(right))[0]
  }
}

function checkLevel(meter: Meter, { micro }: Charge): Refusal | undefined {
  const needed = clampToCapacity(meter, micro)
  if (needed <= 0 || readLevel(meter) >= needed) return undefined
  const retryAt = findFreeAt(meter, needed)
  return { kind: 'refused', binding: meter.resource, cause: 'level', retryAt }
}

/** The refusal that lasts longer; one without a time lasts longest. */
function pickLater(left: Refusal | undefined, right: Refusal): Refusal {
  if (left === undefined) return right
  if (left.retryAt === null || right.retryAt === null) return left.retryAt === null ? left : right
  return left.retryAt >= right.retryAt ? left : right
}

function measureSlack({ meter, micro }: { meter: Meter; micro: number }): number {
  return (readLevel(meter) - micro) / meter.capacityMicro
}

function readMeter(meter: Meter): MeterReading {
  const levelMicro = readLevel(meter)
  return {
    resource: meter.resource,
    constraint: meter.constraint,
    capacityMicro: meter.capacityMicro,
    levelMicro,
    reservedMicro: meter.reservedMicro,
    admittedMicro: meter.admittedMicro,
    refilledMicro: meter.refilledMicro - (meter.levelMicro - levelMicro),
  }
}
