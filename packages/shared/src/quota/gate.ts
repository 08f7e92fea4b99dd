import type { GateReading, LedgerSignal } from './ledger.ts'
import { createRamp, noteClean, noteStart, type Ramp } from './ramp.ts'

/** Waits that no provider stated: the first, and the longest that doubling reaches. */
const unstatedWaits = {
  cooling: { firstMs: 2_000, longestMs: 60_000 },
  parked: { firstMs: 15 * 60_000, longestMs: 6 * 3_600_000 },
} as const

/** Waits after a plan window that its provider said would be open again, and that is not: the clocks may differ. */
const overdueWaitsMs = [60_000, 120_000, 300_000, 600_000] as const

/** A rest at least this long ends by a probe: whoever waited for it must not come back all at once. */
const PROBE_AFTER_MS = 60_000

/** So does any rest once this many incidents came in a row. */
const PROBE_AFTER_INCIDENTS = 3

type LimitedSignal = Extract<LedgerSignal, { kind: 'limited' }>

/** Whether a key admits work: closed until an instant, then, after a long rest, open to one probe and a ramp. */
export interface Gate {
  /** Epoch milliseconds; never goes back. */
  coolUntil: number
  rest: 'cooling' | 'parked'
  wakesByProbe: boolean
  /** Limits starts while the key comes back; undefined before the rest is over. */
  ramp: Ramp | undefined
  rampInFlight: number
  /** Tells starts under the current ramp from earlier ones. */
  generation: number
  /** When the latest incident was first seen; rejected calls that started before belong to it. */
  incidentAt: number
  /** Incidents since work last went well. */
  incidents: number
  /** Rejections since the provider's own stated reset passed; undefined while it stated none. */
  overdue: number | undefined
}

export function createGate(): Gate {
  return {
    coolUntil: 0,
    rest: 'cooling',
    wakesByProbe: false,
    ramp: undefined,
    rampInFlight: 0,
    generation: 0,
    incidentAt: Number.NEGATIVE_INFINITY,
    incidents: 0,
    overdue: undefined,
  }
}

/** Takes a rejection in. A stated time stands as it is; the later of two times wins. */
export function closeGate(gate: Gate, signal: LimitedSignal, now: number): void {
  const isSameIncident = signal.startedAt <= gate.incidentAt
  if (!isSameIncident) {
    gate.incidents += 1
    gate.incidentAt = now
  }
  // A stated time that has passed already says as little as none.
  const stated = signal.until !== null && signal.until > now ? signal.until : undefined
  if (stated !== undefined) gate.overdue = 0
  else if (!isSameIncident && gate.overdue !== undefined) gate.overdue += 1
  const until = stated ?? (isSameIncident ? gate.coolUntil : now + computeWait(gate, signal))
  if (until <= Math.max(now, gate.coolUntil)) return
  gate.rest = signal.rest
  gate.coolUntil = until
  gate.wakesByProbe ||=
    signal.wakesByProbe || until - now >= PROBE_AFTER_MS || gate.incidents >= PROBE_AFTER_INCIDENTS
  gate.ramp = undefined
}

function computeWait(gate: Gate, signal: LimitedSignal): number {
  const waitMs =
    signal.rest === 'parked' && gate.overdue
      ? readOverdueWait(gate.overdue)
      : readUnstatedWait(gate, signal)
  return Math.round(waitMs * (1 + signal.jitter / 2))
}

function readOverdueWait(rejections: number): number {
  const last = overdueWaitsMs.length - 1
  return overdueWaitsMs[Math.min(rejections - 1, last)] ?? overdueWaitsMs[last] ?? 0
}

function readUnstatedWait(gate: Gate, signal: LimitedSignal): number {
  const { firstMs, longestMs } = unstatedWaits[signal.rest]
  return Math.min(longestMs, firstMs * 2 ** (gate.incidents - 1))
}

export function readGateAt(gate: Gate, now: number): GateReading {
  const { coolUntil } = gate
  if (now < coolUntil) return { state: gate.rest, coolUntil, startsLeft: 0 }
  if (!gate.wakesByProbe) return { state: 'open', coolUntil, startsLeft: null }
  const limit = gate.ramp?.limit ?? 1
  const inFlight = gate.ramp === undefined ? 0 : gate.rampInFlight
  return { state: 'probing', coolUntil, startsLeft: Math.max(0, limit - inFlight) }
}

/** Counts a start; returns the generation that its end must name. */
export function enterGate(gate: Gate): number {
  if (!gate.wakesByProbe) return gate.generation
  if (gate.ramp === undefined) {
    gate.ramp = createRamp({ start: 1, growth: 'double' })
    gate.rampInFlight = 0
    gate.generation += 1
  }
  gate.rampInFlight += 1
  noteStart(gate.ramp, gate.rampInFlight)
  return gate.generation
}

/** What the gate remembers of a start. */
export interface GateEntry {
  readonly generation: number
  readonly startedAt: number
}

/** Counts an end. Work that went well widens the ramp until the ramp is no longer in the way. */
export function leaveGate(gate: Gate, entry: GateEntry, isClean: boolean): void {
  if (isClean && entry.startedAt > gate.incidentAt) {
    gate.incidents = 0
    gate.overdue = undefined
  }
  if (gate.ramp === undefined || gate.generation !== entry.generation) return
  gate.rampInFlight -= 1
  if (isClean && noteClean(gate.ramp)) {
    gate.wakesByProbe = false
    gate.ramp = undefined
  }
}
