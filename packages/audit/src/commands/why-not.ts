import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode } from '@audit-tools/shared/core'
import { inspectPath } from '@audit-tools/shared/store'
import { join } from 'node:path'
import { z } from 'zod'

import { openSession } from '../run/index.ts'
import { type Snapshot, takeSnapshot } from '../snapshot/index.ts'
import { readScopePaths } from './audit-flags.ts'

export const command = defineCommand({
  name: 'why-not',
  summary: 'Say whether a path is audited, and why not',
  flags: z.object({}),
  args: z.object({ path: z.string().describe('File or directory') }),
  examples: ['why-not vendor/lib.js'],
  async run({ path }, context) {
    const session = await openSession(context)
    const [named = ''] =
      readScopePaths(session.root, [path], (one) => context.resolvePath(one)) ?? []
    const snapshot = await takeSnapshot({
      root: session.root,
      repository: session.repository,
      exclude: session.config.exclude,
      includeUntracked: false,
      signal: context.signal,
    })
    const answers = explainPath(snapshot, named)
    if (context.common.json) context.output.json({ path: named, answers })
    else for (const answer of answers) context.output.write(answer)
    return ExitCode.Done
  },
})

function explainPath(snapshot: Snapshot, path: string): string[] {
  const file = snapshot.files.find((one) => one.path === path)
  if (file !== undefined) {
    return [
      `${path} is audited as ${file.kind} (${file.kindReason}): ${file.lines} lines, ${file.language ?? 'language unknown'}.`,
    ]
  }
  const excluded = snapshot.excluded.filter(
    (one) => one.path === path || one.path.startsWith(`${path}/`),
  )
  const below = snapshot.files.filter((one) => path === '' || one.path.startsWith(`${path}/`))
  if (below.length > 0 || excluded.length > 1) {
    return [
      `${path === '' ? 'The root' : path} holds ${below.length} audited files.`,
      ...excluded.map((one) => `${one.path} is not audited: ${one.reason}`),
    ]
  }
  const [reason] = excluded
  if (reason !== undefined) return [`${reason.path} is not audited: ${reason.reason}`]
  const kind = inspectPath(join(snapshot.root, path)).kind
  if (kind === 'missing') return [`${path} is not there.`]
  return [`${path} is not audited: git does not track it. Add it, or use --include-untracked.`]
}
