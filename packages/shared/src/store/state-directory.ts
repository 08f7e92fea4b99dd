import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { Environment } from '../core/index.ts'

/**
 * The directory for what outlives a run and belongs to the user: `AUDIT_TOOLS_HOME`, else `audit-tools` in an absolute
 * `XDG_STATE_HOME` (the specification has relative ones ignored), else `~/.local/state/audit-tools`. Not created here.
 */
export function resolveStateDirectory(environment: Environment): string {
  const home = environment['AUDIT_TOOLS_HOME']
  if (home) return resolve(home)
  const stateHome = environment['XDG_STATE_HOME']
  if (stateHome && isAbsolute(stateHome)) return join(stateHome, 'audit-tools')
  return join(environment['HOME'] || homedir(), '.local', 'state', 'audit-tools')
}
