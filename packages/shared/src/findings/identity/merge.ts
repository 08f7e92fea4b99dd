import { compareText, formatStableJson, groupBy } from '../../core/index.ts'
import type { Conservation } from '../conservation.ts'
import type { AffectedFile, Finding } from '../finding.ts'
import { groundingStatuses } from '../finding.ts'
import { compareConfidence, compareSeverity, findWorstSeverity } from '../severity.ts'
import { readFamily } from './identity.ts'
import { formatWindow, isNestedWindow } from './tokens.ts'

export interface MergedFindings {
  /** Worst first, then by path and line. */
  readonly findings: readonly Finding[]
  readonly conservation: Conservation
}

/**
 * Joins findings with one identity, and findings of different reporters under one rule whose quotes of one place differ
 * only in extent. All reporters and all evidence are kept, with the highest severity and confidence. The result does
 * not depend on the order of the input.
 */
export function mergeFindings(findings: readonly Finding[]): MergedFindings {
  const groups = [...groupBy(findings, (finding) => finding.fingerprints.primary).values()]
  const joined = joinNested(groups.map((group) => group.toSorted(compareForBase)))
  const kept: Finding[] = []
  const merged: { what: string; into: string }[] = []
  for (const group of joined) {
    const finding = mergeGroup(group)
    kept.push(finding)
    for (const other of group.slice(1)) {
      merged.push({ what: `${other.id} of ${other.reporters.join(', ')}`, into: finding.id })
    }
  }
  return {
    findings: kept.toSorted(compareFindings),
    conservation: {
      received: findings.length,
      kept: kept.length,
      merged: merged.toSorted((left, right) => compareText(left.what, right.what)),
      rejected: [],
    },
  }
}

/** Report order: worst first, then by path, line and id. */
export function compareFindings(left: Finding, right: Finding): number {
  const [leftPlace, rightPlace] = [left.affected_files[0], right.affected_files[0]]
  return (
    compareSeverity(left.severity, right.severity) ||
    compareText(leftPlace?.path ?? '', rightPlace?.path ?? '') ||
    (leftPlace?.line_start ?? 0) - (rightPlace?.line_start ?? 0) ||
    compareText(left.id, right.id)
  )
}

/** A total order, so that the same findings always give the same base: the best grounded and worst first. */
function compareForBase(left: Finding, right: Finding): number {
  return (
    groundingStatuses.indexOf(left.grounding.status) -
      groundingStatuses.indexOf(right.grounding.status) ||
    compareSeverity(left.severity, right.severity) ||
    compareConfidence(left.confidence, right.confidence) ||
    compareText(formatStableJson(left), formatStableJson(right))
  )
}

/** Puts a group into the one group that quotes more or less of the same lines, when there is exactly one such. */
function joinNested(groups: readonly Finding[][]): Finding[][] {
  const result: Finding[][] = []
  const sorted = groups.toSorted(([left], [right]) =>
    left === undefined || right === undefined
      ? 0
      : compareText(left.fingerprints.primary, right.fingerprints.primary),
  )
  for (const near of groupBy(sorted, describeNeighbourhood).values()) {
    const reporters = new Set(near.flat().flatMap((finding) => finding.reporters))
    if (reporters.size < 2) {
      result.push(...near)
      continue
    }
    const open: Finding[][] = []
    for (const group of near) {
      const hosts = open.filter((other) => isSamePlaceOfOthers(group, other))
      const host = hosts.length === 1 ? hosts[0] : undefined
      if (host === undefined) open.push(group)
      else host.splice(0, host.length, ...[...host, ...group].toSorted(compareForBase))
    }
    result.push(...open)
  }
  return result
}

function describeNeighbourhood([first]: readonly Finding[]): string {
  if (first === undefined) return ''
  return `${readFamily(first)}\n${first.affected_files[0]?.path ?? ''}`
}

function isSamePlaceOfOthers(left: readonly Finding[], right: readonly Finding[]): boolean {
  const reporters = new Set(left.flatMap((finding) => finding.reporters))
  if (right.some((finding) => finding.reporters.some((name) => reporters.has(name)))) return false
  return left.every((one) => right.every((other) => isSameExtent(one, other)))
}

function isSameExtent(left: Finding, right: Finding): boolean {
  const [leftPlace, rightPlace] = [left.affected_files[0], right.affected_files[0]]
  if (leftPlace === undefined || rightPlace === undefined) return false
  return overlaps(leftPlace, rightPlace) && quotesNest(left, right)
}

function overlaps(left: AffectedFile, right: AffectedFile): boolean {
  if (left.line_start === undefined || right.line_start === undefined) return false
  const leftEnd = left.line_end ?? left.line_start
  const rightEnd = right.line_end ?? right.line_start
  return left.line_start <= rightEnd && right.line_start <= leftEnd
}

/** Whether one finding quotes a part of what the other one quotes. */
export function quotesNest(left: Finding, right: Finding): boolean {
  return isNestedWindow(readQuoteWindow(left), readQuoteWindow(right))
}

/** The normalised quote of a finding, empty where it has none. */
export function readQuoteWindow(finding: Pick<Finding, 'affected_files'>): string {
  return formatWindow(finding.affected_files[0]?.quoted_text ?? '')
}

function mergeGroup(group: readonly Finding[]): Finding {
  const [base, ...others] = group
  if (base === undefined) throw new RangeError('a group holds at least one finding')
  if (others.length === 0) return base
  const confidence = group.map((finding) => finding.confidence).toSorted(compareConfidence)[0]
  const summaries = others
    .map((finding) => finding.summary)
    .filter((summary) => summary !== base.summary)
  const evidence = union(group.flatMap((finding) => finding.evidence ?? []).concat(summaries))
  // What the base does not say is taken from the best of the others that does.
  const filled = Object.assign({}, ...others.toReversed(), base) as Finding
  return {
    ...filled,
    severity: findWorstSeverity(group.map((finding) => finding.severity)),
    confidence: confidence ?? base.confidence,
    reporters: union(group.flatMap((finding) => finding.reporters)),
    affected_files: joinPlaces(group),
    ...(evidence.length > 0 ? { evidence } : {}),
  }
}

/** The places of the base, then those of the others that name other lines. */
function joinPlaces(group: readonly Finding[]): AffectedFile[] {
  const places = new Map<string, AffectedFile>()
  for (const place of group.flatMap((finding) => finding.affected_files)) {
    const isKnown = [...places.values()].some(
      (known) => known.path === place.path && (overlaps(known, place) || isSameLine(known, place)),
    )
    if (!isKnown) places.set(formatStableJson(place), place)
  }
  return [...places.values()]
}

function isSameLine(left: AffectedFile, right: AffectedFile): boolean {
  return left.line_start === right.line_start
}

function union(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted(compareText)
}
