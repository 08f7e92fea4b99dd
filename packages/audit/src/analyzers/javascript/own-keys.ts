import type { Value } from './bindings.ts'
import { findOnlyValue } from './definitions.ts'
import { classifyFunction } from './functions.ts'
import type { SourceModel } from './model.ts'
import { type Node, readMemberName, unwrap } from './syntax.ts'

/**
 * Whether a key comes from listing the very object that is written to: `object[key] = change(object[key])` adds no
 * key that was not there.
 */
export function isOwnKey(model: SourceModel, object: Node, key: Node): boolean {
  const base = unwrap(object)
  if (base.type !== 'Identifier') return false
  const binding = model.bindings.get(base)
  const listed = findListedObject(model, key)
  if (binding === undefined || listed?.type !== 'Identifier') return false
  return model.bindings.get(listed) === binding
}

/** The object whose keys an expression runs through: by `for in`, `Object.keys` or a callback of either. */
function findListedObject(model: SourceModel, key: Node): Node | undefined {
  const inner = unwrap(key)
  if (inner.type === 'MemberExpression' && inner.computed) return readListing(model, inner.object)
  if (inner.type !== 'Identifier') return undefined
  const [write, ...others] = model.bindings.get(inner)?.writes ?? []
  return write === undefined || others.length > 0 ? undefined : findListing(model, write.value)
}

function findListing(model: SourceModel, value: Value): Node | undefined {
  switch (value.kind) {
    case 'key':
      return unwrap(value.node)
    case 'member':
      return value.object.kind === 'expression' ? readListing(model, value.object.node) : undefined
    case 'expression':
      return value.node.type === 'Identifier' ? undefined : findListedObject(model, value.node)
    case 'parameter': {
      const role = classifyFunction(model, value.owner)
      return role.kind === 'iteration' ? readListing(model, role.collection) : undefined
    }
    case 'either':
    case 'extended':
    case 'import':
    case 'inert':
      return undefined
  }
}

/** The argument of `Object.keys(object)` or `Object.entries(object)`, also through a variable. */
function readListing(model: SourceModel, list: Node): Node | undefined {
  const inner = unwrap(list)
  if (inner.type === 'Identifier') {
    const value = findOnlyValue(model, inner)
    return value && readListing(model, value)
  }
  if (inner.type !== 'CallExpression' || inner.callee.type !== 'MemberExpression') return undefined
  const method = readMemberName(inner.callee) ?? ''
  if (/^(filter|sort|reverse|slice)$/.test(method)) return readListing(model, inner.callee.object)
  if (!/^(keys|entries|getOwnPropertyNames|ownKeys)$/.test(method)) return undefined
  const [object] = inner.arguments
  return object === undefined ? undefined : unwrap(object)
}
