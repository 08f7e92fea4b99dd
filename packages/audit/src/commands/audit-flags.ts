import type { SessionConfigInput } from '@audit-tools/shared/config'
import { AuditToolsError } from '@audit-tools/shared/core'
import { lenses, severities } from '@audit-tools/shared/findings'
import { resolveInsideRoot } from '@audit-tools/shared/store'
import { relative } from 'node:path'
import { z } from 'zod'

import { reportFormats } from '../report/index.ts'

/** Flags of every command that looks at the repository. */
export const scopeFlags = z.object({
  paths: z.array(z.string()).optional().describe('Review only these files and directories'),
  since: z
    .string()
    .optional()
    .describe('Review only what changed since this commit, and its direct dependants'),
  lens: z
    .array(z.enum(lenses))
    .optional()
    .describe('Review under these lenses too; the core ones always apply'),
  depth: z.enum(['quick', 'standard', 'deep']).optional().describe('How thorough the review is'),
  exclude: z
    .array(z.string())
    .optional()
    .describe('Patterns of paths to leave out, as in .gitignore'),
  includeUntracked: z
    .boolean()
    .default(false)
    .describe('Also audit files that git does not track yet'),
})

export const reportFlags = z.object({
  format: z.array(z.enum(reportFormats)).optional().describe('Report formats to write'),
  failOn: z.enum(severities).optional().describe('Exit with 1 when a finding is at least this bad'),
})

/** What the flags say, in the words of the configuration. */
export function readConfigFlags(
  flags: Partial<z.output<typeof scopeFlags> & z.output<typeof reportFlags>>,
): SessionConfigInput {
  return {
    ...(flags.lens === undefined ? {} : { lenses: flags.lens }),
    ...(flags.depth === undefined ? {} : { depth: flags.depth }),
    ...(flags.exclude === undefined ? {} : { exclude: flags.exclude }),
    ...(flags.format === undefined ? {} : { report: { formats: flags.format } }),
  }
}

/** Paths of the command line as paths of the snapshot. Throws `path-outside-root`. */
export function readScopePaths(
  root: string,
  paths: readonly string[] | undefined,
  resolvePath: (path: string) => string,
): string[] | undefined {
  return paths?.map((path) => {
    const resolved = resolveInsideRoot(root, resolvePath(path))
    if (resolved.kind === 'inside') return relative(root, resolved.path).replaceAll('\\', '/')
    throw new AuditToolsError(
      'path-outside-root',
      `${path} is outside the root ${root}. Name paths inside it, or another root with --root`,
      { details: { path, root } },
    )
  })
}
