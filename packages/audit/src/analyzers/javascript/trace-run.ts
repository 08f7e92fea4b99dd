import type { SourceModel } from './model.ts'
import type { OriginKind, Way } from './origins.ts'
import type { FlowUse } from './sanitizers.ts'
import type { CallNode, FunctionNode, Node } from './syntax.ts'

/** A call that is being looked into: the parameters of its function stand for its arguments. */
export interface Frame {
  readonly owner: FunctionNode
  readonly call: CallNode
  /** Leading arguments that are not parameters. */
  readonly skip: number
  readonly outer: Frame | undefined
  readonly depth: number
}

/** One search for the origins of a value, as its steps see it. */
export interface TraceRun {
  readonly model: SourceModel
  readonly use: FlowUse
  /** Goes on with an expression that the value is made of. */
  trace(node: Node, way: Way, frame: Frame | undefined): void
  /** Records where outside text enters. */
  found(kind: OriginKind, node: Node, way: Way): void
}

export function join(way: Way): Way {
  return { ...way, joined: true }
}
