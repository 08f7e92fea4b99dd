import { type CommandContext, defineCommand } from '@audit-tools/shared/cli'
import { loadSessionConfig } from '@audit-tools/shared/config'
import {
  ExitCode,
  isAuditToolsError,
  readErrorMessage,
  systemRandom,
} from '@audit-tools/shared/core'
import { MINIMUM_GIT_VERSION } from '@audit-tools/shared/git'
import {
  makeDirectory,
  removeFile,
  resolveStateDirectory,
  writeFileAtomic,
} from '@audit-tools/shared/store'
import { join } from 'node:path'
import { z } from 'zod'

import { loadAnalyzers } from '../analyzers/index.ts'
import { openRoot, planLayout } from '../run/index.ts'

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

export const command = defineCommand({
  name: 'doctor',
  summary: 'Check what this machine and this repository need',
  flags: z.object({}),
  async run(_, context) {
    const checks = [
      check('Node', () => `${process.versions.node} (20.19 or newer is needed)`),
      await checkAsync('Repository', () => describeRepository(context)),
      check('State directory', () => describeStateDirectory(context)),
      await checkAsync('Configuration', () => describeConfig(context)),
      await checkAsync('Analyzers', describeAnalyzers),
    ]
    if (context.common.json) context.output.json({ checks })
    else {
      for (const { name, ok, detail } of checks) {
        const mark = ok
          ? context.output.style('green', 'ok     ')
          : context.output.style('red', 'problem')
        context.output.write(`${mark} ${name}: ${detail}`)
      }
    }
    return checks.every(({ ok }) => ok) ? ExitCode.Done : ExitCode.Environment
  },
})

async function describeRepository(context: CommandContext): Promise<string> {
  const { root, repository } = await openRoot(context)
  if (repository === null)
    return `${root} is not a git repository; its files are listed by walking it`
  const head = repository.head === null ? 'no commit yet' : repository.head.slice(0, 12)
  return `${root}, ${head}, git is at least ${MINIMUM_GIT_VERSION}`
}

function describeStateDirectory({ environment }: CommandContext): string {
  const directory = resolveStateDirectory(environment)
  makeDirectory(directory)
  const probe = join(directory, `doctor-${systemRandom.hex(8)}`)
  writeFileAtomic(probe, '')
  removeFile(probe)
  return `${directory} can be written`
}

async function describeConfig(context: CommandContext): Promise<string> {
  const { root } = await openRoot(context)
  const { common, environment } = context
  const { config } = loadSessionConfig({
    root,
    environment,
    configPath: common.config,
    artifactsDir: common.artifactsDir,
  })
  const pools = config.sources.length
  return `valid, ${planLayout(root, common.artifactsDir).directory}, ${pools} configured sources`
}

async function describeAnalyzers(): Promise<string> {
  const analyzers = await loadAnalyzers({})
  return analyzers.map(({ id, version }) => `${id} ${version}`).join(', ')
}

function check(name: string, describe: () => string): Check {
  try {
    return { name, ok: true, detail: describe() }
  } catch (error) {
    return describeFailure(name, error)
  }
}

async function checkAsync(name: string, describe: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await describe() }
  } catch (error) {
    return describeFailure(name, error)
  }
}

/** A check that fails is the answer of this command; a fault of ours goes on to the one catcher. */
function describeFailure(name: string, error: unknown): Check {
  if (!isAuditToolsError(error)) throw error
  return { name, ok: false, detail: readErrorMessage(error) }
}
