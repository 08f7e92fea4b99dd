import { defineCommand } from '@audit-tools/shared/cli'
import { type ConfigExplanation, explainConfig, formatOrigin } from '@audit-tools/shared/config'
import { ExitCode } from '@audit-tools/shared/core'
import { z } from 'zod'

import { openRoot } from '../run/index.ts'

export const command = defineCommand({
  name: 'config explain',
  summary: 'Show each setting, its value and where it comes from',
  flags: z.object({
    all: z.boolean().default(false).describe('Also show settings that have their default'),
  }),
  args: z.object({ key: z.string().optional().describe('Show this key and what is below it') }),
  async run({ all, key }, context) {
    const { root } = await openRoot(context)
    const { common, environment } = context
    const explanations = explainConfig({
      root,
      environment,
      configPath: common.config,
      artifactsDir: common.artifactsDir,
    }).filter((one) => key === undefined || one.key === key || one.key.startsWith(`${key}.`))
    if (common.json) {
      context.output.json(explanations)
      return ExitCode.Done
    }
    const shown = explanations.filter(
      (one) => all || key !== undefined || one.origin.kind !== 'default',
    )
    for (const one of shown) context.output.write(renderExplanation(one))
    if (shown.length === 0) {
      context.output.write(
        key === undefined
          ? 'Every setting has its default. Show them with --all.'
          : `There is no setting ${key}. Show all with --all.`,
      )
    }
    return ExitCode.Done
  },
})

function renderExplanation(one: ConfigExplanation): string {
  const lines = [
    `${one.key} = ${JSON.stringify(one.value) ?? 'not set'}  (${formatOrigin(one.origin)})`,
  ]
  if (one.description !== '') lines.push(`    ${one.description}`)
  if (one.untrusted)
    lines.push('    not trusted: run `audit-code trust` after you have looked at it')
  for (const { value, origin } of one.overridden) {
    lines.push(`    overrides ${JSON.stringify(value)} of ${formatOrigin(origin)}`)
  }
  return lines.join('\n')
}
