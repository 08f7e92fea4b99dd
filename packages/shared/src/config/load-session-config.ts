import { AuditToolsError } from '../core/index.ts'
import { resolveInsideRoot } from '../store/index.ts'
import { formatKeyPath } from './config-keys.ts'
import { type ConfigLayer, type ConfigOrigin, listValues, mergeLayers } from './config-layer.ts'
import { describeIssue } from './describe-issue.ts'
import { type ConfigOptions, readLayers } from './read-layers.ts'
import { type SessionConfig, SessionConfigSchema } from './session-config.ts'
import { isTrusted, readSensitiveValues, recordTrust, type SensitiveValues } from './trust.ts'

export interface LoadedConfig {
  readonly config: SessionConfig
  /** Who set each key that is set, by the key as messages show it; the others have their default. */
  readonly origins: ReadonlyMap<string, ConfigOrigin>
}

/**
 * The configuration of one run: flags, then environment, then the file given or the user's, then the repository's, then
 * defaults, merged per key. Throws config-invalid, config-untrusted, path-outside-root and store-unreadable.
 */
export function loadSessionConfig(options: ConfigOptions): LoadedConfig {
  const layers = readLayers(options)
  const untrusted = findUntrusted(layers, options)
  if (untrusted.size > 0) throw refuseUntrusted([...untrusted.keys()], layers)
  const origins = layers
    .toReversed()
    .flatMap(({ origin, values }) =>
      listValues(values).map(({ path }) => [formatKeyPath(path), origin] as const),
    )
  return { config: parseMerged(layers), origins: new Map(origins) }
}

/** Remembers that the user trusts what the repository's configuration names now. Returns that; empty is nothing. */
export function trustConfig(options: ConfigOptions): SensitiveValues {
  const values = readRepositoryValues(readLayers(options))
  if (values.size > 0) recordTrust(resolveRealRoot(options), values, options.environment)
  return values
}

/** What the repository's configuration names and the user has not trusted. */
export function findUntrusted(
  layers: readonly ConfigLayer[],
  options: ConfigOptions,
): SensitiveValues {
  const values = readRepositoryValues(layers)
  if (values.size === 0) return values
  return isTrusted(resolveRealRoot(options), values, options.environment) ? new Map() : values
}

/** Layers are right one by one, but only together do all values meet. */
export function parseMerged(layers: readonly ConfigLayer[]): SessionConfig {
  const result = SessionConfigSchema.safeParse(mergeLayers(layers), { reportInput: true })
  if (result.success) return result.data
  const problems = result.error.issues.flatMap(describeIssue)
  throw new AuditToolsError('config-invalid', `all origins together: ${problems.join('\n')}`, {
    details: { problems },
  })
}

function readRepositoryValues(layers: readonly ConfigLayer[]): SensitiveValues {
  return readSensitiveValues(layers.find(({ origin }) => origin.kind === 'repository')?.values)
}

function resolveRealRoot({ root }: ConfigOptions): string {
  const real = resolveInsideRoot(root, '.')
  return real.kind === 'inside' ? real.path : root
}

function refuseUntrusted(keys: readonly string[], layers: readonly ConfigLayer[]): AuditToolsError {
  const origin = layers.find((layer) => layer.origin.kind === 'repository')?.origin
  const path = origin && 'path' in origin ? origin.path : undefined
  return new AuditToolsError(
    'config-untrusted',
    `${path} comes with the repository and sets ${keys.join(', ')}. ` +
      'Look at it; then trust it with `audit-code trust`, or remove these keys, or give your own file with --config',
    { details: { path, keys } },
  )
}
