import { defineCommand } from '@audit-tools/shared/cli'
import { trustConfig } from '@audit-tools/shared/config'
import { ExitCode, systemRandom } from '@audit-tools/shared/core'
import { resolveStateDirectory } from '@audit-tools/shared/store'
import { z } from 'zod'

import { openArtifacts, openRoot, planLayout } from '../run/index.ts'

export const command = defineCommand({
  name: 'trust',
  summary: 'Trust the configuration and state in this repository',
  flags: z.object({
    state: z
      .boolean()
      .default(false)
      .describe('Also take over runs that another account or machine made'),
  }),
  async run({ state }, context) {
    const { root, repository } = await openRoot(context)
    const { common, environment, output } = context
    const options = {
      root,
      environment,
      configPath: common.config,
      artifactsDir: common.artifactsDir,
    }
    const trusted = Object.fromEntries(trustConfig(options))
    if (state) {
      await openArtifacts({
        layout: planLayout(root, common.artifactsDir),
        repository,
        stateDirectory: resolveStateDirectory(environment),
        random: systemRandom,
        adopt: true,
      })
    }
    if (common.json) {
      output.json({ root, config: trusted, state })
      return ExitCode.Done
    }
    const keys = Object.entries(trusted)
    if (keys.length === 0)
      output.write('The configuration of this repository names nothing that needs trust.')
    else output.write('Trusted, until one of these values changes:')
    for (const [key, value] of keys) output.write(`  ${key} = ${JSON.stringify(value)}`)
    if (state) output.write('The runs kept in this repository are yours now.')
    return ExitCode.Done
  },
})
