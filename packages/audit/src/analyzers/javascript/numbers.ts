import type { Value } from './bindings.ts'
import type { SourceModel } from './model.ts'
import { inertProperties, isCleaningCall } from './sanitizers.ts'
import { type Node, readMemberName, unwrap } from './syntax.ts'

const depthLimit = 6

/** Whether an expression is a number (or a symbol) by its syntax: a loop counter, a length, arithmetic. */
export function isNumeric(model: SourceModel, node: Node, depth = 0): boolean {
  if (depth > depthLimit) return false
  const inner = unwrap(node)
  switch (inner.type) {
    case 'Literal':
      return typeof inner.value === 'number'
    case 'UpdateExpression':
      return true
    case 'UnaryExpression':
      return inner.operator !== 'typeof'
    case 'BinaryExpression':
      if (inner.operator !== '+') return true
      return isNumeric(model, inner.left, depth + 1) && isNumeric(model, inner.right, depth + 1)
    case 'AssignmentExpression':
      return isNumeric(model, inner.right, depth + 1)
    case 'ConditionalExpression':
      return (
        isNumeric(model, inner.consequent, depth + 1) &&
        isNumeric(model, inner.alternate, depth + 1)
      )
    case 'LogicalExpression':
      return isNumeric(model, inner.left, depth + 1) || isNumeric(model, inner.right, depth + 1)
    case 'MemberExpression':
      return inertProperties.has(readMemberName(inner) ?? '')
    case 'CallExpression':
      return isCleaningCall(inner, 'key')
    case 'Identifier': {
      const binding = model.bindings.get(inner)
      if (binding === undefined || binding.writes.length === 0) return false
      return binding.writes.every((write) => isNumericValue(model, write.value, depth + 1))
    }
    default:
      return false
  }
}

function isNumericValue(model: SourceModel, value: Value, depth: number): boolean {
  switch (value.kind) {
    case 'expression':
      return isNumeric(model, value.node, depth)
    case 'inert':
      return true
    case 'extended':
      return isNumeric(model, value.node, depth)
    case 'either':
      return value.values.some((one) => isNumericValue(model, one, depth))
    case 'member':
      return value.name !== undefined && inertProperties.has(value.name)
    case 'parameter':
      return (
        /^(i|j|k|n|idx|index|pos|offset|row|col|x|y|z)$/.test(value.name) ||
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
