import { type Confidence, readFigure } from './constraint.ts'
import { lookupModel } from './model-key.ts'
import type { DiscoveredLimits, QuotaSessionConfig, SourceQuota } from './pool.ts'

const DEFAULT_CONTEXT_TOKENS = 32_000
const DEFAULT_OUTPUT_TOKENS = 4_096

/** The limits of a model, in the names of the contract; null means unknown. */
export interface ResolvedLimits {
  readonly context_tokens: number
  readonly output_tokens: number
  readonly requests_per_minute: number | null
  readonly input_tokens_per_minute: number | null
  readonly output_tokens_per_minute: number | null
}

/** The limits with how far to trust them: `source` is the strongest origin that gave a figure. */
export interface LimitResolution {
  readonly resolved_limits: ResolvedLimits
  readonly confidence: Confidence
  readonly source: 'config' | 'discovered' | 'default'
  /** False when `context_tokens` is only the default. */
  readonly isContextKnown: boolean
}

export interface LimitInput {
  readonly providerName: string
  readonly hostModel: string | null
  readonly sessionConfig: QuotaSessionConfig
  readonly declared?: SourceQuota | undefined
  readonly discoveredLimits?: DiscoveredLimits | null | undefined
}

/** Brings declared and discovered figures together: what the user declares wins, a default never poses as knowledge. */
export function resolveLimits(input: LimitInput): LimitResolution {
  const { quota } = input.sessionConfig
  const configured = lookupModel(quota?.models, input.providerName, input.hostModel)
  const discovered = quota?.enabled === false ? undefined : input.discoveredLimits
  const pick = (name: keyof Omit<DiscoveredLimits, 'source'>): PickedFigure => {
    const declared = readFigure(configured?.[name]) ?? readFigure(input.declared?.[name])
    if (declared !== undefined) return { value: declared, source: 'config' }
    const found = readFigure(discovered?.[name])
    return found === undefined
      ? { value: null, source: 'default' }
      : { value: found, source: 'discovered' }
  }
  const context = pick('context_tokens')
  const output = pick('output_tokens')
  const requests = pick('requests_per_minute')
  const inputRate = pick('input_tokens_per_minute')
  const outputRate = pick('output_tokens_per_minute')
  const source = pickStrongest([context, output, requests, inputRate, outputRate])
  return {
    resolved_limits: {
      context_tokens: context.value ?? quota?.default_context_tokens ?? DEFAULT_CONTEXT_TOKENS,
      output_tokens: output.value ?? quota?.reserved_output_tokens ?? DEFAULT_OUTPUT_TOKENS,
      requests_per_minute: requests.value,
      input_tokens_per_minute: inputRate.value,
      output_tokens_per_minute: outputRate.value,
    },
    confidence: confidenceOf[source],
    source,
    isContextKnown: context.value !== null,
  }
}

interface PickedFigure {
  readonly value: number | null
  readonly source: LimitResolution['source']
}

const confidenceOf = { config: 'high', discovered: 'medium', default: 'low' } as const

function pickStrongest(figures: readonly PickedFigure[]): LimitResolution['source'] {
  for (const source of ['config', 'discovered'] as const) {
    if (figures.some((figure) => figure.source === source)) return source
  }
  return 'default'
}
