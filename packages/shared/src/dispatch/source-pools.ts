import { type SessionConfig, splitExclusions } from '../config/index.ts'
import { hashParts } from '../core/index.ts'
import { findProvider, type Provider } from '../providers/index.ts'
import type { Ability, CapacityPool, PoolCost, Source } from '../quota/index.ts'
import { type AgentSections, completeAgentSource, listChosenAgents } from './agent-sections.ts'
import { type AccountContext, computeAccountKey } from './account-key.ts'

/** The part of the session config that sources come from. */
export type SourceConfigInput = Pick<
  SessionConfig,
  'sources' | 'exclude' | 'openai_compatible' | 'subprocess_template'
> &
  AgentSections

/** A source with the id that its pool has. */
export interface DispatchableSource {
  readonly id: string
  readonly source: Source
}

/** The id of a source: its own, or one made of what it is, so that the same source has the same id in every run. */
export function dispatchableSourceId(source: Source): string {
  if (source.id !== undefined) return source.id
  const { provider, model, endpoint, command, api_key_env: variable, account } = source
  const rest = [endpoint, command, variable, account].map((part) => JSON.stringify(part) ?? '')
  const suffix = hashParts(rest).slice(0, 6)
  return `${provider}/${model ?? 'default'}-${suffix}`
}

/**
 * The sources that work may go to, each with a unique id: those that the config lists, and a provider's own section where
 * it is complete and no source lists that provider. What the user excludes by provider or id is left out here and nowhere
 * else.
 */
export function collectDispatchableSources(config: SourceConfigInput): DispatchableSource[] {
  const listed: readonly Source[] = config.sources
  const implied = [...listImplied(config), ...listChosenAgents(config)].filter(
    ({ provider }) => !listed.some((source) => source.provider === provider),
  )
  const excluded = new Set(splitExclusions(config).backends)
  const ids = new Map<string, number>()
  return [...listed, ...implied]
    .map((source) => completeAgentSource(source, config))
    .map((source) => ({ id: makeUnique(dispatchableSourceId(source), ids), source }))
    .filter(({ id, source }) => !excluded.has(id) && !excluded.has(source.provider))
}

function listImplied({
  openai_compatible: api,
  subprocess_template: template,
}: SourceConfigInput): Source[] {
  const sources: Source[] = []
  if (api.base_url !== undefined && api.model !== undefined) {
    const { base_url: endpoint, model, api_key_env } = api
    sources.push({ provider: 'openai-compatible', endpoint, model, api_key_env })
  }
  if (template.command_template !== undefined) {
    sources.push({ provider: 'subprocess-template', command: template.command_template })
  }
  return sources
}

/** Equal sources without ids of their own are told apart by their order. */
function makeUnique(id: string, ids: Map<string, number>): string {
  const seen = (ids.get(id) ?? 0) + 1
  ids.set(id, seen)
  return seen === 1 ? id : makeUnique(`${id}-${seen}`, ids)
}

/** One pool for each source that is not excluded. */
export function buildSourcePools(
  config: SourceConfigInput,
  context: AccountContext,
): CapacityPool[] {
  return collectDispatchableSources(config).map((source) => buildSourcePool(source, context))
}

/** The pool of one source. Figures that the source does not state stay unknown. */
export function buildSourcePool(
  { id, source }: DispatchableSource,
  context: AccountContext,
): CapacityPool {
  const provider = findProvider(source.provider)
  const { quota, cost, rank } = source
  return {
    id,
    providerName: source.provider,
    hostModel: source.model ?? null,
    hostConcurrencyLimit: null,
    ...(provider === undefined ? {} : { kind: readKind(provider) }),
    accountKey: computeAccountKey(source, context),
    abilities: provider === undefined ? [] : readAbilities(provider),
    source,
    ...(rank === undefined ? {} : { rank }),
    ...(quota?.context_tokens === undefined ? {} : { contextTokens: quota.context_tokens }),
    ...(quota?.output_tokens === undefined ? {} : { outputTokens: quota.output_tokens }),
    ...(cost === undefined ? {} : { cost: readCost(cost) }),
  }
}

function readKind({ kind }: Provider): NonNullable<CapacityPool['kind']> {
  return kind === 'api' || kind === 'host' ? kind : 'cli'
}

function readAbilities({ kind, abilities }: Provider): Ability[] {
  return [
    ...(abilities.readsFiles ? (['read_files'] as const) : []),
    // A program that runs in a workspace can write there; an API only answers.
    ...(abilities.readsFiles && kind !== 'api' ? (['edit_files'] as const) : []),
    ...(abilities.structuredOutput ? (['structured_output'] as const) : []),
  ]
}

function readCost({ input, output, cached }: NonNullable<Source['cost']>): PoolCost {
  return { input, output, ...(cached === undefined ? {} : { cachedInput: cached }) }
}

/** The source of a pool; undefined for a pool without one, such as the host's. */
export function sourceByPoolId(pools: readonly CapacityPool[], poolId: string): Source | undefined {
  return pools.find(({ id }) => id === poolId)?.source
}

/** What discovery found that is neither known nor closed for this run: a settled pool is never offered again as new. */
export function filterNewProviders<Found extends { readonly id: string }>(
  discovered: readonly Found[],
  known: Iterable<string>,
  settled: Iterable<string>,
): Found[] {
  const old = new Set([...known, ...settled])
  return discovered.filter(({ id }) => !old.has(id))
}
