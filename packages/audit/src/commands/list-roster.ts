import type { CommandContext } from '@audit-tools/shared/cli'
import { splitExclusions } from '@audit-tools/shared/config'
import { collectDispatchableSources } from '@audit-tools/shared/dispatch'
import {
  type DiscoveredProvider,
  discoverProviders,
  findProvider,
} from '@audit-tools/shared/providers'

import type { AuditSession } from '../run/index.ts'

/** A configured source and whether it can be used as it is. */
export interface RosterSource {
  readonly id: string
  readonly provider: string
  readonly model: string | null
  /** Null: nothing is wrong with it, as far as can be seen without a call. */
  readonly problem: string | null
}

/** What could do work here. */
export interface Roster {
  readonly sources: readonly RosterSource[]
  /** Agent CLIs on this machine that no source names. */
  readonly found: readonly DiscoveredProvider[]
  /** Providers and sources that the configuration leaves out; they are in neither list. */
  readonly excluded: readonly string[]
}

/** Lists configured sources and the agent CLIs of this machine. Spends nothing. */
export async function listRoster(
  { config }: AuditSession,
  context: Pick<CommandContext, 'clock' | 'environment' | 'signal'>,
): Promise<Roster> {
  const sources = collectDispatchableSources(config).map(({ id, source }): RosterSource => {
    const provider = findProvider(source.provider)
    const problem =
      provider === undefined
        ? `there is no provider ${source.provider}`
        : provider.checkSource(source as Parameters<typeof provider.checkSource>[0], context)
    return { id, provider: source.provider, model: source.model ?? null, problem }
  })
  const { backends: excluded } = splitExclusions(config)
  const taken = new Set([...sources.map(({ provider }) => provider), ...excluded])
  const found = await discoverProviders(context)
  return { sources, found: found.filter(({ id }) => !taken.has(id)), excluded }
}

/** What the tools may reach here, by id. */
export function listReach({ sources, found }: Roster): string[] {
  return [...sources, ...found].map(({ id }) => id)
}

export function renderSource({ id, model, problem }: RosterSource): string {
  const name = model === null ? id : `${id} (${model})`
  return problem === null ? `  ${name}` : `  ${name}: not usable: ${problem}`
}

export function renderFound({
  id,
  title,
  version,
  path,
  login,
  selfMark,
}: DiscoveredProvider): string {
  const words = { logged_in: 'logged in', logged_out: 'not logged in', unknown: 'login unknown' }
  const inside = selfMark === null ? '' : `, and this runs inside it (${selfMark})`
  return `  ${id}: ${title} ${version ?? 'of unknown version'}, ${words[login]}${inside}, ${path}`
}
