// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 180 kinds of nodes, each rule asks about a few
import type { Value } from './bindings.ts'
import type { SourceModel } from './model.ts'
import { inertProperties, isCleaningCall } from './sanitizers.ts'
import { type Node, readMemberName, unwrap } from './syntax.ts'

/** Whether an expression is a number (or a symbol) by its syntax: a loop counter, a length, arithmetic. */
export function isNumeric(model: SourceModel, node: Node, seen: Set<Node> = new Set()): boolean {
  const inner = unwrap(node)
  // A counter is a number when everything else it is given is one: `i = i + 1`.
  if (seen.has(inner)) return true
  seen.add(inner)
  switch (inner.type) {
    case 'Literal':
      return typeof inner.value === 'number'
    case 'UpdateExpression':
      return true
    case 'UnaryExpression':
      return inner.operator !== 'typeof'
    case 'BinaryExpression':
      if (inner.operator !== '+') return true
      return isNumeric(model, inner.left, seen) && isNumeric(model, inner.right, seen)
    case 'AssignmentExpression':
      return isNumeric(model, inner.right, seen)
    case 'ConditionalExpression':
      return isNumeric(model, inner.consequent, seen) && isNumeric(model, inner.alternate, seen)
    case 'LogicalExpression':
      return isNumeric(model, inner.left, seen) || isNumeric(model, inner.right, seen)
    case 'MemberExpression':
      return inertProperties.has(readMemberName(inner) ?? '')
    case 'CallExpression':
      return isCleaningCall(inner, 'key')
    case 'Identifier': {
      const binding = model.bindings.get(inner)
      if (binding === undefined || binding.writes.length === 0) return false
      return binding.writes.every((write) => isNumericValue(model, write.value, seen))
    }
    default:
      return false
  }
}

function isNumericValue(model: SourceModel, value: Value, seen: Set<Node>): boolean {
  switch (value.kind) {
    case 'expression':
      return isNumeric(model, value.node, seen)
    case 'inert':
      return true
    case 'extended':
      return isNumeric(model, value.node, seen)
    case 'either':
      return value.values.some((one) => isNumericValue(model, one, seen))
    case 'member':
      return value.name !== undefined && inertProperties.has(value.name)
    case 'parameter':
      return (
        /^(i|j|idx|index|pos|offset|row|col)$/.test(value.name) ||
        hasNumericType(value.owner.params[value.index])
      )
    default:
      return false
  }
}

function hasNumericType(parameter: Node | undefined): boolean {
  if (parameter?.type !== 'Identifier' || !('typeAnnotation' in parameter)) return false
  return parameter.typeAnnotation?.typeAnnotation.type === 'TSNumberKeyword'
}
