import { compareText, hashParts } from '@audit-tools/shared/core'

import type { SnapshotFile } from '../snapshot/index.ts'
import { cutTree } from './cut-tree.ts'
import type { Unit } from './graph.ts'
import { matchTestsByName } from './link-tests.ts'
import { dirnameOf } from './path-index.ts'

/** Large enough that packets inside fill well, small enough to be named in a report. */
const MAX_UNIT_FILES = 200

/**
 * Groups source, tests and configuration by directory. Paths alone decide, so that no edit of a file moves another one
 * to another unit; communities over import edges would follow every changed import.
 */
export function groupUnits(files: readonly SnapshotFile[]): Unit[] {
  const tests = matchTestsByName(files)
  const items = files
    .filter(({ kind }) => kind === 'source' || kind === 'test' || kind === 'config')
    .map(({ path }) => ({ path, place: placeFile(path, tests), weight: 1 }))
  return cutTree(items, MAX_UNIT_FILES).map((group) => {
    const paths = group.map(({ path }) => path).toSorted(compareText)
    return { id: `unit-${hashParts(paths).slice(0, 12)}`, title: findTitle(paths), files: paths }
  })
}

/** A file's place in the tree: a test stands with the source it is named after. */
export function placeFile(path: string, tests: ReadonlyMap<string, string>): string[] {
  const source = tests.get(path)
  return source === undefined ? path.split('/') : [...source.split('/'), path]
}

function findTitle(paths: readonly string[]): string {
  let [common = ''] = paths.map(dirnameOf)
  for (const path of paths) {
    while (common !== '' && !path.startsWith(`${common}/`)) common = dirnameOf(common)
  }
  return common === '' ? '.' : common
}
