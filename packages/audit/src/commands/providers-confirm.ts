import { defineCommand } from '@audit-tools/shared/cli'
import { AuditToolsError, ExitCode, findNearest } from '@audit-tools/shared/core'
import {
  readSharedProviderConfirmation,
  writeSharedProviderConfirmation,
} from '@audit-tools/shared/providers'
import { z } from 'zod'

import { openSession } from '../run/index.ts'
import { listReach, listRoster, renderFound, renderSource } from './list-roster.ts'

export const command = defineCommand({
  name: 'providers confirm',
  summary: 'Allow the sources and agent CLIs of now for this repository',
  flags: z.object({
    except: z.array(z.string()).default([]).describe('Ids that may not be used here'),
  }),
  examples: ['providers confirm --yes', 'providers confirm --yes --except opencode'],
  async run({ except }, context) {
    const { clock, common, environment, output, name } = context
    const session = await openSession(context)
    const roster = await listRoster(session, context)
    const reach = listReach(roster)
    for (const id of except) checkId(id, reach)
    const answer = readSharedProviderConfirmation(session.root, reach, environment)
    const allowed = reach.filter((id) => !except.includes(id))
    if (common.yes) {
      const record = { reach: allowed, exclude: except, now: clock.now() }
      writeSharedProviderConfirmation(session.root, record, environment)
    }
    if (common.json) {
      const added = answer.kind === 'reconfirm' ? answer.added : []
      output.json({ confirmed: common.yes, before: answer.kind, reach: allowed, except, added })
    } else {
      const may = common.yes ? 'May review this repository from now on:' : 'Would be allowed here:'
      output.write(allowed.length === 0 ? 'There is nothing to confirm.' : may)
      for (const source of roster.sources) {
        if (allowed.includes(source.id)) output.write(renderSource(source))
      }
      for (const found of roster.found) {
        if (allowed.includes(found.id)) output.write(renderFound(found))
      }
      if (!common.yes) output.write(`Nothing is changed yet: \`${name} providers confirm --yes\`.`)
    }
    return common.yes || answer.kind === 'confirmed' ? ExitCode.Done : ExitCode.NeedsPerson
  },
})

function checkId(id: string, reach: readonly string[]): void {
  if (reach.includes(id)) return
  const nearest = findNearest(id, reach)
  throw new AuditToolsError(
    'usage-invalid',
    `there is no source or agent CLI ${id} here${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
    { details: { id } },
  )
}
