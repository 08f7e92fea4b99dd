import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

import { AuditToolsError, type Environment } from '../core/index.ts'
import { ARTIFACTS_FOLDER, inspectPath, resolveInsideRoot } from '../store/index.ts'
import { type ConfigLayer, type ConfigOrigin, formatOrigin, isObject } from './config-layer.ts'
import { describeIssue } from './describe-issue.ts'
import { readEnvironmentLayers } from './environment-layers.ts'
import { readConfigFile } from './read-config-file.ts'
import { type SessionConfigInput, SessionConfigSchema } from './session-config.ts'

export interface ConfigOptions {
  /** The repository, absolute. It exists. */
  readonly root: string
  readonly environment: Environment
  /** What the command line sets, as the configuration would hold it. */
  readonly flags?: SessionConfigInput
  /** The file given with `--config`: read in place of the repository's, and trusted. */
  readonly configPath?: string | undefined
  /** Directory of `session-config.json`; `.audit-tools/audit` in the root when absent. */
  readonly artifactsDir?: string | undefined
}

/** More than any configuration holds; a repository cannot make us read a whole disk. */
const MAX_BYTES = 2 ** 20

/** Names of the repository's configuration, either one. */
const fileNames = ['session-config.json', 'config.json'] as const

/**
 * What every origin sets, the strongest first, each checked by the schema. Throws config-invalid that names every problem
 * of every origin, path-outside-root and store-unreadable.
 */
export function readLayers(options: ConfigOptions): ConfigLayer[] {
  const layers: ConfigLayer[] = []
  const problems: string[] = []
  const add = (origin: ConfigOrigin, value: unknown): void => {
    const found = listProblems(value)
    problems.push(...found.map((problem) => `${formatOrigin(origin)}: ${problem}`))
    if (isObject(value)) layers.push({ origin, values: value })
  }
  const addFile = (origin: FileOrigin | undefined): void => {
    if (!origin) return
    const reading = readConfigFile(origin.path)
    if (reading.kind === 'ok') add(origin, reading.value)
    if (reading.kind === 'invalid') problems.push(`${origin.path}: ${reading.problem}`)
    if (reading.kind === 'missing' && origin.kind === 'given') {
      problems.push(`${origin.path}: there is no such file`)
    }
  }
  const variables = readEnvironmentLayers(options.environment)
  const { configPath } = options

  add({ kind: 'flag' }, options.flags ?? {})
  for (const { origin, values } of variables.strong) add(origin, values)
  if (configPath !== undefined) addFile({ kind: 'given', path: configPath })
  addFile({ kind: 'user', path: resolveUserConfigPath(options.environment) })
  if (configPath === undefined) addFile(findRepositoryConfig(options))
  for (const { origin, values } of variables.weak) add(origin, values)

  if (problems.length > 0) throw refuseProblems(problems)
  return layers
}

/** What is wrong with a configuration or a part of one; empty when nothing is. */
function listProblems(value: unknown): string[] {
  const result = SessionConfigSchema.safeParse(value, { reportInput: true })
  return result.success ? [] : result.error.issues.flatMap(describeIssue)
}

type FileOrigin = Extract<ConfigOrigin, { path: string }>

/** `config.json` in AUDIT_TOOLS_HOME, else in `audit-tools` of an absolute XDG_CONFIG_HOME, else of `~/.config`. */
export function resolveUserConfigPath(environment: Environment): string {
  const home = environment['AUDIT_TOOLS_HOME']
  if (home) return join(resolve(home), 'config.json')
  const configHome = environment['XDG_CONFIG_HOME']
  const base =
    configHome && isAbsolute(configHome)
      ? configHome
      : join(environment['HOME'] || homedir(), '.config')
  return join(base, 'audit-tools', 'config.json')
}

/** The repository's file by its real path, which has to be where it seems to be. */
function findRepositoryConfig({ root, artifactsDir }: ConfigOptions): FileOrigin | undefined {
  const directory = artifactsDir ?? join(root, ARTIFACTS_FOLDER, 'audit')
  const paths = fileNames
    .map((name) => join(directory, name))
    .filter((path) => inspectPath(path).kind !== 'missing')
  const [path, other] = paths
  if (path === undefined) return undefined
  if (other !== undefined) throw refuseProblems([`${path} and ${other} both exist; keep one`])

  const real = resolveInsideRoot(artifactsDir ?? root, path)
  if (real.kind === 'outside') {
    throw new AuditToolsError(
      'path-outside-root',
      `${path} leads outside the repository; replace the link by a file, or give the file with --config`,
      { details: { path } },
    )
  }
  const facts = inspectPath(real.path)
  if (facts.kind === 'file' && facts.bytes > MAX_BYTES) {
    throw refuseProblems([`${path}: the file is larger than a configuration can be (1 MiB)`])
  }
  if (facts.kind !== 'file' && facts.kind !== 'unreadable') {
    throw refuseProblems([`${path}: this is not a file; remove it`])
  }
  return { kind: 'repository', path }
}

function refuseProblems(problems: readonly string[]): AuditToolsError {
  return new AuditToolsError('config-invalid', problems.join('\n'), { details: { problems } })
}
