import type { Constraint } from './constraint.ts'
import type { Charge } from './ledger.ts'
import { toMicro } from './meter.ts'
import type { PoolCost } from './pool.ts'

/** What a provider counts against its limits, and when. */
export interface ChargingModel {
  /** Output counts as it is produced, as the whole `max_tokens` until the call ends, or not at all. */
  readonly output: 'as_produced' | 'max_tokens' | 'not_counted'
  readonly cachedInput: 'counted' | 'free'
  /** Whether a rejected call uses up a request. */
  readonly rejectedRequests: 'counted' | 'free'
}

/** What a piece of work is expected to use. */
export interface WorkEstimate {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The `max_tokens` that the call will ask for. */
  readonly maxOutputTokens: number
}

/** What a call really used, as the provider reports it. */
export interface WorkUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The part of `inputTokens` that was read from a cache. */
  readonly cachedInputTokens?: number
  readonly costUsd?: number
}

/** From the providers' documentation of their limits, late 2026. */
const chargingModels: Readonly<Record<string, ChargingModel>> = {
  anthropic: { output: 'as_produced', cachedInput: 'free', rejectedRequests: 'free' },
  'openai-compatible': {
    output: 'max_tokens',
    cachedInput: 'counted',
    rejectedRequests: 'counted',
  },
}

const plainCharging: ChargingModel = {
  output: 'as_produced',
  cachedInput: 'counted',
  rejectedRequests: 'free',
}

export function chooseChargingModel(providerName: string): ChargingModel {
  return Object.hasOwn(chargingModels, providerName)
    ? (chargingModels[providerName] ?? plainCharging)
    : plainCharging
}

/** A constraint with the name of the resource that it meters. */
export interface MeteredConstraint {
  readonly constraint: Constraint
  readonly resource: string
}

/** Who charges: the limits, how they count, and what tokens cost. */
export interface ChargedPool {
  readonly metered: readonly MeteredConstraint[]
  readonly charging: ChargingModel
  readonly cost: PoolCost | undefined
}

/** The amount of each constraint that a start takes. */
export function computeCharges(pool: ChargedPool, estimate: WorkEstimate): Charge[] {
  return pool.metered.map(({ constraint, resource }) => ({
    resource,
    micro: measureCharge(pool, constraint, estimate),
  }))
}

/** The amount of one constraint that a start takes, in micro-units. */
export function measureCharge(
  pool: ChargedPool,
  constraint: Constraint,
  estimate: WorkEstimate,
): number {
  return toMicro(measureStart(constraint, estimate, pool))
}

function measureStart({ unit }: Constraint, estimate: WorkEstimate, pool: ChargedPool): number {
  const output = countOutput(pool.charging, estimate)
  switch (unit) {
    case 'session':
    case 'request':
      return 1
    case 'input_token':
      return estimate.inputTokens
    case 'output_token':
      return output
    case 'token':
      return estimate.inputTokens + output
    case 'usd':
      return computeCost(pool.cost, estimate)
    // What a start uses of a plan is not known before it was measured; the least amount keeps a used-up window closed.
    case 'percent':
      return 0.000001
  }
}

function countOutput({ output }: ChargingModel, estimate: WorkEstimate): number {
  if (output === 'not_counted') return 0
  return output === 'max_tokens' ? estimate.maxOutputTokens : estimate.outputTokens
}

/** The amount of each constraint that a finished call used. */
export function computeActualCharges(pool: ChargedPool, usage: WorkUsage): Charge[] {
  const cached = pool.charging.cachedInput === 'free' ? (usage.cachedInputTokens ?? 0) : 0
  const input = Math.max(0, usage.inputTokens - cached)
  const actual: WorkEstimate = {
    inputTokens: input,
    outputTokens: usage.outputTokens,
    maxOutputTokens: usage.outputTokens,
  }
  return pool.metered.map(({ constraint, resource }) => ({
    resource,
    micro: toMicro(
      constraint.unit === 'usd'
        ? (usage.costUsd ?? computeCost(pool.cost, usage))
        : measureStart(constraint, actual, pool),
    ),
  }))
}

/** What a call that was turned away used: nothing, or a request where the provider counts it. */
export function computeRejectedCharges(pool: ChargedPool): Charge[] {
  return pool.metered.map(({ constraint, resource }) => {
    const isCounted =
      constraint.unit === 'session' ||
      (constraint.unit === 'request' && pool.charging.rejectedRequests === 'counted')
    return { resource, micro: isCounted ? toMicro(1) : 0 }
  })
}

function computeCost(
  cost: PoolCost | undefined,
  { inputTokens, outputTokens, ...rest }: WorkUsage | WorkEstimate,
): number {
  if (cost === undefined) return 0
  const cached = 'cachedInputTokens' in rest ? (rest.cachedInputTokens ?? 0) : 0
  const cachedPrice = cost.cachedInput ?? cost.input
  return (
    ((inputTokens - cached) * cost.input + cached * cachedPrice + outputTokens * cost.output) /
    1_000_000
  )
}
