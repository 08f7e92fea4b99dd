import { posix } from 'node:path'

import { compareText } from '@audit-tools/shared/core'

import type { FileFacts, PackageManifest, PathAliases } from './facts.ts'
import { dirnameOf, joinPath, listAncestors } from './path-index.ts'

export interface PackageScope {
  readonly directory: string
  readonly manifest: PackageManifest
}

/** Path aliases as they hold below a directory. */
interface AliasScope {
  /** The file that says so. */
  readonly source: string
  readonly patterns: readonly { readonly pattern: string; readonly targets: readonly string[] }[]
  readonly baseDirectory: string | null
}

/** What package.json and tsconfig.json files say about names of modules. */
export interface ModuleMap {
  findPackage(name: string): PackageScope | undefined
  findEnclosingPackage(directory: string): PackageScope | undefined
  /** The aliases that hold in a directory: those of the nearest one with a configuration. */
  findAliases(directory: string): readonly AliasScope[]
}

const configName = /^(?:ts|js)config(?:\..+)?\.json$/

export function isAliasConfig(path: string): boolean {
  return configName.test(posix.basename(path))
}

export function createModuleMap(factsByPath: ReadonlyMap<string, FileFacts>): ModuleMap {
  const byDirectory = new Map<string, PackageScope>()
  const byName = new Map<string, PackageScope>()
  const aliases = new Map<string, AliasScope[]>()
  for (const path of [...factsByPath.keys()].toSorted(compareDepth)) {
    const facts = factsByPath.get(path)
    const directory = dirnameOf(path)
    if (facts?.manifest) {
      const scope = { directory, manifest: facts.manifest }
      byDirectory.set(directory, scope)
      // Of two packages with one name the outer one is meant; the other is a copy or a fixture.
      const { name } = facts.manifest
      if (name !== null && !byName.has(name)) byName.set(name, scope)
    }
    if (facts?.aliases) {
      const scope = resolveAliases(path, factsByPath)
      aliases.set(directory, [...(aliases.get(directory) ?? []), scope])
    }
  }
  return {
    findPackage: (name) => byName.get(name),
    findEnclosingPackage: (directory) => findNearest(byDirectory, directory),
    findAliases: (directory) => findNearest(aliases, directory) ?? [],
  }
}

function findNearest<Value>(map: ReadonlyMap<string, Value>, directory: string): Value | undefined {
  for (const ancestor of listAncestors(directory)) {
    const value = map.get(ancestor)
    if (value !== undefined) return value
  }
  return undefined
}

/** Outer directories first; `tsconfig.json` before its variants. */
function compareDepth(left: string, right: string): number {
  return (
    left.split('/').length - right.split('/').length ||
    left.length - right.length ||
    compareText(left, right)
  )
}

/** Aliases with those of the configurations it extends; each key comes from the first that sets it. */
function resolveAliases(path: string, factsByPath: ReadonlyMap<string, FileFacts>): AliasScope {
  let patterns: AliasScope['patterns'] = []
  let baseDirectory: string | null = null
  const seen = new Set<string>()
  const open = [path]
  for (let current = open.shift(); current !== undefined; current = open.shift()) {
    const aliases = factsByPath.get(current)?.aliases
    if (!aliases || seen.has(current)) continue
    seen.add(current)
    const directory = dirnameOf(current)
    const base = joinPath(directory, aliases.baseUrl ?? '.') ?? directory
    if (patterns.length === 0) patterns = anchorPatterns(aliases, base)
    if (aliases.baseUrl !== null) baseDirectory ??= base
    open.push(...aliases.extends.flatMap((name) => resolveBase(directory, name, factsByPath)))
  }
  return { source: path, patterns, baseDirectory }
}

function anchorPatterns({ paths }: PathAliases, base: string): AliasScope['patterns'] {
  return paths.map(([pattern, targets]) => ({
    pattern,
    targets: targets.flatMap((target) => joinPath(base, target) ?? []),
  }))
}

function resolveBase(
  directory: string,
  name: string,
  factsByPath: ReadonlyMap<string, FileFacts>,
): string[] {
  const joined = joinPath(directory, name)
  const candidates =
    joined === undefined ? [] : [joined, `${joined}.json`, `${joined}/tsconfig.json`]
  return candidates.filter((candidate) => factsByPath.has(candidate)).slice(0, 1)
}
