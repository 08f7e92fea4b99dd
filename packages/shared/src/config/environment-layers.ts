import type { Environment } from '../core/index.ts'
import { type ConfigKey, listConfigKeys } from './config-keys.ts'
import type { ConfigLayer, Table } from './config-layer.ts'

/** A key that a variable can set. */
export interface EnvironmentKey extends ConfigKey {
  /** `AUDIT_TOOLS_QUOTA_SAFETY_MARGIN` for `quota.safety_margin`. */
  readonly variable: string
}

/** The variables that set single values, derived from the schema. Lists and tables belong in a file. */
export function listEnvironmentKeys(): EnvironmentKey[] {
  return listConfigKeys()
    .filter(({ type }) => type !== 'other')
    .map((key) => ({ ...key, variable: `AUDIT_TOOLS_${key.path.join('_').toUpperCase()}` }))
}

/** What the host can do is known best where it is configured; a variable speaks only where no file does. */
const weakKeys: readonly string[] = [
  'host_can_dispatch_subagents',
  'quota.host_active_subagent_limit',
]

/** One layer per variable that is set and not empty: those that beat files, and those that files beat. */
export function readEnvironmentLayers(environment: Environment): {
  readonly strong: readonly ConfigLayer[]
  readonly weak: readonly ConfigLayer[]
} {
  const strong: ConfigLayer[] = []
  const weak: ConfigLayer[] = []
  for (const { variable, path, type } of listEnvironmentKeys()) {
    const text = environment[variable]
    if (text === undefined || text === '') continue
    const layer: ConfigLayer = {
      origin: { kind: 'environment', variable },
      values: nest(path, convert(text, type)),
    }
    if (weakKeys.includes(path.join('.'))) weak.push(layer)
    else strong.push(layer)
  }
  return { strong, weak }
}

function nest([first = '', ...rest]: readonly string[], value: unknown): Table {
  return { [first]: rest.length === 0 ? value : nest(rest, value) }
}

/** Text that does not fit stays text, so that the schema's message shows it. */
function convert(text: string, type: ConfigKey['type']): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type !== 'number' || text.trim() === '') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}
