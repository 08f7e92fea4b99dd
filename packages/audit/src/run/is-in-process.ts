import type { CapacityPool } from '@audit-tools/shared/quota'

const ALWAYS: ReadonlySet<string> = new Set(['openai-compatible', 'anthropic', 'codex', 'opencode'])

/**
 * Whether an audit launches a pool's work itself. A command of the user's own only when its source says so; Claude Code
 * only where it is a configured source, because the host's own pool has none; the host and editors never.
 */
export function isInProcess({ providerName, source }: CapacityPool): boolean {
  if (ALWAYS.has(providerName)) return true
  if (providerName === 'claude-code') return source !== undefined
  return providerName === 'subprocess-template' && source?.in_process === true
}
