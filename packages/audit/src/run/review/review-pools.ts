import type { SessionConfig, SourceConfig } from '@audit-tools/shared/config'
import {
  collectDispatchableSources,
  buildSourcePool,
  readAccountSecret,
} from '@audit-tools/shared/dispatch'
import { findProvider, type LaunchContext } from '@audit-tools/shared/providers'
import type { CapacityPool } from '@audit-tools/shared/quota'

import { isInProcess } from '../is-in-process.ts'

/** Pools that this tool launches itself. */
export interface ReviewPools {
  readonly pools: readonly CapacityPool[]
  readonly sources: ReadonlyMap<string, SourceConfig>
  /** Configured, but not to be used as they are. */
  readonly unusable: readonly { readonly id: string; readonly problem: string }[]
}

/** Builds the in-process pools of the configuration and says what is wrong with those that cannot be used. */
export function openReviewPools(config: SessionConfig, context: LaunchContext): ReviewPools {
  const { environment } = context
  const listed = collectDispatchableSources(config)
  if (listed.length === 0) return { pools: [], sources: new Map(), unusable: [] }
  const secret = readAccountSecret(environment)
  const sources = new Map<string, SourceConfig>()
  const unusable: { id: string; problem: string }[] = []
  const pools: CapacityPool[] = []
  for (const listing of listed) {
    const pool = buildSourcePool(listing, { environment, secret })
    if (!isInProcess(pool)) continue
    const source = listing.source as SourceConfig
    const provider = findProvider(source.provider)
    const problem =
      provider === undefined
        ? `there is no adapter for ${source.provider} yet`
        : provider.checkSource(source, context)
    if (problem !== null) {
      unusable.push({ id: listing.id, problem })
      continue
    }
    sources.set(listing.id, source)
    pools.push(pool)
  }
  return { pools, sources, unusable }
}
