import { compareText, groupBy } from '@audit-tools/shared/core'

import type { FileFacts } from './facts.ts'
import type { EntryPoint, Surface } from './graph.ts'
import { dirnameOf, joinPath } from './path-index.ts'
import { type ResolveContext, resolveDeclared } from './resolve-javascript.ts'

/** Files that a package, a container or a pipeline names as a start, and that exist. */
export function findEntryPoints(
  factsByPath: ReadonlyMap<string, FileFacts>,
  context: ResolveContext,
): EntryPoint[] {
  const entries: EntryPoint[] = []
  for (const [declaredIn, { manifest, references }] of factsByPath) {
    const directory = dirnameOf(declaredIn)
    for (const { field, target } of listDeclared(manifest)) {
      const resolved = resolveDeclared(directory, target, context)
      if (!resolved) continue
      const reason = resolved.mapped ? `${field}, built from it` : field
      entries.push({ path: resolved.path, declaredIn, reason })
    }
    for (const { text, reason } of references ?? []) {
      const path = [joinPath(directory, text), text].find(
        (candidate) => candidate !== undefined && context.index.has(candidate),
      )
      if (path !== undefined) entries.push({ path, declaredIn, reason })
    }
  }
  return dropRepeats(entries)
}

function listDeclared(manifest: FileFacts['manifest']): { field: string; target: string }[] {
  if (!manifest) return []
  const exported = manifest.exports.flatMap(([subpath, targets]) =>
    targets.map((target) => ({ field: `exports ${subpath}`, target })),
  )
  return [...manifest.entries, ...exported].filter(({ target }) => !target.includes('*'))
}

/** One entry a file and declaration: the first field that names it. */
function dropRepeats(entries: readonly EntryPoint[]): EntryPoint[] {
  const kept = new Map<string, EntryPoint>()
  for (const entry of entries) {
    const key = `${entry.path}\0${entry.declaredIn}`
    if (!kept.has(key)) kept.set(key, entry)
  }
  return [...kept.values()].toSorted(
    (left, right) =>
      compareText(left.path, right.path) || compareText(left.declaredIn, right.declaredIn),
  )
}

/** What other packages may call: the files that a package exports, each once. */
export function listExportedSurfaces(
  entryPoints: readonly EntryPoint[],
  isSource: (path: string) => boolean,
): Surface[] {
  const exported = entryPoints.filter(
    ({ path, reason }) => isSource(path) && /^(?:main|module|exports)\b/.test(reason),
  )
  return [...groupBy(exported, ({ path }) => path).values()].flatMap(([first]) =>
    first ? [{ kind: 'exported_api', name: first.reason, path: first.path, line: 1 }] : [],
  )
}
