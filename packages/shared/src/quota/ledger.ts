import type { Constraint, ConstraintUnit } from './constraint.ts'

/** An amount, in micro-units, to take from a resource. */
export interface Charge {
  readonly resource: string
  readonly micro: number
}

/** Why a key is closed: after a short limit, after a plan or day limit, or until its probe has come back well. */
type GateState = 'open' | 'cooling' | 'parked' | 'probing'

/** Why a reservation was not admitted. */
export interface Refusal {
  readonly kind: 'refused'
  /** The resource whose level is short, or the key that is closed. */
  readonly binding: string
  readonly cause: 'level' | Exclude<GateState, 'open'>
  /** First instant at which the same request is admitted when nothing else happens; null when only other work's end helps. */
  readonly retryAt: number | null
}

export type ReserveAnswer = { readonly kind: 'reserved'; readonly reservationId: string } | Refusal

/** How the reserved work ended, as far as limits care. */
export type Verdict = 'clean' | 'limited' | 'neutral'

export interface Settlement {
  /** What was really used; a resource that is not named counts as used as reserved. */
  readonly actual: readonly Charge[]
  readonly verdict: Verdict
}

/** What a provider said about its limits. */
export type LedgerSignal =
  /** A call was rejected: the key rests until the stated time, or for a growing time when none was stated. */
  | {
      readonly kind: 'limited'
      readonly key: string
      /** When the rejected call started; decides which incident it belongs to. */
      readonly startedAt: number
      readonly until: number | null
      /** In [0, 1): spreads waits that nobody stated. */
      readonly jitter: number
      readonly rest: 'cooling' | 'parked'
      /** Whether work comes back by one probe and a ramp, also after a short rest. */
      readonly wakesByProbe: boolean
      /** What the rejected call asked for; given where a rate of this key must have been short. */
      readonly charges?: readonly Charge[]
      /** The unit of the rate that was short, where the provider named it. */
      readonly unit?: ConstraintUnit
    }
  /** A reply stated what is left of a resource. */
  | {
      readonly kind: 'remaining'
      readonly resource: string
      readonly remaining: number
      /** When the call that got the reply started. */
      readonly startedAt: number
    }

export interface MeterReading {
  readonly resource: string
  readonly constraint: Constraint
  readonly capacityMicro: number
  readonly levelMicro: number
  readonly reservedMicro: number
  readonly admittedMicro: number
  readonly refilledMicro: number
}

export interface GateReading {
  readonly state: GateState
  /** Epoch milliseconds until which the key rests; 0 when it never did. */
  readonly coolUntil: number
  /** More starts that a probing key allows now; null when it does not count. */
  readonly startsLeft: number | null
}

/**
 * Books every use of every limit. Synchronous; amounts are conserved to the micro-unit. Repeating a call with the same
 * `opId` or reservation gives the same answer and changes nothing. An implementation shared by processes appends each
 * call to a log and answers from the call's own position in it.
 */
export interface Ledger {
  /** Makes resources known or changes their limits; what is used, reserved and owed stays. */
  declare(constraints: readonly Constraint[], now: number): void
  /** Takes every charge or none. Throws `internal-fault` for a resource that was never declared. */
  reserve(charges: readonly Charge[], now: number, opId: string): ReserveAnswer
  /** What `reserve` would answer, without taking anything; undefined when it would admit. */
  check(charges: readonly Charge[], now: number): Refusal | undefined
  /** Closes a reservation with what was used. Unknown or closed reservations are left alone. */
  settle(reservationId: string, settlement: Settlement, now: number): void
  /** Gives back a reservation whose work never started. */
  cancel(reservationId: string, now: number): void
  observe(signal: LedgerSignal, now: number, opId: string): void
  /** Undefined when the resource was never declared. */
  read(resource: string, now: number): MeterReading | undefined
  readGate(key: string, now: number): GateReading
}
