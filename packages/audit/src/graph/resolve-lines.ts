import { posix } from 'node:path'

import type { Confidence } from '@audit-tools/shared/findings'

import { dirnameOf, joinPath, listAncestors, type PathIndex } from './path-index.ts'
import type { Resolution } from './resolve-javascript.ts'

/** Go packages above this size are linked by their first files only. */
const MAX_PACKAGE_FILES = 30

export interface LineResolveContext {
  readonly index: PathIndex
  /** Directory and module path of every go.mod. */
  readonly goModules: readonly { readonly directory: string; readonly module: string }[]
}

type Resolve = (from: string, specifier: string, context: LineResolveContext) => Resolution

/** How names of modules become paths, by language. What is not found is taken for a library. */
const resolvers: ReadonlyMap<string, Resolve> = new Map<string, Resolve>([
  ['Python', resolvePython],
  ['Go', resolveGo],
  ['Java', resolveClass],
  ['Kotlin', resolveClass],
  ['Scala', resolveClass],
  ['Groovy', resolveClass],
  ['Ruby', resolveRuby],
  ['PHP', resolvePhp],
  ['Rust', resolveRust],
  ['C', resolveInclude],
  ['C++', resolveInclude],
  ['Objective-C', resolveInclude],
  ['Objective-C++', resolveInclude],
])

export function resolveByLanguage(
  language: string,
  from: string,
  reference: { readonly specifier: string; readonly context: LineResolveContext },
): Resolution {
  const resolve = resolvers.get(language)
  return resolve ? resolve(from, reference.specifier, reference.context) : external
}

const external: Resolution = { kind: 'external' }

function found(path: string, confidence: Confidence, reason: string): Resolution {
  return { kind: 'found', paths: [path], confidence, reason }
}

function pick(candidates: readonly (string | undefined)[], index: PathIndex): string | undefined {
  return candidates.find((path) => path !== undefined && index.has(path))
}

/** Absolute names are looked up from the file's directory outwards, as `sys.path` usually holds one of these. */
function resolvePython(from: string, specifier: string, { index }: LineResolveContext): Resolution {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0
  const name = specifier.slice(dots).replaceAll('.', '/')
  const list = (base: string): (string | undefined)[] =>
    name === ''
      ? [joinPath(base, '__init__.py')]
      : [joinPath(base, `${name}.py`), joinPath(base, `${name}/__init__.py`)]
  if (dots > 0) {
    const base = joinPath(dirnameOf(from), '../'.repeat(dots - 1) || '.')
    const path = base === undefined ? undefined : pick(list(base), index)
    return path === undefined ? external : found(path, 'high', 'relative module')
  }
  for (const ancestor of listAncestors(dirnameOf(from))) {
    const path = pick([...list(ancestor), ...list(joinPath(ancestor, 'src') ?? ancestor)], index)
    if (path !== undefined) return found(path, 'medium', `module below ${ancestor || 'the root'}`)
  }
  return external
}

function resolveGo(_from: string, specifier: string, context: LineResolveContext): Resolution {
  for (const { directory, module } of context.goModules) {
    if (specifier !== module && !specifier.startsWith(`${module}/`)) continue
    const target = joinPath(directory, `./${specifier.slice(module.length)}`)
    const paths = target === undefined ? [] : context.index.listDirectory(target)
    const sources = paths.filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'))
    if (sources.length === 0) continue
    const reason = `package of module ${module}`
    return {
      kind: 'found',
      paths: sources.slice(0, MAX_PACKAGE_FILES),
      confidence: 'medium',
      reason,
    }
  }
  return external
}

/** `com.x.y.Name` (or a member of it) -> the file `.../com/x/y/Name.java`. */
function resolveClass(from: string, specifier: string, { index }: LineResolveContext): Resolution {
  const segments = specifier.split('.')
  for (const length of [segments.length, segments.length - 1]) {
    const tail = segments.slice(0, length).join('/')
    const path = findBySuffix(tail, ['.java', '.kt', '.scala', '.groovy'], { from, index })
    if (length > 1 && path !== undefined)
      return found(path, 'high', 'class of this package and name')
  }
  return external
}

function resolveRuby(from: string, specifier: string, { index }: LineResolveContext): Resolution {
  const file = specifier.endsWith('.rb') ? specifier : `${specifier}.rb`
  if (file.startsWith('./')) {
    const path = pick([joinPath(dirnameOf(from), file)], index)
    return path === undefined ? external : found(path, 'high', 'relative path')
  }
  for (const ancestor of listAncestors(dirnameOf(from))) {
    const path = pick([joinPath(ancestor, `lib/${file}`), joinPath(ancestor, file)], index)
    if (path !== undefined) return found(path, 'medium', `file below ${ancestor || 'the root'}`)
  }
  return external
}

function resolvePhp(from: string, specifier: string, { index }: LineResolveContext): Resolution {
  if (specifier.startsWith('./')) {
    const candidates = [...listAncestors(dirnameOf(from))].map((base) => joinPath(base, specifier))
    const path = pick(candidates, index)
    return path === undefined ? external : found(path, 'medium', 'included path')
  }
  const segments = specifier.split('\\')
  // A namespace root may be mapped to any directory, so leading segments may be missing from the path.
  for (let start = 0; segments.length - start >= 2; start += 1) {
    const path = findBySuffix(segments.slice(start).join('/'), ['.php'], { from, index })
    if (path !== undefined)
      return found(path, start === 0 ? 'high' : 'medium', 'class of this namespace')
  }
  return external
}

function resolveRust(from: string, specifier: string, { index }: LineResolveContext): Resolution {
  const directory = dirnameOf(from)
  const module = /^mod (\w+)$/.exec(specifier)?.[1]
  if (module !== undefined) {
    const stem = posix.basename(from, '.rs')
    const base = ['mod', 'lib', 'main'].includes(stem) ? directory : joinPath(directory, stem)
    const path = base === undefined ? undefined : pick(listRustFiles(base, module), index)
    return path === undefined ? external : found(path, 'high', 'module declaration')
  }
  const segments = specifier
    .split('::')
    .slice(1)
    .filter((segment) => segment !== '')
  const root = [...listAncestors(directory)].find(
    (base) => pick([joinPath(base, 'lib.rs'), joinPath(base, 'main.rs')], index) !== undefined,
  )
  if (root === undefined) return external
  for (let length = segments.length; length > 0; length -= 1) {
    const path = pick(listRustFiles(root, segments.slice(0, length).join('/')), index)
    if (path !== undefined) return found(path, 'high', 'path from the crate root')
  }
  return external
}

function listRustFiles(base: string, name: string): (string | undefined)[] {
  return [joinPath(base, `${name}.rs`), joinPath(base, `${name}/mod.rs`)]
}

function resolveInclude(
  from: string,
  specifier: string,
  { index }: LineResolveContext,
): Resolution {
  const beside = pick([joinPath(dirnameOf(from), specifier)], index)
  if (beside !== undefined) return found(beside, 'high', 'relative path')
  const path = findBySuffix(specifier, [''], { from, index })
  return path === undefined ? external : found(path, 'medium', 'only nearest file of this path')
}

/** The file whose path ends in `tail` and shares most directories with `from`. */
function findBySuffix(
  tail: string,
  extensions: readonly string[],
  { from, index }: { readonly from: string; readonly index: PathIndex },
): string | undefined {
  const matches = extensions.flatMap((extension) => {
    const suffix = tail + extension
    return index
      .listByName(posix.basename(suffix))
      .filter((path) => path === suffix || path.endsWith(`/${suffix}`))
  })
  return matches.toSorted((left, right) => countShared(from, right) - countShared(from, left))[0]
}

function countShared(left: string, right: string): number {
  const [a, b] = [left.split('/'), right.split('/')]
  const end = a.findIndex((segment, index) => segment !== b[index])
  return end === -1 ? a.length : end
}
