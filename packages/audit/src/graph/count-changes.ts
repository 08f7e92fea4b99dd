import { compareText } from '@audit-tools/shared/core'

import type { CoChange } from './graph.ts'

/** Changes that touch more files (renames, formatting, imports of code) say nothing about which belong together. */
const MAX_COMMIT_FILES = 50
/** Fewer common commits may be chance. */
const MIN_COMMON_COMMITS = 3

/** The commits of a history, each as the paths it touched, relative to the root. */
export type ChangeHistory = readonly (readonly string[])[]

/** How often each of these files changed, and which changed together. */
export function countChanges(
  history: ChangeHistory,
  isKnown: (path: string) => boolean,
): { churn: ReadonlyMap<string, number>; coChanges: CoChange[] } {
  const churn = new Map<string, number>()
  const pairs = new Map<string, Map<string, number>>()
  for (const commit of history) {
    const files = [...new Set(commit)].filter(isKnown).toSorted(compareText)
    for (const file of files) churn.set(file, (churn.get(file) ?? 0) + 1)
    if (commit.length <= MAX_COMMIT_FILES) countPairs(pairs, files)
  }
  return { churn, coChanges: listPairs(pairs) }
}

function countPairs(pairs: Map<string, Map<string, number>>, files: readonly string[]): void {
  for (const [index, left] of files.entries()) {
    const partners = pairs.get(left) ?? new Map<string, number>()
    for (const right of files.slice(index + 1)) partners.set(right, (partners.get(right) ?? 0) + 1)
    pairs.set(left, partners)
  }
}

function listPairs(pairs: ReadonlyMap<string, ReadonlyMap<string, number>>): CoChange[] {
  return [...pairs]
    .flatMap(([left, partners]) =>
      [...partners].map(([right, commits]) => ({ left, right, commits })),
    )
    .filter(({ commits }) => commits >= MIN_COMMON_COMMITS)
    .toSorted((a, b) => compareText(a.left, b.left) || compareText(a.right, b.right))
}
