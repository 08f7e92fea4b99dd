import type { SessionConfig } from '@audit-tools/shared/config'
import { scheduleWave } from '@audit-tools/shared/quota'

/** `dispatch-quota.json`: how much the host may start, and what that rests on. */
export function describeQuota(
  runId: string,
  input: {
    readonly config: SessionConfig
    readonly limit: number
    readonly tokens: readonly number[]
  },
): object {
  const schedule = scheduleWave({
    providerName: 'host',
    sessionConfig: input.config,
    hostModel: null,
    requestedConcurrency: Math.max(1, input.limit),
    hostConcurrencyLimit: input.limit,
    estimatedSlotTokens: input.tokens,
  })
  return {
    contract_version: 'audit-code-dispatch-quota/v1alpha1',
    run_id: runId,
    model: schedule.model,
    resolved_limits: schedule.resolved_limits,
    confidence: schedule.confidence,
    source: schedule.source,
    wave_size: schedule.wave_size,
    estimated_wave_tokens: schedule.estimated_wave_tokens,
    cooldown_until: schedule.cooldown_until,
  }
}
