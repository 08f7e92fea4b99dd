import type { KeyPath } from './config-keys.ts'
import { isTable } from './config-keys.ts'

/** Who set a value. */
export type ConfigOrigin =
  | { readonly kind: 'flag' }
  | { readonly kind: 'environment'; readonly variable: string }
  /** The file given with `--config`. */
  | { readonly kind: 'given'; readonly path: string }
  | { readonly kind: 'user'; readonly path: string }
  | { readonly kind: 'repository'; readonly path: string }
  | { readonly kind: 'default' }

/** What one origin sets, as it was written. */
export interface ConfigLayer {
  readonly origin: ConfigOrigin
  readonly values: Table
}

export type Table = Readonly<Record<string, unknown>>

/** `the user's configuration (~/.config/audit-tools/config.json)` and the like. */
export function formatOrigin(origin: ConfigOrigin): string {
  switch (origin.kind) {
    case 'flag':
      return 'the command line'
    case 'environment':
      return origin.variable
    case 'given':
    case 'user':
    case 'repository':
      return origin.path
    case 'default':
      return 'default'
  }
}

/** Merges layers per key, the first one strongest. A list counts as one value. */
export function mergeLayers(layers: readonly ConfigLayer[]): Table {
  return layers
    .map(({ values }) => values)
    .reduceRight<Table>((low, high) => mergeTables(low, high, []), {})
}

function mergeTables(low: Table, high: Table, path: KeyPath): Table {
  const merged = new Map(Object.entries(low))
  for (const [key, value] of Object.entries(high)) {
    if (value === undefined) continue
    const below = merged.get(key)
    const keyPath = [...path, key]
    const isMerged = isTable(keyPath) && isObject(value) && isObject(below)
    merged.set(key, isMerged ? mergeTables(below, value, keyPath) : value)
  }
  return Object.fromEntries(merged)
}

/** Every value that a layer sets, with its path; lists and whole objects count as one. */
export function listValues(
  values: Table,
  path: readonly string[] = [],
): { path: readonly string[]; value: unknown }[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const keyPath = [...path, key]
    if (value === undefined) return []
    if (isTable(keyPath) && isObject(value)) return listValues(value, keyPath)
    return [{ path: keyPath, value }]
  })
}

export function isObject(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
