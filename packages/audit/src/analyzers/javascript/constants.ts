// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 180 kinds of nodes, each rule asks about a few
import type { Value } from './bindings.ts'
import type { SourceModel } from './model.ts'
import { findReachingWrites } from './reaching.ts'
import { type Node, readString, unwrap } from './syntax.ts'

/**
 * The constant parts of a text expression, with one space for every part that is not constant: enough to see whether
 * a text starts like a shell command or a query.
 */
export function collectConstantText(
  model: SourceModel,
  node: Node,
  seen: Set<Node> = new Set(),
): string {
  const inner = unwrap(node)
  if (seen.has(inner)) return ' '
  seen.add(inner)
  const constant = readString(inner)
  if (constant !== undefined) return constant
  switch (inner.type) {
    case 'TemplateLiteral':
      return inner.quasis.map((quasi) => quasi.value.cooked ?? '').join(' ')
    case 'BinaryExpression':
      if (inner.operator !== '+') return ' '
      return (
        collectConstantText(model, inner.left, seen) + collectConstantText(model, inner.right, seen)
      )
    case 'ConditionalExpression':
      return collectConstantText(model, inner.consequent, seen)
    case 'Identifier': {
      const binding = model.bindings.get(inner)
      const writes = binding === undefined ? [] : findReachingWrites(binding, inner)
      return writes.map((write) => collectValueText(model, write.value, seen)).join('') || ' '
    }
    case 'CallExpression':
      // `['git', 'log', ref].join(' ')` and `util.format('git log %s', ref)`
      return collectCallText(model, inner, seen)
    default:
      return ' '
  }
}

function collectCallText(
  model: SourceModel,
  call: Extract<Node, { type: 'CallExpression' }>,
  seen: Set<Node>,
): string {
  const { callee } = call
  if (callee.type !== 'MemberExpression') return ' '
  if (callee.object.type === 'ArrayExpression') {
    const parts = callee.object.elements.map((element) =>
      element === null ? '' : collectConstantText(model, element, seen),
    )
    return parts.join(' ')
  }
  const [first] = call.arguments
  const isFormat = !callee.computed && callee.property.name === 'format' && first !== undefined
  return isFormat ? collectConstantText(model, first, seen) : ' '
}

function collectValueText(model: SourceModel, value: Value, seen: Set<Node>): string {
  switch (value.kind) {
    case 'expression':
      return collectConstantText(model, value.node, seen)
    case 'extended':
      return (
        collectConstantText(model, value.previous, seen) +
        collectConstantText(model, value.node, seen)
      )
    default:
      return ' '
  }
}
