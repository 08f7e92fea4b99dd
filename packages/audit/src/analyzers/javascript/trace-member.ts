import { findOnlyValue } from './definitions.ts'
import type { OriginKind, Way } from './origins.ts'
import { inertProperties } from './sanitizers.ts'
import {
  isFunctionNode,
  type MemberExpression,
  type Node,
  readKeyName,
  readMemberName,
  unwrap,
} from './syntax.ts'
import type { Frame, TraceRun } from './trace-run.ts'

/** Goes on with what a property may hold: its object, or what the file assigns to it where the file shows that. */
export function traceMember(
  run: TraceRun,
  node: MemberExpression,
  way: Way,
  frame: Frame | undefined,
): void {
  const name = readMemberName(node)
  if (name !== undefined && inertProperties.has(name)) return
  const object = unwrap(node.object)
  if (object.type === 'Identifier' && !run.model.bindings.has(object)) {
    const kind = classifyGlobalRead(object.name, name)
    if (kind !== undefined) run.found(kind, node, way)
    return
  }
  if (object.type === 'ThisExpression') {
    if (name !== undefined) traceOwnProperty(run, node, name, way)
    return
  }
  if (name !== undefined && traceObjectProperty(run, { object, name }, way, frame)) return
  run.trace(object, way, frame)
}

/** `this.name`: whatever the file assigns to a property of that name on `this` or an alias of it. */
function traceOwnProperty(run: TraceRun, node: Node, name: string, way: Way): void {
  const writes = run.model.memberWrites.get(name) ?? []
  const own = writes.filter(({ object }) => isOwnObject(object))
  if (own.length === 0) run.found('unknown', node, way)
  for (const { value } of own) if (!isFunctionNode(value)) run.trace(value, way, undefined)
}

/**
 * A property of an object literal that the file shows whole: only that property and later writes to it count. False
 * when the object is no such literal.
 */
export function traceObjectProperty(
  run: TraceRun,
  { object, name }: { readonly object: Node; readonly name: string },
  way: Way,
  frame: Frame | undefined,
): boolean {
  const { model } = run
  const literal = object.type === 'Identifier' ? findOnlyValue(model, object) : object
  if (literal?.type !== 'ObjectExpression') return false
  for (const property of literal.properties) {
    if (property.type === 'SpreadElement') run.trace(property.argument, way, frame)
    else if (readKeyName(property.key, property.computed) === name) {
      run.trace(property.value, way, frame)
    }
  }
  const binding = object.type === 'Identifier' ? model.bindings.get(object) : undefined
  for (const write of model.memberWrites.get(name) ?? []) {
    if (write.object.type !== 'Identifier' || binding === undefined) continue
    if (model.bindings.get(write.object) === binding) run.trace(write.value, way, frame)
  }
  return true
}

function isOwnObject(node: Node): boolean {
  if (node.type === 'ThisExpression') return true
  return node.type === 'Identifier' && /^(_?this|_?self|that|me)$/.test(node.name)
}

function classifyGlobalRead(object: string, name: string | undefined): OriginKind | undefined {
  switch (object) {
    case 'process':
      return name === 'argv' || name === 'env' ? 'environment' : undefined
    case 'location':
      return /^(hash|search|href|pathname)$/.test(name ?? '') ? 'request' : undefined
    case 'arguments':
      return 'parameter'
    default:
      return undefined
  }
}
