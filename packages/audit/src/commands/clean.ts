import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode } from '@audit-tools/shared/core'
import { inspectPath, removeDirectory } from '@audit-tools/shared/store'
import { z } from 'zod'

import { openSession } from '../run/index.ts'

export const command = defineCommand({
  name: 'clean',
  summary: 'Remove caches and old runs of this repository',
  flags: z.object({
    runs: z
      .boolean()
      .default(false)
      .describe('Also remove runs with the results in them; reviews are paid for again'),
  }),
  async run({ runs }, context) {
    const { layout } = await openSession(context)
    const folders = runs ? [layout.cacheDirectory, layout.runsDirectory] : [layout.cacheDirectory]
    const removed = folders.filter((folder) => inspectPath(folder).kind !== 'missing')
    for (const folder of removed) removeDirectory(folder)
    if (context.common.json) context.output.json({ removed })
    else if (removed.length === 0) context.output.write('There is nothing to remove.')
    else for (const folder of removed) context.output.write(`Removed ${folder}`)
    return ExitCode.Done
  },
})
