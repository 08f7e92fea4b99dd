import type { MeteredConstraint } from './charging.ts'
import type { Constraint } from './constraint.ts'
import type { Charge, GateReading, Ledger } from './ledger.ts'
import { createMeter, toMicro } from './meter.ts'

/** What one resource still allows, while a plan takes from it. Amounts are micro-units. */
export interface ResourceView {
  readonly resource: string
  readonly constraint: Constraint
  readonly capacityMicro: number
  levelMicro: number
  readonly gate: GateReading
}

/**
 * A copy of ledger levels at one instant from which a plan takes what it hands out, so that pools which share a resource
 * see each other's takes. The ledger itself decides when the plan reserves.
 */
export interface LedgerView {
  /** The view of a constraint; one that the ledger does not know counts as unused. */
  open(metered: MeteredConstraint): ResourceView
  take(charges: readonly Charge[]): void
}

export function createLedgerView(ledger: Ledger, now: number): LedgerView {
  const views = new Map<string, ResourceView>()
  return {
    open(metered) {
      const known = views.get(metered.resource)
      if (known !== undefined) return known
      const view = readView(ledger, metered, now)
      views.set(metered.resource, view)
      return view
    },
    take(charges) {
      for (const { resource, micro } of charges) {
        const view = views.get(resource)
        if (view !== undefined) view.levelMicro -= clampToView(view, micro)
      }
    },
  }
}

function readView(
  ledger: Ledger,
  { constraint, resource }: MeteredConstraint,
  now: number,
): ResourceView {
  const { capacityMicro, levelMicro } = ledger.read(resource, now) ?? createMeter(constraint, now)
  const gate = ledger.readGate(constraint.key, now)
  // A probing key counts its starts where every start counts: in its sessions.
  const startsLeft = constraint.kind === 'concurrency' ? gate.startsLeft : null
  const allowed = startsLeft === null ? levelMicro : Math.min(levelMicro, toMicro(startsLeft))
  return { resource, constraint, capacityMicro, levelMicro: allowed, gate }
}

/** What a charge takes of the resource: work above what a rate or window ever holds waits for all of it. */
export function clampToView(view: ResourceView, micro: number): number {
  const { kind } = view.constraint
  const isStretched = (kind === 'rate' || kind === 'window') && view.capacityMicro > 0
  return isStretched ? Math.min(micro, view.capacityMicro) : micro
}

/** Whether the resource allows the charge now. */
export function allowsCharge(view: ResourceView, micro: number): boolean {
  if (view.gate.state === 'cooling' || view.gate.state === 'parked') return false
  return micro <= 0 || view.levelMicro >= clampToView(view, micro)
}
