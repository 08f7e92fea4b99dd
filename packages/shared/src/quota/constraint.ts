/** What a limit counts. `token` is input and output together. */
export type ConstraintUnit =
  | 'session'
  | 'request'
  | 'token'
  | 'input_token'
  | 'output_token'
  | 'percent'
  | 'usd'

/**
 * How a limit gives back: `concurrency` when the work ends, `rate` continuously, `window` at its reset, `budget` never.
 */
export type ConstraintKind = 'concurrency' | 'rate' | 'window' | 'budget'

/** Where a figure comes from, strongest first. */
export type Provenance = 'declared' | 'observed' | 'learned' | 'default'

export type Confidence = 'high' | 'medium' | 'low'

/** How a concurrency limit that nobody states is found: where it starts, how it grows per clean round, and how far. */
export interface RampStart {
  readonly start: number
  readonly growth: 'double' | 'add'
  readonly most?: number
}

/** One limit with its scope. Pools share a limit by naming the same key, never by having the same figure. */
export interface Constraint {
  /** Whose limit it is: `account:<hash>`, `endpoint:<url>`, `model:<pool>`, `host:<session>`, `run`. */
  readonly key: string
  readonly kind: ConstraintKind
  readonly unit: ConstraintUnit
  /** In units. Unknown and unlimited are different: the first is probed, the second is not. */
  readonly limit: number | 'unknown' | 'unlimited'
  /** Length of a window, or the time in which a rate gives back its whole limit. */
  readonly perSeconds?: number
  /** The most a rate admits at once; the limit where absent. */
  readonly burst?: number
  /** Epoch milliseconds of a window's next reset, where known. */
  readonly resetsAt?: number
  /** Units of a window that were used before this ledger began to count. */
  readonly used?: number
  /** For an unknown concurrency only. */
  readonly ramp?: RampStart
  readonly provenance: Provenance
  readonly confidence: Confidence
}

/** Names what a constraint meters; constraints of equal name are one resource. */
export function nameResource(
  constraint: Pick<Constraint, 'key' | 'kind' | 'unit' | 'perSeconds'>,
): string {
  const { key, kind, unit, perSeconds } = constraint
  return perSeconds === undefined
    ? `${key} ${kind} ${unit}`
    : `${key} ${kind} ${unit}/${perSeconds}s`
}

/** One constraint per resource: where several figures are known for it, the tightest stands. */
export function mergeConstraints(constraints: readonly Constraint[]): Constraint[] {
  const merged = new Map<string, Constraint>()
  for (const constraint of constraints) {
    const resource = nameResource(constraint)
    const other = merged.get(resource)
    merged.set(resource, other === undefined ? constraint : pickTighter(other, constraint))
  }
  return [...merged.values()]
}

function pickTighter(left: Constraint, right: Constraint): Constraint {
  const tighter = isTighter(right, left) ? right : left
  const used = Math.max(left.used ?? 0, right.used ?? 0)
  const resetsAt = tighter.resetsAt ?? left.resetsAt ?? right.resetsAt
  return {
    ...tighter,
    ...(used > 0 ? { used } : {}),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  }
}

function isTighter(left: Constraint, right: Constraint): boolean {
  const difference = rankLimit(left.limit) - rankLimit(right.limit)
  return difference === 0 ? (left.ramp?.start ?? 0) < (right.ramp?.start ?? 0) : difference < 0
}

/** A figure is tighter than an unknown, which is tighter than none. */
function rankLimit(limit: Constraint['limit']): number {
  if (limit === 'unlimited') return Number.POSITIVE_INFINITY
  return limit === 'unknown' ? Number.MAX_VALUE : limit
}

/** The figure when it is a usable limit: providers send -1, 0, NaN and nothing for "no figure". */
export function readFigure(value: number | null | undefined): number | undefined {
  return value !== null && value !== undefined && Number.isFinite(value) && value > 0
    ? value
    : undefined
}
