import type { Value } from './bindings.ts'
import { findCallSites } from './functions.ts'
import type { AssignmentNode, SourceModel } from './model.ts'
import { isNumeric } from './numbers.ts'
import { isOwnKey } from './own-keys.ts'
import {
  findEnclosingFunction,
  type FunctionNode,
  type IdentifierNode,
  isFunctionNode,
  isInside,
  type MemberExpression,
  type Node,
  parentOf,
  readMemberName,
  readString,
  unwrap,
} from './syntax.ts'
import { type Origin, pickStrongest, traceOrigins } from './trace.ts'

/** Writes through two attacker-chosen keys: the first can reach a prototype, the second changes it. */
export interface PollutingWrite {
  /** One write, or several close together in one function. */
  readonly nodes: readonly AssignmentNode[]
  readonly key: Node
  /** Where the key comes from. */
  readonly origin: Origin
  /** `__proto__` is refused and `constructor` is not, so the prototype is still reached through functions. */
  readonly isPartlyGuarded: boolean
  /** A loop or a recursion goes down by as many keys as the caller gives, not by exactly two. */
  readonly isDeep: boolean
}

/** Writes further apart than this are told separately. */
const groupDistance = 400

/** Finds the writes of a file that can change a prototype, in source order. */
export function findPollutingWrites(model: SourceModel): PollutingWrite[] {
  const found: PollutingWrite[] = []
  let lastOwner: Node | undefined
  for (const node of model.assignments) {
    const write = matchWrite(model, node)
    if (write === undefined) continue
    const owner = findEnclosingFunction(node)
    const previous = found.at(-1)
    const isNear =
      previous !== undefined &&
      owner === lastOwner &&
      node.start - (previous.nodes.at(-1)?.end ?? 0) < groupDistance
    if (isNear) found.splice(-1, 1, { ...previous, nodes: [...previous.nodes, node] })
    else found.push(write)
    lastOwner = owner
  }
  return found
}

function matchWrite(model: SourceModel, node: AssignmentNode): PollutingWrite | undefined {
  const { left } = node
  if (left.type !== 'MemberExpression' || !left.computed) return undefined
  if (!isChosenKey(model, left.property) || isOwnKey(model, left.object, left.property)) {
    return undefined
  }
  const search = new BaseSearch(model)
  const reachedBy = search.findDynamicRead(left.object)
  if (reachedBy === undefined) return undefined
  const origin = pickStrongest(traceOrigins(model, left.property, 'key'))
  const readOrigin = pickStrongest(traceOrigins(model, reachedBy.property, 'key'))
  if (!isChosenByOthers(origin) || !isChosenByOthers(readOrigin)) return undefined
  const owner = findEnclosingFunction(node)
  if (owner !== undefined) search.owners.add(owner)
  const guard = findGuard(model, search.owners)
  if (guard === 'whole') return undefined
  return {
    nodes: [node],
    key: left.property,
    origin,
    isPartlyGuarded: guard === 'partial',
    isDeep: unwrap(left.object) !== reachedBy,
  }
}

function isChosenByOthers(origin: Origin | undefined): origin is Origin {
  return origin !== undefined && origin.kind !== 'environment' && origin.kind !== 'unknown'
}

/** Fields of an options object are rarely keys, unless their name says so. */
const keyNames = /key|name|prop|path|field|id|type|attr/i

/** Names of counters and positions. */
const numberNames = /^(i|j)$|^(index|idx)|(idx|index|line|column|count|offset|depth|level|row|col|size|pos|position)$/i

function isChosenKey(model: SourceModel, key: Node): boolean {
  if (key.type === 'Identifier' && numberNames.test(key.name)) return false
  if (key.type === 'Literal' || readString(key) !== undefined) return false
  if (key.type === 'MemberExpression' && !key.computed && !keyNames.test(key.property.name))
    return false
  return !isNumeric(model, key)
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
    if (
      callee.type === 'MemberExpression' &&
      /^reduce(Right)?$/.test(readMemberName(callee) ?? '')
    ) {
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

const protoText = /__proto__/
const constructorText = /['"`](?:constructor|prototype)['"`]/
const functionText = /['"`]function['"`]/

/**
 * Whether the functions involved, or what they name, refuse the keys that lead to a prototype. Refusing `__proto__`
 * alone is enough where functions are never followed.
 */
function findGuard(
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
