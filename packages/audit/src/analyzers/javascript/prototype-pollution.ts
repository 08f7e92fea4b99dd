import { BaseSearch } from './base-search.ts'
import { isChosenKey } from './chosen-keys.ts'
import type { AssignmentNode, SourceModel } from './model.ts'
import { type Origin, pickStrongest } from './origins.ts'
import { isOwnKey } from './own-keys.ts'
import { findGuard } from './prototype-guards.ts'
import { findEnclosingFunction, type Node, unwrap } from './syntax.ts'
import { traceOrigins } from './trace.ts'

/** Writes through two attacker-chosen keys: the first can reach a prototype, the second changes it. */
export interface PollutingWrite {
  /** One write, or several close together in one function. */
  readonly nodes: readonly AssignmentNode[]
  readonly key: Node
  /** Where the key comes from. */
  readonly origin: Origin
  /** `__proto__` is refused and `constructor` is not, so the prototype is still reached through functions. */
  readonly isPartlyGuarded: boolean
  /** A loop or a recursion goes down by as many keys as the caller gives, not by exactly two. */
  readonly isDeep: boolean
}

/** Writes further apart than this are told separately. */
const groupDistance = 400

/** Finds the writes of a file that can change a prototype, in source order. */
export function findPollutingWrites(model: SourceModel): PollutingWrite[] {
  const found: PollutingWrite[] = []
  let lastOwner: Node | undefined
  for (const node of model.assignments) {
    const write = matchWrite(model, node)
    if (write === undefined) continue
    const owner = findEnclosingFunction(node)
    const previous = found.at(-1)
    const isNear =
      previous !== undefined &&
      owner === lastOwner &&
      node.start - (previous.nodes.at(-1)?.end ?? 0) < groupDistance
    if (isNear) found.splice(-1, 1, { ...previous, nodes: [...previous.nodes, node] })
    else found.push(write)
    lastOwner = owner
  }
  return found
}

function matchWrite(model: SourceModel, node: AssignmentNode): PollutingWrite | undefined {
  const { left } = node
  if (left.type !== 'MemberExpression' || !left.computed) return undefined
  if (!isChosenKey(model, left.property) || isOwnKey(model, left.object, left.property)) {
    return undefined
  }
  const search = new BaseSearch(model)
  const reachedBy = search.findDynamicRead(left.object)
  if (reachedBy === undefined) return undefined
  const origin = pickStrongest(traceOrigins(model, left.property, 'key'))
  const readOrigin = pickStrongest(traceOrigins(model, reachedBy.property, 'key'))
  if (!isChosenByOthers(origin) || !isChosenByOthers(readOrigin)) return undefined
  const owner = findEnclosingFunction(node)
  if (owner !== undefined) search.owners.add(owner)
  const guard = findGuard(model, search.owners)
  if (guard === 'whole') return undefined
  return {
    nodes: [node],
    key: left.property,
    origin,
    isPartlyGuarded: guard === 'partial',
    isDeep: unwrap(left.object) !== reachedBy,
  }
}

function isChosenByOthers(origin: Origin | undefined): origin is Origin {
  return origin !== undefined && origin.kind !== 'environment' && origin.kind !== 'unknown'
}
