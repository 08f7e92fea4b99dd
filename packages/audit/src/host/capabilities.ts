import type { SessionConfig } from '@audit-tools/shared/config'
import { type HostModel, parseHostModelRoster } from '@audit-tools/shared/dispatch'
import { readJsonFile, writeJsonFile } from '@audit-tools/shared/store'
import { z } from 'zod'

/** What a host says about itself; kept, so that it says it once. */
const CapabilitiesSchema = z.strictObject({
  can_dispatch_subagents: z.boolean().optional().describe('Whether it can start subagents'),
  can_restrict_subagent_tools: z.boolean().optional().describe('Whether it can limit their tools'),
  can_select_subagent_model: z.boolean().optional().describe('Whether it can choose their model'),
  max_active_subagents: z.int().positive().optional().describe('Most subagents at once'),
  models: z.string().optional().describe('Its roster of models, as it gave it'),
  understands_wait: z.boolean().optional().describe('Whether it knows the status `waiting`'),
})

export type HostCapabilities = z.infer<typeof CapabilitiesSchema>

/** Subagents at once where the host does not say. */
const DEFAULT_SUBAGENTS = 4

/**
 * What is known of the host, each answer from the first that gives it: flags, configuration, what it said before. Throws
 * `usage-invalid` on a roster that makes no sense.
 */
export function resolveCapabilities(
  path: string,
  flags: HostCapabilities,
  config: Pick<SessionConfig, 'host_can_dispatch_subagents' | 'quota'>,
): HostCapabilities {
  // What a host said once is a convenience: when it cannot be read, the host is asked again.
  const reading = readJsonFile(path, CapabilitiesSchema)
  const remembered = reading.kind === 'ok' ? reading.value : {}
  const { host_can_dispatch_subagents: canDispatch, quota } = config
  const limit = quota.host_active_subagent_limit
  const known = {
    ...remembered,
    ...(canDispatch === undefined ? {} : { can_dispatch_subagents: canDispatch }),
    ...(limit === undefined ? {} : { max_active_subagents: limit }),
    ...dropUndefined(flags),
  }
  if (known.models !== undefined) parseHostModelRoster(known.models)
  return known
}

export function rememberCapabilities(path: string, known: HostCapabilities): void {
  writeJsonFile(path, known)
}

export function countSubagents({ max_active_subagents: most }: HostCapabilities): number {
  return most ?? DEFAULT_SUBAGENTS
}

export function readRoster({ models }: HostCapabilities): HostModel[] {
  return models === undefined ? [] : parseHostModelRoster(models)
}

function dropUndefined(flags: HostCapabilities): HostCapabilities {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
}
