import { posix } from 'node:path'

import { compareText, groupBy } from '@audit-tools/shared/core'

import type { SnapshotFile } from '../snapshot/index.ts'
import type { ImportEdge, TestLink } from './graph.ts'
import { dirnameOf } from './path-index.ts'

const testWord =
  /^(?:test[_-])|[._-](?:test|tests|spec|specs|e2e|cy)(?=\.|$)|_(?:test|spec)$|(?<=\w)(?:Tests?|TestCase|Spec|IT)$/
const testDirectory = /^(?:tests?|__tests__|specs?|e2e|unit|integration|unit-tests?)$/
const sourceDirectory = /^(?:src|lib|app|main|source|pkg)$/

/** With more sources of one name, only the directories tell which is meant. */
const MAX_CANDIDATES = 20

/**
 * The source that a test is named after, by paths alone: the file of the same stem whose directories agree best once
 * `test`, `src` and the like are left out. Tests whose name fits no source or several equally are absent.
 */
export function matchTestsByName(files: readonly SnapshotFile[]): ReadonlyMap<string, string> {
  const sources = files.filter(({ kind }) => kind === 'source').map(({ path }) => path)
  const byStem = groupBy(sources, stemOf)
  const byPlace = groupBy(sources, (path) => describePlace(path, stemOf(path)))
  const matches = new Map<string, string>()
  for (const { path, kind } of files) {
    if (kind !== 'test') continue
    const stem = stripTestWords(path)
    const named = byStem.get(stem) ?? []
    const near = named.length > MAX_CANDIDATES ? [] : named.filter((name) => isNear(path, name))
    const source = pickSource(path, byPlace.get(describePlace(path, stem)) ?? near)
    if (source !== undefined) matches.set(path, source)
  }
  return matches
}

function stemOf(path: string): string {
  return posix.basename(path).replace(/\..*$/, '')
}

/** `user_service_test.go` -> `user_service`. */
function stripTestWords(path: string): string {
  const name = posix.basename(path).replace(/\.\w+$/, '')
  return name.replace(testWord, '').replace(/\..*$/, '')
}

function describePlace(path: string, stem: string): string {
  return [...listPlainDirectories(path), stem].join('/')
}

/** The directories of a path without those that only part tests from sources. */
function listPlainDirectories(path: string): string[] {
  return dirnameOf(path)
    .split('/')
    .filter((name) => name !== '' && !testDirectory.test(name) && !sourceDirectory.test(name))
}

/** Whether the source lies below where the test would, or in a directory of the same name. */
function isNear(test: string, source: string): boolean {
  const [left, right] = [listPlainDirectories(test), listPlainDirectories(source)]
  return left.every((name, index) => name === right[index]) || left.at(-1) === right.at(-1)
}

function pickSource(test: string, candidates: readonly string[]): string | undefined {
  const extension = posix.extname(test).slice(0, 3)
  const sameLanguage = candidates.filter((path) => posix.extname(path).startsWith(extension))
  const usable = sameLanguage.length > 0 ? sameLanguage : candidates
  const [first, second] = usable
    .map((path) => ({ path, score: scoreMatch(test, path) }))
    .toSorted((left, right) => right.score - left.score)
  return first && first.score > (second?.score ?? -1) ? first.path : undefined
}

/** Twice the directories that agree from the end, and one for lying in the same directory. */
function scoreMatch(test: string, source: string): number {
  const left = listPlainDirectories(test).toReversed()
  const right = listPlainDirectories(source).toReversed()
  const differs = left.findIndex((name, index) => name !== right[index])
  const shared = differs === -1 ? left.length : differs
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
