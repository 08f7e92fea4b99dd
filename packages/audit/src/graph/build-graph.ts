import { compareText } from '@audit-tools/shared/core'

import type { Snapshot, SnapshotFile } from '../snapshot/index.ts'
import { type ChangeHistory, countChanges } from './count-changes.ts'
import { isScript } from './extract-javascript.ts'
import type { FileFacts, ImportReference } from './facts.ts'
import { findCycles } from './find-cycles.ts'
import { findEntryPoints, listExportedSurfaces } from './find-entry-points.ts'
import type { Graph, ImportEdge, Surface, UnresolvedImport } from './graph.ts'
import { groupUnits } from './group-units.ts'
import { linkTests } from './link-tests.ts'
import { createModuleMap } from './module-map.ts'
import { createPathIndex, dirnameOf, joinPath, listAncestors } from './path-index.ts'
import { type Resolution, type ResolveContext, resolveJavaScript } from './resolve-javascript.ts'
import { type LineResolveContext, resolveByLanguage } from './resolve-lines.ts'

interface Context extends ResolveContext, LineResolveContext {}

/** Joins what the files say into a graph. Pure: equal snapshot, facts and history give an equal graph. */
export function buildGraph(
  { files, excluded }: Pick<Snapshot, 'files' | 'excluded'>,
  factsByPath: ReadonlyMap<string, FileFacts>,
  history: ChangeHistory,
): Graph {
  const sorted = files.toSorted((left, right) => compareText(left.path, right.path))
  const kinds = new Map(sorted.map((file) => [file.path, file.kind]))
  const context = createContext(sorted, factsByPath)
  const { edges, unresolved } = resolveImports(sorted, factsByPath, context)
  const left = new Set(excluded.map((entry) => entry.path))
  const entryPoints = findEntryPoints(factsByPath, context)
  const { churn, coChanges } = countChanges(history, (path) => kinds.has(path))
  return {
    edges,
    unresolved: unresolved.filter((entry) => !namesExcluded(entry, left)),
    entryPoints,
    surfaces: listSurfaces(
      sorted,
      factsByPath,
      listExportedSurfaces(entryPoints, (path) => kinds.get(path) === 'source'),
    ),
    testLinks: linkTests(sorted, edges),
    churn,
    coChanges,
    cycles: findCycles(edges),
    units: groupUnits(sorted),
    cuts: new Map(
      [...factsByPath].flatMap(([path, { cuts }]) => (cuts ? [[path, cuts] as const] : [])),
    ),
  }
}

function createContext(
  files: readonly SnapshotFile[],
  factsByPath: ReadonlyMap<string, FileFacts>,
): Context {
  return {
    index: createPathIndex(files.map((file) => file.path)),
    modules: createModuleMap(factsByPath),
    goModules: [...factsByPath].flatMap(([path, { module }]) =>
      module === undefined ? [] : [{ directory: dirnameOf(path), module }],
    ),
  }
}

function resolveImports(
  files: readonly SnapshotFile[],
  factsByPath: ReadonlyMap<string, FileFacts>,
  context: Context,
): { edges: ImportEdge[]; unresolved: UnresolvedImport[] } {
  const edges = new Map<string, ImportEdge>()
  const unresolved: UnresolvedImport[] = []
  for (const file of files) {
    for (const reference of factsByPath.get(file.path)?.imports ?? []) {
      const resolution = resolveReference(file, reference, context)
      if (resolution.kind === 'found') addEdges(edges, { from: file.path, reference, resolution })
      else if (resolution.kind === 'unresolved') {
        const { specifier, line } = reference
        unresolved.push({ from: file.path, specifier, line })
      }
    }
  }
  return { edges: [...edges.values()].toSorted(compareEdges), unresolved }
}

function resolveReference(
  { path, language }: SnapshotFile,
  { specifier }: ImportReference,
  context: Context,
): Resolution {
  if (isScript(path)) return resolveJavaScript(path, specifier, context)
  return resolveByLanguage(language ?? '', path, { specifier, context })
}

/** Whether an import names something that is there and out of scope, such as an image or a built directory. */
function namesExcluded(
  { from, specifier }: UnresolvedImport,
  excluded: ReadonlySet<string>,
): boolean {
  const path = joinPath(dirnameOf(from), specifier.replace(/[?#].*$/s, ''))
  return path !== undefined && [path, ...listAncestors(path)].some((name) => excluded.has(name))
}

/** One edge a pair of files: an import at run time beats one of types, a static one beats a dynamic one. */
function addEdges(
  edges: Map<string, ImportEdge>,
  found: {
    readonly from: string
    readonly reference: ImportReference
    readonly resolution: Extract<Resolution, { kind: 'found' }>
  },
): void {
  const { form, typeOnly, line } = found.reference
  const { confidence, reason } = found.resolution
  for (const to of found.resolution.paths) {
    const key = `${found.from}\0${to}`
    const known = edges.get(key)
    if (known && rankEdge(known) >= rankEdge(found.reference)) continue
    const limited =
      form === 'pattern'
        ? 'low'
        : form === 'require' && confidence === 'high'
          ? 'medium'
          : confidence
    edges.set(key, { from: found.from, to, line, form, typeOnly, confidence: limited, reason })
  }
}

function rankEdge({ form, typeOnly }: Pick<ImportEdge, 'form' | 'typeOnly'>): number {
  return (typeOnly ? 0 : 2) + (form === 'dynamic' ? 0 : 1)
}

function compareEdges(left: ImportEdge, right: ImportEdge): number {
  return compareText(left.from, right.from) || compareText(left.to, right.to)
}

function listSurfaces(
  files: readonly SnapshotFile[],
  factsByPath: ReadonlyMap<string, FileFacts>,
  exported: readonly Surface[],
): Surface[] {
  const registered = files.flatMap(({ path }) =>
    (factsByPath.get(path)?.surfaces ?? []).map((surface) => ({ ...surface, path })),
  )
  return [...registered, ...exported].toSorted(
    (left, right) =>
      compareText(left.path, right.path) ||
      left.line - right.line ||
      compareText(left.name, right.name),
  )
}
