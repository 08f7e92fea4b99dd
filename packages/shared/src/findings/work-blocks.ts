import { compareText, formatCount, hashParts } from '../core/index.ts'
import type { Finding } from './finding.ts'
import type { WorkBlock } from './report.ts'
import { compareSeverity, findWorstSeverity } from './severity.ts'
import { findCircle, findStrongComponents, type Successors } from './strong-components.ts'

/** A block of more findings is only made when they share files or depend on each other in a circle. */
const MAX_FINDINGS_PER_BLOCK = 12

export interface WorkBlockOptions {
  /** The package a file belongs to; by default read from usual directory names. */
  readonly packageOf?: (path: string) => string
}

export interface WorkBlockPlan {
  /** Each comes after those it depends on; the worst first where the order is free. */
  readonly blocks: readonly WorkBlock[]
  /** Ids of findings that depend on each other in a circle, with the first one again at the end. */
  readonly cycles: readonly (readonly string[])[]
}

/**
 * Groups findings into blocks that can be repaired in parallel: findings that touch one file go together, then small
 * groups of one package. No file is owned by two blocks. Declared dependencies (`depends_on`) order the blocks; a circle
 * of them becomes one block and is reported. `related_findings` order nothing.
 */
export function planWorkBlocks(
  findings: readonly Finding[],
  { packageOf = readPackage }: WorkBlockOptions = {},
): WorkBlockPlan {
  const sorted = findings.toSorted((left, right) => compareText(left.id, right.id))
  const ids = sorted.map(({ id }) => id)
  const dependencies: Successors = new Map(sorted.map(({ id, depends_on: on }) => [id, on ?? []]))
  const groups = packSmall(groupByFiles(sorted), packageOf)
  return {
    blocks: orderBlocks(joinCircles(groups, dependencies), dependencies),
    cycles: findStrongComponents(ids, dependencies).flatMap((component) => {
      const [start, other] = component.toSorted(compareText)
      if (start === undefined) return []
      const isCircle = other !== undefined || dependencies.get(start)?.includes(start)
      return isCircle ? [findCircle(start, dependencies)] : []
    }),
  }
}

/** Findings that touch a common file, directly or through others, are one group. */
function groupByFiles(findings: readonly Finding[]): Finding[][] {
  const links = new Map<string, string[]>(findings.map(({ id }) => [id, []]))
  const firstOf = new Map<string, string>()
  for (const { id, affected_files: places } of findings) {
    for (const { path } of places) {
      const first = firstOf.get(path) ?? id
      firstOf.set(path, first)
      links.get(first)?.push(id)
      links.get(id)?.push(first)
    }
  }
  const byId = new Map(findings.map((finding) => [finding.id, finding]))
  return findStrongComponents([...byId.keys()], links).map((component) =>
    component.toSorted(compareText).flatMap((id) => byId.get(id) ?? []),
  )
}

/** Puts small groups of one package together. Those with dependencies stay apart: packing could close a circle. */
function packSmall(groups: readonly Finding[][], packageOf: (path: string) => string): Finding[][] {
  const packed: Finding[][] = []
  const open = new Map<string, Finding[]>()
  const needed = new Set(groups.flat().flatMap((finding) => finding.depends_on ?? []))
  const byFile = groups.toSorted((left, right) =>
    compareText(listOwned(left)[0] ?? '', listOwned(right)[0] ?? ''),
  )
  for (const group of byFile) {
    const packages = new Set(listOwned(group).map(packageOf))
    const isOrdered = group.some(({ id, depends_on: on }) => needed.has(id) || on !== undefined)
    const [key] = packages
    if (key === undefined || packages.size > 1 || isOrdered) {
      packed.push([...group])
      continue
    }
    const host = open.get(key)
    if (host !== undefined && host.length + group.length <= MAX_FINDINGS_PER_BLOCK) {
      host.push(...group)
    } else {
      const fresh = [...group]
      packed.push(fresh)
      open.set(key, fresh)
    }
  }
  return packed
}

/** Groups whose findings depend on each other in a circle become one. */
function joinCircles(groups: readonly Finding[][], dependencies: Successors): Finding[][] {
  const { names, successors } = linkGroups(groups, dependencies)
  const byName = new Map(names.map((name, index) => [name, groups[index] ?? []]))
  return findStrongComponents(names, successors).map((component) =>
    component.flatMap((name) => byName.get(name) ?? []),
  )
}

/** The graph of groups: an edge to each other group that holds something a finding of this one depends on. */
function linkGroups(
  groups: readonly Finding[][],
  dependencies: Successors,
): { names: string[]; successors: Map<string, string[]> } {
  const names = groups.map((group) => nameGroup(group))
  const nameOf = new Map(
    groups.flatMap((group, index) => group.map(({ id }) => [id, names[index] ?? ''])),
  )
  const successors = new Map(
    groups.map((group, index) => {
      const needed = group.flatMap(({ id }) => dependencies.get(id) ?? [])
      const others = needed.flatMap((id) => nameOf.get(id) ?? [])
      const own = names[index] ?? ''
      return [own, [...new Set(others)].filter((name) => name !== own).toSorted(compareText)]
    }),
  )
  return { names, successors }
}

function nameGroup(group: readonly Finding[]): string {
  return `WB-${hashParts(group.map(({ id }) => id).toSorted(compareText)).slice(0, 8)}`
}

/** By how many blocks must come before, then the worst first. The groups hold no circle. */
function orderBlocks(groups: readonly Finding[][], dependencies: Successors): WorkBlock[] {
  const { names, successors } = linkGroups(groups, dependencies)
  const depths = new Map<string, number>()
  for (const name of findStrongComponents(names, successors).flat()) {
    const below = (successors.get(name) ?? []).map((other) => depths.get(other) ?? 0)
    depths.set(name, Math.max(-1, ...below) + 1)
  }
  return groups
    .map((group, index) => {
      const id = names[index] ?? ''
      return describeBlock(id, group, successors.get(id) ?? [])
    })
    .toSorted(
      (left, right) =>
        (depths.get(left.id) ?? 0) - (depths.get(right.id) ?? 0) ||
        compareSeverity(left.max_severity, right.max_severity) ||
        compareText(left.id, right.id),
    )
}

function describeBlock(id: string, group: readonly Finding[], dependsOn: string[]): WorkBlock {
  const files = listOwned(group)
  const count = formatCount(group.length, 'finding')
  return {
    id,
    finding_ids: group.map((finding) => finding.id).toSorted(compareText),
    owned_files: files,
    max_severity: findWorstSeverity(group.map((finding) => finding.severity)),
    depends_on: dependsOn,
    rationale:
      files.length === 0
        ? `${count} without a file`
        : `${count} in ${files.length === 1 ? files[0] : formatCount(files.length, 'file')}`,
  }
}

function listOwned(group: readonly Finding[]): string[] {
  return [
    ...new Set(group.flatMap(({ affected_files: places }) => places.map(({ path }) => path))),
  ].toSorted(compareText)
}

/** `packages/api` of `packages/api/src/a.ts`, `src` of `src/a.ts`, the root for files at the root. */
function readPackage(path: string): string {
  const [first, second, ...rest] = path.split('/')
  if (first === undefined || second === undefined) return ''
  const holdsPackages = /^(?:packages|apps|libs|services|modules|crates|plugins|cmd)$/.test(first)
  return holdsPackages && rest.length > 0 ? `${first}/${second}` : first
}
