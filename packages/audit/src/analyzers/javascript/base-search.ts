// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 180 kinds of nodes, each rule asks about a few
import type { Value } from './bindings.ts'
import { isChosenKey } from './chosen-keys.ts'
import { findFunction } from './definitions.ts'
import { findCallSites } from './functions.ts'
import type { SourceModel } from './model.ts'
import { checksOwnProperty } from './prototype-guards.ts'
import {
  findEnclosingFunction,
  type FunctionNode,
  type IdentifierNode,
  isFunctionNode,
  type MemberExpression,
  type Node,
  parentOf,
  readMemberName,
  unwrap,
} from './syntax.ts'

type ComputedMember = Extract<MemberExpression, { computed: true }>

/** Looks backwards for how an object was obtained: by reading a property whose name somebody else chose? */
export class BaseSearch {
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
    return checksOwnProperty(this.#model, node) ? undefined : node
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
      case 'member':
      case 'key':
      case 'extended':
      case 'import':
      case 'inert':
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
    if (
      callee.type === 'MemberExpression' &&
      /^reduce(Right)?$/.test(readMemberName(callee) ?? '')
    ) {
      const [callback] = call.arguments
      const step = callback && findFunction(this.#model, unwrap(callback))
      return step && this.#searchResults(step)
    }
    const target = findFunction(this.#model, callee)
    return target && this.#searchResults(target)
  }

  #searchResults(target: FunctionNode): ComputedMember | undefined {
    if (this.#seen.has(target)) return undefined
    this.#seen.add(target)
    this.owners.add(target)
    for (const result of this.#model.returns.get(target) ?? []) {
      const found = this.findDynamicRead(result)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function isArgumentsRead(node: MemberExpression): boolean {
  return node.object.type === 'Identifier' && node.object.name === 'arguments'
}
