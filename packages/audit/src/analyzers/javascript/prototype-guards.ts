import type { SourceModel } from './model.ts'
import {
  type FunctionNode,
  isFunctionNode,
  isInside,
  type MemberExpression,
  type Node,
  parentOf,
  readMemberName,
} from './syntax.ts'

/** `object.hasOwnProperty(key)` on the object that is read: an inherited property is never followed. */
export function checksOwnProperty(model: SourceModel, read: MemberExpression): boolean {
  if (read.object.type !== 'Identifier') return false
  const binding = model.bindings.get(read.object)
  return binding?.references.some((reference) => isOwnCheck(reference)) ?? false
}

function isOwnCheck(reference: Node): boolean {
  const parent = parentOf(reference)
  if (parent?.type === 'MemberExpression' && parent.object === reference) {
    return readMemberName(parent) === 'hasOwnProperty'
  }
  if (parent?.type !== 'CallExpression' || parent.arguments[0] !== reference) return false
  const name = parent.callee.type === 'MemberExpression' ? readMemberName(parent.callee) : undefined
  if (name === 'hasOwn') return true
  if (name !== 'call' || parent.callee.type !== 'MemberExpression') return false
  const method = parent.callee.object
  if (method.type === 'Identifier') return /has_?own/i.test(method.name)
  return method.type === 'MemberExpression' && readMemberName(method) === 'hasOwnProperty'
}

const protoText = /__proto__/
const constructorText = /['"`](?:constructor|prototype)['"`]/
const functionText = /['"`]function['"`]/

/**
 * Whether the functions involved, or what they name, refuse the keys that lead to a prototype. Refusing `__proto__`
 * alone is enough where functions are never followed.
 */
export function findGuard(
  model: SourceModel,
  owners: ReadonlySet<FunctionNode>,
): 'none' | 'partial' | 'whole' {
  if (!protoText.test(model.text) && !constructorText.test(model.text)) return 'none'
  const texts = collectGuardTexts(model, owners)
  const refusesConstructor = texts.some(
    (text) =>
      constructorText.test(text) &&
      (protoText.test(text) || /[=!]==?\s*['"`](?:constructor|prototype)['"`]/.test(text)),
  )
  if (refusesConstructor) return 'whole'
  if (!texts.some((text) => protoText.test(text))) return 'none'
  return texts.some((text) => functionText.test(text)) ? 'partial' : 'whole'
}

/** The text of the functions, of the functions they name that check keys, and of the lists that these name. */
function collectGuardTexts(model: SourceModel, owners: ReadonlySet<FunctionNode>): string[] {
  const named = listNamedValues(model, [...owners])
  const lists = listNamedValues(model, named).filter((node) => !isFunctionNode(node))
  const places = new Set<Node>([...owners, ...named, ...lists])
  return Array.from(places, (place) => model.text.slice(place.start, place.end))
}

/** Longer values are whole modules rather than guards. */
const guardLength = 2000

function listNamedValues(model: SourceModel, places: readonly Node[]): Node[] {
  const values: Node[] = []
  for (const binding of new Set(model.bindings.values())) {
    const isNamed = binding.references.some((reference) =>
      places.some((place) => isInside(reference, place)),
    )
    if (!isNamed) continue
    for (const { value } of binding.writes) {
      if (value.kind !== 'expression') continue
      if (value.node.end - value.node.start < guardLength) values.push(value.node)
    }
  }
  return values
}
