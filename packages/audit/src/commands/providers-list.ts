import { defineCommand } from '@audit-tools/shared/cli'
import { ExitCode } from '@audit-tools/shared/core'
import { readSharedProviderConfirmation } from '@audit-tools/shared/providers'
import { z } from 'zod'

import { openSession } from '../run/index.ts'
import { listReach, listRoster, renderFound, renderSource } from './list-roster.ts'

export const command = defineCommand({
  name: 'providers list',
  summary: 'Show the sources and the agent CLIs that could review here; spend nothing',
  flags: z.object({}),
  async run(_, context) {
    const { environment, output, name } = context
    const session = await openSession(context)
    const roster = await listRoster(session, context)
    const answer = readSharedProviderConfirmation(session.root, listReach(roster), environment)
    if (context.common.json) {
      output.json({ ...roster, confirmation: answer.kind })
      return ExitCode.Done
    }
    output.write(roster.sources.length === 0 ? 'No source is configured.' : 'Sources:')
    for (const source of roster.sources) output.write(renderSource(source))
    if (roster.found.length > 0) output.write('Found on this machine, in no source:')
    for (const found of roster.found) output.write(renderFound(found))
    if (roster.excluded.length > 0) output.write(`Excluded: ${roster.excluded.join(', ')}`)
    if (answer.kind === 'confirmed') output.write('All of this is confirmed for this repository.')
    else output.write(`Not all of this is confirmed: \`${name} providers confirm\`.`)
    return ExitCode.Done
  },
})
