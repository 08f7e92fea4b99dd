/** The nodes that can come next from a node. Only nodes of the graph count. */
export type Successors = ReadonlyMap<string, readonly string[]>

/**
 * The strongly connected components of a graph (Tarjan, without recursion): nodes that reach each other share one. A
 * component comes after those that its nodes lead to.
 */
export function findStrongComponents(nodes: readonly string[], successors: Successors): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const components: string[][] = []
  const known = new Set(nodes)

  const enter = (node: string): Visit => {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    open.push(node)
    isOpen.add(node)
    const rest = (successors.get(node) ?? []).filter((next) => known.has(next))
    return { node, rest: rest.values() }
  }
  const lower = (node: string, value: number): void => {
    low.set(node, Math.min(low.get(node) ?? value, value))
  }
  const leave = (node: string): void => {
    if (low.get(node) !== order.get(node)) return
    const component = open.splice(open.lastIndexOf(node))
    for (const member of component) isOpen.delete(member)
    components.push(component)
  }

  for (const root of nodes) {
    if (order.has(root)) continue
    const path = [enter(root)]
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const { done, value: next } = visit.rest.next()
      if (done) {
        leave(visit.node)
        path.pop()
        const parent = path.at(-1)
        if (parent !== undefined) lower(parent.node, low.get(visit.node) ?? 0)
      } else if (!order.has(next)) path.push(enter(next))
      else if (isOpen.has(next)) lower(visit.node, order.get(next) ?? 0)
    }
  }
  return components
}

interface Visit {
  readonly node: string
  readonly rest: Iterator<string, undefined>
}

/** A shortest way from a node of a circle back to itself, with the node at both ends. */
export function findCircle(start: string, successors: Successors): string[] {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const node of queue) {
    for (const next of successors.get(node) ?? []) {
      if (next === start) return traceBack(node, start, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, node)
      queue.push(next)
    }
  }
  return [start]
}

function traceBack(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const circle = [start]
  for (let node = end; node !== start; node = cameFrom.get(node) ?? start) circle.unshift(node)
  return [start, ...circle]
}
