// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 180 kinds of nodes, each rule asks about a few
import type { Value } from './bindings.ts'
import type { SourceModel } from './model.ts'
import { type CallNode, type Node, readMemberName, readString, unwrap } from './syntax.ts'

/** A dotted path that starts at a module or at a global: `child_process` + `exec`, global + `eval`. */
export interface Reference {
  /** The module's name without `node:`, or undefined for a global. */
  readonly module: string | undefined
  readonly names: readonly string[]
}

/** Wrappers that return the same function or module in another dress. */
const transparentCall =
  /promisify|denodeify|thenify|interop|__importStar|__importDefault|__toESM|toESModule|^pify$|^bind$|^wrap$/i

/** What module export or global an expression stands for, or undefined when that is not in the source. */
export function resolveReference(
  model: SourceModel,
  node: Node,
  seen: Set<Node> = new Set(),
): Reference | undefined {
  const inner = unwrap(node)
  if (seen.has(inner)) return undefined
  seen.add(inner)
  switch (inner.type) {
    case 'Identifier': {
      const binding = model.bindings.get(inner)
      if (binding === undefined) return { module: undefined, names: [inner.name] }
      for (const write of binding.writes) {
        const found = resolveValue(model, write.value, seen)
        if (found !== undefined) return found
      }
      return undefined
    }
    case 'MemberExpression': {
      const name = readMemberName(inner)
      if (name === undefined) return undefined
      if (inner.object.type === 'ThisExpression') return resolveMember(model, name, seen)
      return extend(resolveReference(model, inner.object, seen), name)
    }
    case 'CallExpression':
      return resolveCall(model, inner, seen)
    case 'LogicalExpression':
      return resolveReference(model, inner.left, seen) ?? resolveReference(model, inner.right, seen)
    default:
      return undefined
  }
}

function resolveMember(model: SourceModel, name: string, seen: Set<Node>): Reference | undefined {
  for (const write of model.memberWrites.get(name) ?? []) {
    const found = resolveReference(model, write.value, seen)
    if (found?.module !== undefined) return found
  }
  return undefined
}

function resolveCall(model: SourceModel, call: CallNode, seen: Set<Node>): Reference | undefined {
  const [first] = call.arguments
  const callee = unwrap(call.callee)
  if (callee.type === 'Identifier' && callee.name === 'require' && first !== undefined) {
    const module = readString(first)
    return module === undefined ? undefined : { module: normaliseModule(module), names: [] }
  }
  const calleeName =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression'
        ? (readMemberName(callee) ?? '')
        : ''
  if (calleeName === 'bind' && callee.type === 'MemberExpression') {
    return resolveReference(model, callee.object, seen)
  }
  const wrapsModule = callee.type === 'CallExpression' && isRequireOf(callee, transparentCall)
  if (first === undefined || !(transparentCall.test(calleeName) || wrapsModule)) return undefined
  return resolveReference(model, first, seen)
}

/** `require('util.promisify')(exec)` */
function isRequireOf(call: CallNode, name: RegExp): boolean {
  const [module] = call.arguments
  if (call.callee.type !== 'Identifier' || call.callee.name !== 'require') return false
  return module !== undefined && name.test(readString(module) ?? '')
}

function resolveValue(model: SourceModel, value: Value, seen: Set<Node>): Reference | undefined {
  switch (value.kind) {
    case 'expression':
      return resolveReference(model, value.node, seen)
    case 'member':
      return value.name === undefined
        ? undefined
        : extend(resolveValue(model, value.object, seen), value.name)
    case 'import':
      return extend({ module: normaliseModule(value.module), names: [] }, value.name ?? 'default')
    case 'either':
      return value.values.map((one) => resolveValue(model, one, seen)).find((one) => one)
    default:
      return undefined
  }
}

function extend(reference: Reference | undefined, name: string): Reference | undefined {
  if (reference === undefined) return undefined
  // `default` only appears between a module and its export when code was compiled from ES modules.
  return name === 'default'
    ? reference
    : { module: reference.module, names: [...reference.names, name] }
}

function normaliseModule(module: string): string {
  return module.startsWith('node:') ? module.slice('node:'.length) : module
}
