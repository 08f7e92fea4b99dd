import { formatKeyPath, type KeyPath, listConfigKeys } from './config-keys.ts'
import { type ConfigLayer, type ConfigOrigin, isObject, listValues } from './config-layer.ts'
import { findUntrusted, parseMerged } from './load-session-config.ts'
import { type ConfigOptions, readLayers } from './read-layers.ts'
import { looksLikeSecret } from './secret.ts'

/** One key, its value, and who set it. */
export interface ConfigExplanation {
  /** As messages show it: `quota.safety_margin`. */
  readonly key: string
  /** Empty for a key that only a file names, such as one model's limits. */
  readonly description: string
  /** Undefined where nothing sets it and it has no default. Credentials are not shown. */
  readonly value: unknown
  readonly origin: ConfigOrigin
  /** What weaker origins say, the strongest first. */
  readonly overridden: readonly { readonly value: unknown; readonly origin: ConfigOrigin }[]
  /** Whether the repository sets it without being trusted, so that loading is refused. */
  readonly untrusted: boolean
}

/** Every key in the schema's order, then those that only files name. Throws as loading does, but not for lack of trust. */
export function explainConfig(options: ConfigOptions): ConfigExplanation[] {
  const layers = readLayers(options)
  const config = parseMerged(layers)
  const untrusted = [...findUntrusted(layers, options).keys()]
  return listSettings(layers).map(({ key, path, description, given: [winner, ...weaker] }) => ({
    key,
    description,
    value: redact(readPath(config, path), path),
    origin: winner?.origin ?? { kind: 'default' },
    overridden: weaker.map(({ value, origin }) => ({ value: redact(value, path), origin })),
    untrusted: untrusted.some((name) => isPartOf(name, key) || isPartOf(key, name)),
  }))
}

interface Setting {
  readonly key: string
  readonly path: readonly string[]
  readonly description: string
  /** The strongest first. */
  readonly given: { readonly value: unknown; readonly origin: ConfigOrigin }[]
}

function listSettings(layers: readonly ConfigLayer[]): Setting[] {
  const settings = new Map<string, Setting>()
  const find = (path: readonly string[], description: string): Setting => {
    const key = formatKeyPath(path)
    const setting = settings.get(key) ?? { key, path, description, given: [] }
    settings.set(key, setting)
    return setting
  }
  for (const { path, description } of listConfigKeys()) find(path, description)
  for (const { origin, values } of layers) {
    for (const { path, value } of listValues(values)) find(path, '').given.push({ value, origin })
  }
  return [...settings.values()]
}

function isPartOf(inner: string, outer: string): boolean {
  return inner.startsWith(outer) && /^($|[.[])/.test(inner.slice(outer.length))
}

function readPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((table, key) => (isObject(table) ? table[key] : undefined), value)
}

const HIDDEN = '(not shown)'

function redact(value: unknown, path: KeyPath): unknown {
  if (Array.isArray(value)) return value.map((item, index) => redact(item, [...path, index]))
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => [key, redact(item, [...path, key])])
    return Object.fromEntries(entries)
  }
  if (typeof value !== 'string') return value
  const isPair = ['headers', 'env'].includes(String(path.at(-2)))
  return isPair || looksLikeSecret(value) ? HIDDEN : value
}
