import type { CommandContext } from '@audit-tools/shared/cli'
import { AuditToolsError } from '@audit-tools/shared/core'
import { inspectRepository, listTrackedFiles } from '@audit-tools/shared/git'
import { inspectPath, resolveAnchor } from '@audit-tools/shared/store'
import { join } from 'node:path'

import type { IntakeTree } from '../intake/index.ts'

/**
 * The tree to remediate: `--root`, else the top of the repository that the caller stands in, with its tracked files. Where
 * there is no repository the files stay unknown and paths are taken as they are.
 */
export async function openTree(context: CommandContext): Promise<IntakeTree> {
  const named = context.common.root ?? resolveAnchor(context.cwd)
  if (inspectPath(join(named, '.')).kind !== 'directory') {
    throw new AuditToolsError('root-invalid', `${named} is not a directory. Name one with --root`, {
      details: { root: named },
    })
  }
  const inspection = await inspectRepository(named)
  switch (inspection.kind) {
    case 'repository': {
      const { repository } = inspection
      if (repository.bare) return { root: named }
      const isInferred = context.common.root === undefined
      const tracked = await listTrackedFiles(repository, { signal: context.signal })
      const prefix = isInferred || repository.prefix === '' ? '' : `${repository.prefix}/`
      return {
        root: isInferred ? repository.root : named,
        files: tracked.flatMap(({ path }) =>
          path.startsWith(prefix) ? [path.slice(prefix.length).normalize('NFC')] : [],
        ),
      }
    }
    case 'not_a_repository':
      return { root: named }
    case 'git_missing':
    case 'git_too_old':
    case 'failed':
      context.output.note(`The files of ${named} are not known, as git cannot be used here`)
      return { root: named }
  }
}
