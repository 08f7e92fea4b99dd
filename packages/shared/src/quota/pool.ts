import type { ChargingModel } from './charging.ts'
import type { Constraint, ConstraintUnit } from './constraint.ts'

/** What a model is fit for, least first. */
export type Rank = 'small' | 'standard' | 'deep'

export type Ability = 'read_files' | 'edit_files' | 'structured_output'

/** US dollars per million tokens. */
export interface PoolCost {
  readonly input: number
  readonly output: number
  readonly cachedInput?: number
}

/** A plan window as a source declares it. */
export interface SourceWindow {
  readonly unit: ConstraintUnit
  readonly limit?: number | undefined
  readonly per_seconds?: number | undefined
  /** RFC 3339. */
  readonly resets_at?: string | undefined
}

/** Limits as a source of the session config declares them. */
export interface SourceQuota {
  readonly context_tokens?: number | undefined
  readonly output_tokens?: number | undefined
  readonly concurrency?: number | undefined
  readonly requests_per_minute?: number | undefined
  readonly tokens_per_minute?: number | undefined
  readonly input_tokens_per_minute?: number | undefined
  readonly output_tokens_per_minute?: number | undefined
  readonly windows?: readonly SourceWindow[] | undefined
}

/** One configured backend, in the names of the session config. */
export interface Source {
  readonly id?: string | undefined
  readonly provider: string
  readonly endpoint?: string | undefined
  readonly model?: string | undefined
  readonly command?: string | readonly string[] | undefined
  readonly in_process?: boolean | undefined
  readonly api_key_env?: string | undefined
  readonly account?: string | undefined
  readonly rank?: Rank | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  readonly cost?:
    | {
        readonly input: number
        readonly output: number
        readonly cached?: number | undefined
      }
    | undefined
  readonly quota?: SourceQuota | undefined
}

/** Limits that a provider stated or that its replies showed. Absent, null, zero and negative figures say nothing. */
export interface DiscoveredLimits {
  readonly context_tokens?: number | null | undefined
  readonly output_tokens?: number | null | undefined
  readonly requests_per_minute?: number | null | undefined
  readonly input_tokens_per_minute?: number | null | undefined
  readonly output_tokens_per_minute?: number | null | undefined
  readonly source?: string
}

/** What is known of a plan window at one moment. */
export interface UsageWindow {
  readonly unit: ConstraintUnit
  readonly limit?: number | null
  readonly used?: number | null
  readonly remaining?: number | null
  /** RFC 3339. */
  readonly resets_at?: string | null
  readonly period_seconds?: number | null
}

/** One reading of a usage source. */
export interface QuotaSourceSnapshot {
  readonly source: string
  /** RFC 3339. */
  readonly captured_at: string
  readonly windows: readonly UsageWindow[]
  readonly max_safe_concurrency?: number | null
  /** RFC 3339. */
  readonly cooldown_until?: string | null
}

/** What was learned of one model over runs; amounts are weights that decay. */
export interface QuotaStateEntry {
  /** RFC 3339; the instant to which the weights have decayed. */
  readonly updated_at: string
  /** By concurrency: how often it went well, and how often it was limited. */
  readonly levels: Readonly<Record<string, { readonly clean: number; readonly limited: number }>>
  /** RFC 3339. */
  readonly cooldown_until: string | null
  /** RFC 3339. */
  readonly last_429_at: string | null
}

/** What work is assigned to: one source and model with its limits. */
export interface CapacityPool {
  /** Stable and unique. */
  readonly id: string
  readonly providerName: string
  readonly hostModel: string | null
  /** Concurrency of the host's subagents or of a command, where it is known. */
  readonly hostConcurrencyLimit: number | null
  /** How work reaches it. Where absent, an endpoint or a known API provider makes it `api`, else it is `cli`. */
  readonly kind?: 'api' | 'cli' | 'host'
  readonly rank?: Rank
  /** Who pays: pools with the same key share its limits. Where absent, the pool is its own account. */
  readonly accountKey?: string
  /** Absent means unknown, and is never replaced by an invented figure. */
  readonly contextTokens?: number
  readonly outputTokens?: number
  readonly abilities?: readonly Ability[]
  readonly constraints?: readonly Constraint[]
  readonly cost?: PoolCost
  /** Where absent, the provider's usual one. */
  readonly charging?: ChargingModel
  readonly source?: Source
  readonly quotaStateEntry?: QuotaStateEntry | null
  readonly quotaSourceSnapshot?: QuotaSourceSnapshot | null
  readonly discoveredLimits?: DiscoveredLimits | null
  /** A signal of this pool exists but could not be read. */
  readonly quotaSignalDegraded?: boolean
}

/** The part of the session config that limits depend on. */
export interface QuotaSessionConfig {
  readonly quota?:
    | {
        readonly enabled?: boolean | undefined
        readonly ramp_up_enabled?: boolean | undefined
        readonly first_contact_concurrency?: number | undefined
        readonly unknown_hosted_concurrency?: number | undefined
        readonly unknown_local_concurrency?: number | undefined
        readonly default_context_tokens?: number | undefined
        readonly reserved_output_tokens?: number | undefined
        readonly host_active_subagent_limit?: number | undefined
        readonly empirical_half_life_hours?: number | undefined
        readonly safety_margin?: number | undefined
        readonly models?: Readonly<Record<string, Omit<DiscoveredLimits, 'source'>>> | undefined
      }
    | undefined
  readonly budget?:
    | { readonly usd?: number | undefined; readonly tokens?: number | undefined }
    | undefined
}

const apiProviders: ReadonlySet<string> = new Set(['openai-compatible', 'anthropic'])

export function readPoolKind(pool: CapacityPool): 'api' | 'cli' | 'host' {
  if (pool.kind !== undefined) return pool.kind
  const isApi = pool.source?.endpoint !== undefined || apiProviders.has(pool.providerName)
  return isApi ? 'api' : 'cli'
}

/** The keys under which limits and rests of a pool are kept, widest first. */
export interface PoolKeys {
  readonly account: string
  /** The model on that account: pools of one account and model share what is known of the model. */
  readonly accountModel: string
  /** Undefined when no endpoint is named. */
  readonly endpoint: string | undefined
  readonly model: string
}

export function namePoolKeys(pool: CapacityPool): PoolKeys {
  const endpoint = pool.source?.endpoint
  const account = `account:${pool.accountKey ?? pool.id}`
  return {
    account,
    accountModel: `${account}/${pool.hostModel ?? 'default'}`,
    endpoint: endpoint === undefined ? undefined : `endpoint:${endpoint}`,
    model: `model:${pool.id}`,
  }
}
