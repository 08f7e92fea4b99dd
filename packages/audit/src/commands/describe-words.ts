import type { CommandContext } from '@audit-tools/shared/cli'
import { findExecutable } from '@audit-tools/shared/process'
import { readRealPath } from '@audit-tools/shared/store'

import type { CommandWords } from '../host/index.ts'
import type { AuditSession } from '../run/index.ts'

/** How this tool and this place are written in commands that a host runs later. */
export function describeWords(
  context: CommandContext,
  session: Pick<AuditSession, 'root'>,
): CommandWords {
  const { common } = context
  return {
    tool: describeTool(context),
    place: [
      '--root',
      session.root,
      ...(common.artifactsDir === undefined ? [] : ['--artifacts-dir', common.artifactsDir]),
      ...(common.config === undefined ? [] : ['--config', common.config]),
    ],
    platform: process.platform,
  }
}

/** The short name where the shell finds this very program under it, else the program by its path. */
function describeTool({ name, environment }: CommandContext): string[] {
  const script = process.argv[1]
  if (script === undefined) return [name]
  const found = findExecutable(name, environment)
  const isSame = found !== undefined && readRealPath(found) === readRealPath(script)
  return isSame ? [name] : [process.execPath, script]
}
