import { compareText, groupBy } from '@audit-tools/shared/core'

import type { Cycle, ImportEdge } from './graph.ts'

/**
 * Groups of files that import each other around. Imports at run time count as such; dynamic ones, which break a cycle
 * at load time, do not. Cycles that close over type imports only are apart.
 */
export function findCycles(edges: readonly ImportEdge[]): Cycle[] {
  const loaded = edges.filter((edge) => edge.form !== 'dynamic' && edge.from !== edge.to)
  const atRunTime = findComponents(loaded.filter((edge) => !edge.typeOnly))
  const known = new Set(atRunTime.map((files) => files.join('\0')))
  const withTypes = findComponents(loaded).filter((files) => !known.has(files.join('\0')))
  return [
    ...atRunTime.map((files) => ({ files, typeOnly: false })),
    ...withTypes.map((files) => ({ files, typeOnly: true })),
  ]
}

interface Visit {
  readonly node: string
  readonly edges: readonly ImportEdge[]
  next: number
}

/** Strongly connected components of two files and more (Tarjan, without recursion), sorted. */
function findComponents(edges: readonly ImportEdge[]): string[][] {
  const edgesFrom = groupBy(edges, (edge) => edge.from)
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const components: string[][] = []

  const enter = (node: string): Visit => {
    order.set(node, order.size)
    low.set(node, order.get(node) ?? 0)
    open.push(node)
    isOpen.add(node)
    return { node, edges: edgesFrom.get(node) ?? [], next: 0 }
  }
  const lower = (node: string, value: number | undefined): void => {
    low.set(node, Math.min(low.get(node) ?? 0, value ?? Infinity))
  }
  const leave = (node: string): void => {
    if (low.get(node) !== order.get(node)) return
    const component = open.splice(open.lastIndexOf(node))
    for (const member of component) isOpen.delete(member)
    if (component.length > 1) components.push(component.toSorted(compareText))
  }
  const visitFrom = (start: string): void => {
    const path = [enter(start)]
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = visit.edges[visit.next]?.to
      visit.next += 1
      if (target === undefined) {
        path.pop()
        leave(visit.node)
        const parent = path.at(-1)
        if (parent) lower(parent.node, low.get(visit.node))
      } else if (!order.has(target)) {
        path.push(enter(target))
      } else if (isOpen.has(target)) {
        lower(visit.node, order.get(target))
      }
    }
  }

  for (const node of [...edgesFrom.keys()].toSorted(compareText)) {
    if (!order.has(node)) visitFrom(node)
  }
  return components.toSorted((left, right) => compareText(left[0] ?? '', right[0] ?? ''))
}
