import type { SourceModel } from './model.ts'
import {
  type FunctionNode,
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

/** The text of the functions and of what they name: lists of forbidden keys, functions that check for them. */
function collectGuardTexts(model: SourceModel, owners: ReadonlySet<FunctionNode>): string[] {
  const texts = [...owners].map((owner) => model.text.slice(owner.start, owner.end))
  for (const binding of new Set(model.bindings.values())) {
    const isNamed = binding.references.some((reference) =>
      [...owners].some((owner) => isInside(reference, owner)),
    )
    if (!isNamed) continue
    for (const { value } of binding.writes) {
      if (value.kind !== 'expression') continue
      const text = model.text.slice(value.node.start, value.node.end)
      if (text.length < 2000) texts.push(text)
    }
  }
  return texts
}
