import { groupBy } from '@audit-tools/shared/core'

import type { ModuleGraphInput, ModuleImport } from '../analyzers/index.ts'
import type { Cycle, Graph, ImportEdge } from '../graph/index.ts'

/** What the import graph says that is a fault by itself, as the module analyzer takes it. */
export function describeModules(graph: Graph): ModuleGraphInput {
  const edgesFrom = groupBy(graph.edges, (edge) => edge.from)
  return {
    cycles: graph.cycles.map((cycle) => findRing(cycle, edgesFrom)),
    unresolved: graph.unresolved.map(({ from, specifier, line }) => ({
      path: from,
      specifier,
      line,
    })),
  }
}

/** The shortest ring through the first file of a cycle, as the imports that close it. */
function findRing(cycle: Cycle, edgesFrom: ReadonlyMap<string, ImportEdge[]>): ModuleImport[] {
  const [start] = cycle.files
  if (start === undefined) return []
  const members = new Set(cycle.files)
  const cameBy = new Map<string, ImportEdge>()
  const border = [start]
  for (let file = border.shift(); file !== undefined; file = border.shift()) {
    for (const edge of edgesFrom.get(file) ?? []) {
      if (!members.has(edge.to) || edge.form === 'dynamic' || edge.from === edge.to) continue
      if (edge.typeOnly && !cycle.typeOnly) continue
      if (edge.to === start) return traceBack(edge, cameBy, cycle)
      if (cameBy.has(edge.to)) continue
      cameBy.set(edge.to, edge)
      border.push(edge.to)
    }
  }
  return []
}

function traceBack(
  last: ImportEdge,
  cameBy: ReadonlyMap<string, ImportEdge>,
  cycle: Cycle,
): ModuleImport[] {
  const ring: ModuleImport[] = []
  for (let edge: ImportEdge | undefined = last; edge !== undefined; edge = cameBy.get(edge.from)) {
    ring.unshift({
      path: edge.from,
      specifier: edge.to,
      line: edge.line,
      isTypeOnly: cycle.typeOnly,
    })
  }
  return ring
}
