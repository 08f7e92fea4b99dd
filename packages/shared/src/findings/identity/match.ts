import { compareText, groupBy } from '../../core/index.ts'
import type { Finding } from '../finding.ts'
import { readFamily } from './identity.ts'
import { quotesNest, readQuoteWindow } from './merge.ts'

/** A known finding and the one of this run that is the same defect. */
export interface FindingMatch {
  readonly known: Finding
  readonly current: Finding
}

/** Shorter quotes say too little to recognise a defect in another file under another name. */
const MIN_TOKENS_ACROSS_FILES = 6

/** From surest to least sure; each pairs only what the ones before left over. An empty key pairs nothing. */
const keys: readonly ((finding: Finding) => string)[] = [
  (finding) => finding.fingerprints.primary,
  (finding) => finding.fingerprints.moved,
  // Another copy of the same line came or went above it, or its function got another name.
  (finding) => formatKey(finding, [readPath(finding)], 1),
  // It went to another file and into another function at once.
  (finding) => formatKey(finding, [], MIN_TOKENS_ACROSS_FILES),
]

/**
 * Pairs known findings with those of this run, each at most once: by fingerprint, across renames, and where a copy of
 * the same code came or went, or the reporter quoted more or less of it. Lines, titles and wording do not count.
 */
export function matchFindings(
  known: readonly Finding[],
  current: readonly Finding[],
): FindingMatch[] {
  const matches: FindingMatch[] = []
  let openKnown = known.toSorted(compareByPlace)
  let openCurrent = current.toSorted(compareByPlace)
  const take = (pairs: readonly FindingMatch[]): void => {
    const used = new Set(pairs.flatMap((pair) => [pair.known, pair.current]))
    matches.push(...pairs)
    openKnown = openKnown.filter((finding) => !used.has(finding))
    openCurrent = openCurrent.filter((finding) => !used.has(finding))
  }
  for (const readKey of keys) take(pairByKey(openKnown, openCurrent, readKey))
  take(pairByExtent(openKnown, openCurrent))
  return matches
}

function pairByKey(
  known: readonly Finding[],
  current: readonly Finding[],
  readKey: (finding: Finding) => string,
): FindingMatch[] {
  const candidates = groupBy(current, readKey)
  const pairs: FindingMatch[] = []
  for (const [key, group] of groupBy(known, readKey)) {
    const others = key === '' ? [] : (candidates.get(key) ?? [])
    for (const [index, finding] of group.entries()) {
      const other = others[index]
      if (other !== undefined) pairs.push({ known: finding, current: other })
    }
  }
  return pairs
}

/** Pairs what quotes a part of the other in the same file, where no second candidate exists on either side. */
function pairByExtent(known: readonly Finding[], current: readonly Finding[]): FindingMatch[] {
  const candidates = groupBy(current, readRulePlace)
  const pairs: FindingMatch[] = []
  for (const [place, group] of groupBy(known, readRulePlace)) {
    const others = candidates.get(place) ?? []
    for (const finding of group) {
      const nested = others.filter((other) => quotesNest(finding, other))
      const [other] = nested
      if (other === undefined || nested.length > 1) continue
      const rivals = group.filter((rival) => quotesNest(rival, other))
      if (rivals.length === 1) pairs.push({ known: finding, current: other })
    }
  }
  return pairs
}

function readRulePlace(finding: Finding): string {
  return `${readFamily(finding)}\n${readPath(finding)}`
}

function formatKey(finding: Finding, place: readonly string[], minTokens: number): string {
  const window = readQuoteWindow(finding)
  if (window === '' || window.split(' ').length < minTokens) return ''
  return [readFamily(finding), ...place, window].join('\n')
}

function readPath(finding: Finding): string {
  return finding.affected_files[0]?.path ?? ''
}

function compareByPlace(left: Finding, right: Finding): number {
  return (
    compareText(readPath(left), readPath(right)) ||
    (left.affected_files[0]?.line_start ?? 0) - (right.affected_files[0]?.line_start ?? 0) ||
    compareText(left.id, right.id)
  )
}
