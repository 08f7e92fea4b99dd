import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode } from '@audit-tools/shared/core'
import {
  buildProviderModelKey,
  buildQuotaSource,
  type CapacityPool,
  getQuotaStatePath,
  probeProvider,
  readQuotaState,
  resolveLimits,
  scheduleWave,
  setQuotaStateDir,
} from '@audit-tools/shared/quota'
import { z } from 'zod'

import { type AuditSession, openReviewPools, openSession } from '../run/index.ts'

export const command = defineCommand({
  name: 'quota',
  summary: 'Show the limits of every pool and what is known of their use',
  flags: z.object({
    quotaProbe: z.enum(['auto', 'never', 'force']).optional().describe('Ask providers for limits'),
  }),
  async run(flags, context) {
    const session = await openSession(context)
    setQuotaStateDir(session.stateDirectory)
    const { pools, unusable } = openReviewPools(session.config, context)
    const probe = flags.quotaProbe ?? session.config.quota.probe
    const views = pools.map((pool) => describePool(session, pool, probe))
    if (context.common.json) {
      context.output.json({ pools: views, unusable })
      return ExitCode.Done
    }
    if (pools.length === 0) context.output.write('No pool is configured.')
    for (const view of views) {
      const { resolved_limits: limits } = view
      context.output.write(
        `${view.pool_id}: ${limits.context_tokens} tokens of context, ` +
          `${limits.requests_per_minute ?? 'unknown'} requests a minute (${view.source}, ${view.confidence} confidence)`,
      )
    }
    for (const { id, problem } of unusable) context.output.write(`${id}: not used: ${problem}`)
    return ExitCode.Done
  },
})

function describePool(
  { config }: AuditSession,
  pool: CapacityPool,
  probe: 'auto' | 'never' | 'force',
) {
  const { providerName, hostModel, source } = pool
  const key = buildProviderModelKey(providerName, hostModel)
  const learned = readQuotaState().entries[key]
  const halfLifeHours = config.quota.empirical_half_life_hours
  const usage = buildQuotaSource({ halfLifeHours }).queryCurrentUsage(key)
  const limits = resolveLimits({
    providerName,
    hostModel,
    sessionConfig: config,
    declared: source?.quota,
  })
  return {
    pool_id: pool.id,
    provider: providerName,
    model: hostModel,
    provider_model_key: key,
    resolved_limits: limits.resolved_limits,
    confidence: limits.confidence,
    source: limits.source,
    probe: probeProvider(providerName, probe),
    learned_caps:
      learned === undefined
        ? null
        : {
            max_safe_concurrency: usage?.max_safe_concurrency ?? null,
            cooldown_until: learned.cooldown_until,
            last_429_at: learned.last_429_at,
          },
    wave_schedule: scheduleWave({
      providerName,
      sessionConfig: config,
      hostModel,
      requestedConcurrency: config.parallel_workers,
    }),
    account: pool.accountKey ?? null,
    windows: source?.quota?.windows ?? [],
    quota_state_path: getQuotaStatePath(),
  }
}
