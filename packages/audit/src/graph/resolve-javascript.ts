import type { Confidence } from '@audit-tools/shared/findings'

import type { ModuleMap, PackageScope } from './module-map.ts'
import { dirnameOf, joinPath, type PathIndex } from './path-index.ts'

/** `external`: not of this tree, as far as names tell; `unresolved`: it should be here and is not. */
export type Resolution =
  | {
      readonly kind: 'found'
      readonly paths: readonly string[]
      readonly confidence: Confidence
      readonly reason: string
    }
  | { readonly kind: 'external' }
  | { readonly kind: 'unresolved' }

export interface ResolveContext {
  readonly index: PathIndex
  readonly modules: ModuleMap
}

/*
 * Modules are looked up among the paths of the snapshot and nowhere else. A resolver that reads the disk (oxc-resolver)
 * follows links, walks above the root, takes installed packages for ours and sees files that the snapshot does not hold.
 */

const addedExtensions = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.ts',
  '.json',
  '.vue',
  '.svelte',
]
/** An import names the file that the compiler will write. */
const sourceExtensions: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.ts', '.tsx', '.jsx', '.d.ts']],
  ['.jsx', ['.tsx']],
  ['.mjs', ['.mts', '.d.mts']],
  ['.cjs', ['.cts', '.d.cts']],
])
const outputDirectories = new Set([
  'build',
  'cjs',
  'dist',
  'es',
  'esm',
  'lib',
  'out',
  'output',
  'types',
])

export function resolveJavaScript(
  from: string,
  specifier: string,
  context: ResolveContext,
): Resolution {
  const name = specifier.replace(/(?<=.)[?#].*$/s, '')
  const directory = dirnameOf(from)
  if (/^\.\.?(?:\/|$)/.test(name)) {
    return found(resolveFrom(directory, name, context), 'high', 'relative path') ?? unresolved
  }
  if (name.startsWith('#')) return resolveOwnImport(directory, name, context)
  return (
    resolveAlias(directory, name, context) ??
    resolvePackage(name, context) ??
    ({ kind: 'external' } as const)
  )
}

const unresolved: Resolution = { kind: 'unresolved' }

function found(
  path: string | undefined,
  confidence: Confidence,
  reason: string,
): Resolution | undefined {
  return path === undefined ? undefined : { kind: 'found', paths: [path], confidence, reason }
}

function resolveFrom(directory: string, name: string, context: ResolveContext): string | undefined {
  const path = joinPath(directory, name)
  return path === undefined ? undefined : resolveFile(path, context)
}

/** A file, with the extension that the import leaves out or changes, or a directory's main file. */
function resolveFile(path: string, context: ResolveContext): string | undefined {
  const { index, modules } = context
  if (index.has(path)) return path
  const candidates = [
    ...listSourceNames(path),
    ...addedExtensions.map((extension) => path + extension),
  ]
  const file = candidates.find((candidate) => index.has(candidate))
  if (file !== undefined) return file
  const scope = modules.findEnclosingPackage(path)
  if (path !== '' && scope?.directory === path) return resolveMain(scope, context)?.path
  const prefix = path === '' ? 'index' : `${path}/index`
  return addedExtensions.map((extension) => prefix + extension).find((name) => index.has(name))
}

function listSourceNames(path: string): string[] {
  const dot = path.lastIndexOf('.')
  const extensions = dot === -1 ? [] : (sourceExtensions.get(path.slice(dot)) ?? [])
  return extensions.map((extension) => path.slice(0, dot) + extension)
}

function resolveAlias(
  directory: string,
  name: string,
  context: ResolveContext,
): Resolution | undefined {
  for (const { source, patterns, baseDirectory } of context.modules.findAliases(directory)) {
    for (const path of listAliasTargets(patterns, name)) {
      const resolved = found(resolveFile(path, context), 'high', `path alias of ${source}`)
      if (resolved) return resolved
    }
    const based = baseDirectory === null ? undefined : resolveFrom(baseDirectory, name, context)
    const resolved = found(based, 'medium', `base directory of ${source}`)
    if (resolved) return resolved
  }
  return undefined
}

/** The targets of the pattern with the longest part before its star. */
function listAliasTargets(
  patterns: readonly { readonly pattern: string; readonly targets: readonly string[] }[],
  name: string,
): string[] {
  let best: { length: number; targets: string[] } | undefined
  for (const { pattern, targets } of patterns) {
    const middle = matchStar(pattern, name)
    const length = pattern.indexOf('*') === -1 ? pattern.length + 1 : pattern.indexOf('*')
    if (middle === undefined || (best && best.length >= length)) continue
    best = { length, targets: targets.map((target) => target.replace('*', () => middle)) }
  }
  return best?.targets ?? []
}

/** What the star of a pattern stands for in this name; `''` for an exact match. */
function matchStar(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf('*')
  if (star === -1) return pattern === name ? '' : undefined
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)]
  const fits = name.length >= head.length + tail.length
  if (!fits || !name.startsWith(head) || !name.endsWith(tail)) return undefined
  return name.slice(head.length, name.length - tail.length)
}

function resolveOwnImport(directory: string, name: string, context: ResolveContext): Resolution {
  const scope = context.modules.findEnclosingPackage(directory)
  if (!scope) return unresolved
  const target = resolveTargets(scope, scope.manifest.imports, name, context)
  return target ? describeTarget(target, 'package imports') : unresolved
}

/** A package of this tree by its name, such as another one of the workspace. */
function resolvePackage(name: string, context: ResolveContext): Resolution | undefined {
  const [packageName, rest] = splitPackageName(name)
  const scope = context.modules.findPackage(packageName)
  if (!scope) return undefined
  const { exports } = scope.manifest
  if (exports.length > 0) {
    const target = resolveTargets(scope, exports, rest === '' ? '.' : `./${rest}`, context)
    return target ? describeTarget(target, `exports of ${packageName}`) : unresolved
  }
  if (rest !== '') {
    return (
      found(resolveFrom(scope.directory, rest, context), 'high', `file of ${packageName}`) ??
      unresolved
    )
  }
  const main = resolveMain(scope, context)
  return main ? describeTarget(main, `main of ${packageName}`) : unresolved
}

function splitPackageName(name: string): [string, string] {
  const segments = name.split('/')
  const length = name.startsWith('@') ? 2 : 1
  return [segments.slice(0, length).join('/'), segments.slice(length).join('/')]
}

interface Target {
  readonly path: string
  readonly mapped: boolean
}

function describeTarget({ path, mapped }: Target, reason: string): Resolution {
  return mapped
    ? {
        kind: 'found',
        paths: [path],
        confidence: 'medium',
        reason: `${reason}, built file mapped to its source`,
      }
    : { kind: 'found', paths: [path], confidence: 'high', reason }
}

function resolveTargets(
  scope: PackageScope,
  entries: readonly (readonly [string, readonly string[]])[],
  subpath: string,
  context: ResolveContext,
): Target | undefined {
  const patterns = entries.map(([pattern, targets]) => ({ pattern, targets }))
  const targets = listAliasTargets(patterns, subpath)
  return pickTarget(scope, targets, context)
}

function resolveMain(scope: PackageScope, context: ResolveContext): Target | undefined {
  const targets = scope.manifest.entries.filter(({ field }) => field !== 'bin')
  return pickTarget(scope, [...targets.map(({ target }) => target), 'index', 'src/index'], context)
}

function pickTarget(
  scope: PackageScope,
  targets: readonly string[],
  context: ResolveContext,
): Target | undefined {
  for (const target of targets) {
    const resolved = resolveDeclared(scope.directory, target, context)
    if (resolved) return resolved
  }
  return undefined
}

/** A file that a package declares; where it is built and not in the tree, the source it is built from. */
export function resolveDeclared(
  directory: string,
  target: string,
  { index }: ResolveContext,
): Target | undefined {
  const path = joinPath(directory, target)
  if (path === undefined) return undefined
  const plain = [path, ...addedExtensions.map((extension) => path + extension)].find((name) =>
    index.has(name),
  )
  if (plain !== undefined) return { path: plain, mapped: false }
  const segments = target
    .replace(/^\.\//, '')
    .replace(/(\.d)?\.[cm]?[jt]sx?$/, '')
    .split('/')
  while (segments.length > 1 && outputDirectories.has(segments[0] ?? '')) segments.shift()
  const stem = segments.join('/')
  const candidates = [`src/${stem}`, stem, `src/${stem}/index`].flatMap((name) =>
    addedExtensions.map((extension) => joinPath(directory, name + extension)),
  )
  const source = candidates.find((candidate) => candidate !== undefined && index.has(candidate))
  return source === undefined ? undefined : { path: source, mapped: true }
}
