import { posix } from 'node:path'

import { compareText } from '@audit-tools/shared/core'

import type { SnapshotFile } from '../snapshot/index.ts'
import type { ImportEdge, TestLink } from './graph.ts'
import { dirnameOf } from './path-index.ts'

const testWord =
  /^(?:test[_-])|[._-](?:test|tests|spec|specs|e2e|cy)(?=\.|$)|_(?:test|spec)$|(?<=\w)(?:Tests?|TestCase|Spec|IT)$/
const testDirectory = /^(?:tests?|__tests__|specs?|e2e|unit|integration|unit-tests?)$/
const sourceDirectory = /^(?:src|lib|app|main|source|pkg)$/

/**
 * The source that a test is named after, by paths alone: the file of the same stem whose directories agree best once
 * `test`, `src` and the like are left out. Tests whose name fits no source or several equally are absent.
 */
export function matchTestsByName(files: readonly SnapshotFile[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string[]>()
  for (const { path, kind } of files) {
    if (kind !== 'source') continue
    const key = posix.basename(path).replace(/\..*$/, '')
    sources.set(key, [...(sources.get(key) ?? []), path])
  }
  const matches = new Map<string, string>()
  for (const { path, kind } of files) {
    if (kind !== 'test') continue
    const source = pickSource(path, sources.get(stripTestWords(path)) ?? [])
    if (source !== undefined) matches.set(path, source)
  }
  return matches
}

/** `user_service_test.go` -> `user_service`. */
function stripTestWords(path: string): string {
  const name = posix.basename(path).replace(/\.\w+$/, '')
  return name.replace(testWord, '').replace(/\..*$/, '')
}

function pickSource(test: string, candidates: readonly string[]): string | undefined {
  const extension = posix.extname(test).slice(1, 3)
  const sameLanguage = candidates.filter((path) => posix.extname(path).startsWith(`.${extension}`))
  const usable = sameLanguage.length > 0 ? sameLanguage : candidates
  const ranked = usable
    .map((path) => ({ path, score: scoreMatch(test, path) }))
    .toSorted((left, right) => right.score - left.score)
  const [first, second] = ranked
  return first && first.score > (second?.score ?? -1) ? first.path : undefined
}

/** Twice the directories that agree from the end, and whether both lie in one directory. */
function scoreMatch(test: string, source: string): number {
  const [left, right] = [test, source].map((path) =>
    dirnameOf(path)
      .split('/')
      .filter((name) => !testDirectory.test(name) && !sourceDirectory.test(name)),
  )
  let shared = 0
  while (shared < Math.min(left?.length ?? 0, right?.length ?? 0)) {
    if (left?.at(-1 - shared) !== right?.at(-1 - shared)) break
    shared += 1
  }
  return 2 * shared + (dirnameOf(test) === dirnameOf(source) ? 1 : 0)
}

/** Which tests exercise which sources: what a test imports, and what it is named after. */
export function linkTests(
  files: readonly SnapshotFile[],
  edges: readonly ImportEdge[],
): TestLink[] {
  const kinds = new Map(files.map((file) => [file.path, file.kind]))
  const links = new Map<string, TestLink>()
  for (const [test, source] of matchTestsByName(files)) {
    const link: TestLink = { test, source, confidence: 'medium', reason: 'named after it' }
    links.set(`${test}\0${source}`, link)
  }
  for (const { from, to, typeOnly } of edges) {
    if (typeOnly || kinds.get(from) !== 'test' || kinds.get(to) !== 'source') continue
    links.set(`${from}\0${to}`, {
      test: from,
      source: to,
      confidence: 'high',
      reason: 'imports it',
    })
  }
  return [...links.values()].toSorted(
    (left, right) => compareText(left.test, right.test) || compareText(left.source, right.source),
  )
}
