import type { Value } from './bindings.ts'
import type { SourceModel } from './model.ts'
import { findReachingWrites } from './reaching.ts'
import { type Node, readString, unwrap } from './syntax.ts'

const depthLimit = 8

/**
 * The constant parts of a text expression, with one space for every part that is not constant: enough to see whether
 * a text starts like a shell command or a query.
 */
export function collectConstantText(model: SourceModel, node: Node, depth = 0): string {
  if (depth > depthLimit) return ' '
  const inner = unwrap(node)
  const constant = readString(inner)
  if (constant !== undefined) return constant
  switch (inner.type) {
    case 'TemplateLiteral':
      return inner.quasis.map((quasi) => quasi.value.cooked ?? '').join(' ')
    case 'BinaryExpression':
      if (inner.operator !== '+') return ' '
      return (
        collectConstantText(model, inner.left, depth + 1) +
        collectConstantText(model, inner.right, depth + 1)
      )
    case 'ConditionalExpression':
      return collectConstantText(model, inner.consequent, depth + 1)
    case 'Identifier': {
      const binding = model.bindings.get(inner)
      const writes = binding === undefined ? [] : findReachingWrites(binding, inner)
      return writes.map((write) => collectValueText(model, write.value, depth + 1)).join('') || ' '
    }
    case 'CallExpression':
      // `['git', 'log', ref].join(' ')` and `util.format('git log %s', ref)`
      return collectCallText(model, inner, depth)
    default:
      return ' '
  }
}

function collectCallText(
  model: SourceModel,
  call: Extract<Node, { type: 'CallExpression' }>,
  depth: number,
): string {
  const { callee } = call
  if (callee.type !== 'MemberExpression') return ' '
  if (callee.object.type === 'ArrayExpression') {
    const parts = callee.object.elements.map((element) =>
      element === null ? '' : collectConstantText(model, element, depth + 1),
    )
    return parts.join(' ')
  }
  const [first] = call.arguments
  const isFormat = !callee.computed && callee.property.name === 'format' && first !== undefined
  return isFormat ? collectConstantText(model, first, depth + 1) : ' '
}

function collectValueText(model: SourceModel, value: Value, depth: number): string {
  switch (value.kind) {
    case 'expression':
      return collectConstantText(model, value.node, depth)
    case 'extended':
      return (
        collectConstantText(model, value.previous, depth) +
        collectConstantText(model, value.node, depth)
      )
    default:
      return ' '
  }
}
