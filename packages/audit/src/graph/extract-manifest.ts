import { z } from 'zod'

import type { PackageManifest, PathAliases } from './facts.ts'
import { parseJsonc } from './parse-jsonc.ts'

/** More targets than any real package declares. */
const MAX_TARGETS = 2000

const TextSchema = z.string().optional().catch(undefined)
const PackageSchema = z.looseObject({
  name: TextSchema,
  main: TextSchema,
  module: TextSchema,
  browser: TextSchema,
  types: TextSchema,
  bin: z.unknown().optional(),
  exports: z.unknown().optional(),
  imports: z.unknown().optional(),
})

/** What a package.json declares; undefined when it is not valid. */
export function extractManifest(text: string): PackageManifest | undefined {
  const parsed = PackageSchema.safeParse(parseJsonc(text))
  if (!parsed.success) return undefined
  const { name, bin, exports, imports, ...fields } = parsed.data
  const exported = flattenExports(exports)
  const entries = (['main', 'module', 'browser', 'types'] as const).flatMap((field) => {
    const target = fields[field]
    return target === undefined ? [] : [{ field, target }]
  })
  return {
    name: name ?? null,
    entries: [...entries, ...collectTargets(bin).map((target) => ({ field: 'bin', target }))],
    exports: exported,
    imports: flattenSubpaths(imports),
  }
}

/** `exports` is one target, conditions, or sub-paths; all become sub-paths with their targets in order. */
function flattenExports(exports: unknown): [string, string[]][] {
  const isSubpaths =
    isRecord(exports) && Object.keys(exports).some((key) => key === '.' || key.startsWith('./'))
  if (isSubpaths) return flattenSubpaths(exports)
  const targets = collectTargets(exports)
  return targets.length === 0 ? [] : [['.', targets]]
}

function flattenSubpaths(value: unknown): [string, string[]][] {
  if (!isRecord(value)) return []
  return Object.entries(value)
    .map(([subpath, targets]): [string, string[]] => [subpath, collectTargets(targets)])
    .filter(([, targets]) => targets.length > 0)
}

/** Every text in a value, in its order, conditions ignored. */
function collectTargets(value: unknown): string[] {
  const targets: string[] = []
  const open: unknown[] = [value]
  while (open.length > 0 && targets.length < MAX_TARGETS) {
    const current = open.pop()
    if (typeof current === 'string') targets.push(current)
    else if (Array.isArray(current)) open.push(...current.toReversed())
    else if (isRecord(current)) open.push(...Object.values(current).toReversed())
  }
  return targets
}

const TextsSchema = z.array(z.string())
const ConfigSchema = z.looseObject({
  extends: z.union([z.string().transform((text) => [text]), TextsSchema]).catch([]),
  compilerOptions: z
    .looseObject({ baseUrl: TextSchema, paths: z.record(z.string(), TextsSchema).catch({}) })
    .catch({ baseUrl: undefined, paths: {} }),
})

/** The path aliases of a tsconfig.json or jsconfig.json; undefined when it is not valid. */
export function extractAliases(text: string): PathAliases | undefined {
  const parsed = ConfigSchema.safeParse(parseJsonc(text))
  if (!parsed.success) return undefined
  const { extends: bases, compilerOptions } = parsed.data
  return {
    extends: bases,
    baseUrl: compilerOptions.baseUrl ?? null,
    paths: Object.entries(compilerOptions.paths),
  }
}

/** The module path that a go.mod declares. */
export function extractGoModule(text: string): string | undefined {
  return /^module[ \t]+"?([^\s"]+)/m.exec(text)?.[1]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
