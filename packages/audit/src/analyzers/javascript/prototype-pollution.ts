import type { Binding, Value } from './bindings.ts'
import { findCallSites } from './functions.ts'
import type { AssignmentNode, SourceModel } from './model.ts'
import { isNumeric } from './numbers.ts'
import {
  findEnclosingFunction,
  type FunctionNode,
  type IdentifierNode,
  isFunctionNode,
  type MemberExpression,
  type Node,
  parentOf,
  readMemberName,
  readString,
  unwrap,
} from './syntax.ts'
import { type Origin, pickStrongest, traceOrigins } from './trace.ts'

/** A write through two attacker-chosen keys: the first can reach a prototype, the second changes it. */
export interface PollutingWrite {
  readonly node: AssignmentNode
  readonly key: Node
  /** Where the key comes from. */
  readonly origin: Origin
  /** The read by a chosen key that reached the object written to. */
  readonly reachedBy: Node
}

/** Finds the writes of a file that can change a prototype, one per function, in source order. */
export function findPollutingWrites(model: SourceModel): PollutingWrite[] {
  const perFunction = new Map<Node, PollutingWrite>()
  for (const node of model.assignments) {
    const write = matchWrite(model, node)
    if (write === undefined) continue
    const owner = findEnclosingFunction(node) ?? model.program
    const previous = perFunction.get(owner)
    // The write of the value itself says more than the write of an empty step on the way to it.
    if (previous === undefined || !isEmptyStep(node)) perFunction.set(owner, write)
  }
  return [...perFunction.values()]
}

function matchWrite(model: SourceModel, node: AssignmentNode): PollutingWrite | undefined {
  const { left } = node
  if (left.type !== 'MemberExpression' || !left.computed) return undefined
  if (!isChosenKey(model, left.property)) return undefined
  const search = new BaseSearch(model)
  const reachedBy = search.findDynamicRead(left.object)
  if (reachedBy === undefined) return undefined
  const keyOrigin = pickStrongest(traceOrigins(model, left.property, 'key'))
  const readOrigin = pickStrongest(traceOrigins(model, reachedBy.property, 'key'))
  if (keyOrigin === undefined || keyOrigin.kind === 'environment') return undefined
  if (readOrigin === undefined || readOrigin.kind === 'environment') return undefined
  const owner = findEnclosingFunction(node)
  if (owner !== undefined) search.owners.add(owner)
  if (isGuarded(model, search.owners)) return undefined
  return { node, key: left.property, origin: keyOrigin, reachedBy }
}

function isChosenKey(model: SourceModel, key: Node): boolean {
  return readString(key) === undefined && key.type !== 'Literal' && !isNumeric(model, key)
}

function isEmptyStep(node: AssignmentNode): boolean {
  const value = unwrap(node.right)
  return value.type === 'ObjectExpression' || value.type === 'ArrayExpression' || value.type === 'LogicalExpression'
}

type ComputedMember = Extract<MemberExpression, { computed: true }>

/** Looks backwards for how an object was obtained: by reading a property whose name somebody else chose? */
class BaseSearch {
  readonly owners = new Set<FunctionNode>()
  readonly #model: SourceModel
  readonly #seen = new Set<unknown>()

  constructor(model: SourceModel) {
    this.#model = model
  }

  findDynamicRead(node: Node): ComputedMember | undefined {
    const inner = unwrap(node)
    if (this.#seen.has(inner)) return undefined
    this.#seen.add(inner)
    switch (inner.type) {
      case 'MemberExpression':
        return this.#matchRead(inner)
      case 'Identifier':
        return this.#searchIdentifier(inner)
      case 'LogicalExpression':
        return this.findDynamicRead(inner.left) ?? this.findDynamicRead(inner.right)
      case 'ConditionalExpression':
        return this.findDynamicRead(inner.consequent) ?? this.findDynamicRead(inner.alternate)
      case 'AssignmentExpression':
        return this.findDynamicRead(inner.right)
      case 'CallExpression':
        return this.#searchCall(inner)
      default:
        return undefined
    }
  }

  #matchRead(node: MemberExpression): ComputedMember | undefined {
    if (!node.computed) return undefined
    if (isArgumentsRead(node)) return this.#searchArguments(node)
    if (!isChosenKey(this.#model, node.property)) return undefined
    return checksOwnProperty(this.#model, node) ? undefined : (node as ComputedMember)
  }

  #searchIdentifier(node: IdentifierNode): ComputedMember | undefined {
    const binding = this.#model.bindings.get(node)
    if (binding === undefined || this.#seen.has(binding)) return undefined
    this.#seen.add(binding)
    for (const write of binding.writes) {
      const found = this.#searchValue(write.value)
      if (found !== undefined) return found
    }
    return undefined
  }

  #searchValue(value: Value): ComputedMember | undefined {
    switch (value.kind) {
      case 'expression':
        return isFunctionNode(value.node) ? undefined : this.findDynamicRead(value.node)
      case 'either':
        return value.values.map((one) => this.#searchValue(one)).find((found) => found)
      case 'parameter':
        return this.#searchParameter(value.owner, value.index)
      default:
        return undefined
    }
  }

  #searchParameter(owner: FunctionNode, index: number): ComputedMember | undefined {
    this.owners.add(owner)
    for (const { call, skip } of findCallSites(this.#model, owner)) {
      const argument = call.arguments[index + skip]
      const found = argument && this.findDynamicRead(argument)
      if (found) return this.#keepCaller(call, found)
    }
    return index === 0 ? this.#searchReduction(owner) : undefined
  }

  #keepCaller(call: Node, found: ComputedMember): ComputedMember {
    const caller = findEnclosingFunction(call)
    if (caller !== undefined) this.owners.add(caller)
    return found
  }

  /** `path.reduce((object, key) => object[key], root)`: the callback's result is its next first parameter. */
  #searchReduction(owner: FunctionNode): ComputedMember | undefined {
    const call = parentOf(owner)
    if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined
    if (!/^reduce(Right)?$/.test(readMemberName(call.callee) ?? '')) return undefined
    for (const result of this.#model.returns.get(owner) ?? []) {
      const found = this.findDynamicRead(result)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** `arguments[0]` is a parameter without a name. */
  #searchArguments(node: MemberExpression): ComputedMember | undefined {
    const owner = findEnclosingFunction(node)
    if (owner === undefined) return undefined
    this.owners.add(owner)
    for (const { call } of findCallSites(this.#model, owner)) {
      for (const argument of call.arguments) {
        const found = this.findDynamicRead(argument)
        if (found !== undefined) return this.#keepCaller(call, found)
      }
    }
    return undefined
  }

  #searchCall(call: Extract<Node, { type: 'CallExpression' }>): ComputedMember | undefined {
    const callee = unwrap(call.callee)
    if (callee.type === 'MemberExpression' && /^reduce(Right)?$/.test(readMemberName(callee) ?? '')) {
      const [callback] = call.arguments
      if (callback === undefined || !isFunctionNode(callback)) return undefined
      return this.#searchReduction(callback)
    }
    const target = this.#findFunction(callee)
    if (target === undefined || this.#seen.has(target)) return undefined
    this.#seen.add(target)
    for (const result of this.#model.returns.get(target) ?? []) {
      const found = this.findDynamicRead(result)
      if (found !== undefined) return found
    }
    return undefined
  }

  #findFunction(callee: Node): FunctionNode | undefined {
    if (callee.type !== 'Identifier') return undefined
    const [write, ...others] = this.#model.bindings.get(callee)?.writes ?? []
    if (write?.value.kind !== 'expression' || others.length > 0) return undefined
    return isFunctionNode(write.value.node) ? write.value.node : undefined
  }
}

function isArgumentsRead(node: MemberExpression): boolean {
  return node.object.type === 'Identifier' && node.object.name === 'arguments'
}

/** `object.hasOwnProperty(key)` on the object that is read: an inherited property is never followed. */
function checksOwnProperty(model: SourceModel, read: MemberExpression): boolean {
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

const guardText = /__proto__|['"`]constructor['"`]|['"`]prototype['"`]/

/** Whether the functions involved, or what they name, mention the keys that lead to a prototype. */
function isGuarded(model: SourceModel, owners: ReadonlySet<FunctionNode>): boolean {
  if (!guardText.test(model.text)) return false
  const guards = collectGuardBindings(model)
  for (const owner of owners) {
    if (guardText.test(model.text.slice(owner.start, owner.end))) return true
    for (const binding of guards) {
      if (binding.references.some((one) => one.start >= owner.start && one.end <= owner.end)) return true
    }
  }
  return false
}

/** Variables whose value mentions such a key: a list of forbidden names, or a function that checks for them. */
function collectGuardBindings(model: SourceModel): Set<Binding> {
  const guards = new Set<Binding>()
  for (const binding of model.bindings.values()) {
    for (const { value } of binding.writes) {
      if (value.kind !== 'expression') continue
      const text = model.text.slice(value.node.start, value.node.end)
      if (text.length < 2000 && guardText.test(text)) guards.add(binding)
    }
  }
  return guards
}
