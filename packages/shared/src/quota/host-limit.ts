import { readFigure } from './constraint.ts'
import type { QuotaSessionConfig } from './pool.ts'

/** How many subagents the host runs at once: what it said itself, else what is configured, else null for unknown. */
export function resolveHostActiveSubagentLimit(
  sessionConfig: QuotaSessionConfig,
  statedByHost?: number | null,
): number | null {
  return (
    readFigure(statedByHost) ?? readFigure(sessionConfig.quota?.host_active_subagent_limit) ?? null
  )
}
