import { posix } from 'node:path'

import { groupBy } from '@audit-tools/shared/core'

/** The paths of a snapshot, to resolve names against. Nothing outside can be found through it. */
export interface PathIndex {
  has(path: string): boolean
  /** Files directly in a directory; `''` is the root. */
  listDirectory(directory: string): readonly string[]
  /** Files of this name, wherever they are. */
  listByName(filename: string): readonly string[]
}

export function createPathIndex(paths: Iterable<string>): PathIndex {
  const all = new Set(paths)
  const byDirectory = groupBy(all, dirnameOf)
  const byName = groupBy(all, (path) => posix.basename(path))
  return {
    has: (path) => all.has(path),
    listDirectory: (directory) => byDirectory.get(directory) ?? [],
    listByName: (filename) => byName.get(filename) ?? [],
  }
}

/** The directory of a path; `''` for the root. */
export function dirnameOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Joins below the root; undefined for what would lead out of it. */
export function joinPath(directory: string, relative: string): string | undefined {
  const joined = posix.normalize(directory === '' ? relative : `${directory}/${relative}`)
  if (joined === '..' || joined.startsWith('../') || joined.startsWith('/')) return undefined
  return joined === '.' ? '' : joined.replace(/\/$/, '')
}

/** A directory and all directories above it, nearest first; the root is `''`. */
export function* listAncestors(directory: string): Generator<string> {
  for (let current = directory; current !== ''; current = dirnameOf(current)) yield current
  yield ''
}
