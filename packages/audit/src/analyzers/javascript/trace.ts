import type { Binding, Value } from './bindings.ts'
import { classifyFunction, findCallSites, isRequestParameter } from './functions.ts'
import type { SourceModel } from './model.ts'
import { findReachingWrites } from './reaching.ts'
import { resolveReference } from './references.ts'
import { type FlowUse, inertProperties, isCleaningCall, isGuardReference } from './sanitizers.ts'
import {
  type CallNode,
  type FunctionNode,
  type IdentifierNode,
  isFunctionNode,
  type MemberExpression,
  type Node,
  readKeyName,
  readMemberName,
  unwrap,
} from './syntax.ts'

/**
 * Where text from outside enters a file, from the least to the most dangerous. `unknown` is a value whose making this
 * file does not show, `environment` is what the process reads from its arguments, files and children.
 */
const originKinds = ['unknown', 'environment', 'callback', 'parameter', 'request'] as const
type OriginKind = (typeof originKinds)[number]

export interface Origin {
  readonly kind: OriginKind
  /** The parameter or property read, as the source names it. */
  readonly name: string
  readonly node: Node
  /** The value was joined with other text on its way. */
  readonly joined: boolean
  /** The value passed through a function this file does not show. */
  readonly indirect: boolean
}

interface Flags {
  readonly joined: boolean
  readonly indirect: boolean
}

/** Arguments of a call that is being looked into, by the function's parameters. */
interface Frame {
  readonly owner: FunctionNode
  readonly call: CallNode
  readonly skip: number
  readonly outer: Frame | undefined
  readonly depth: number
}

const plain: Flags = { joined: false, indirect: false }
const stepLimit = 4000
const depthLimit = 5

/** Finds every outside origin that can reach an expression, backwards, within one file. */
export function traceOrigins(model: SourceModel, node: Node, use: FlowUse): Origin[] {
  const tracer = new Tracer(model, use)
  tracer.trace(node, plain, undefined)
  return tracer.origins
}

/** The most dangerous of several origins; the first one where two are alike. */
export function pickStrongest(origins: readonly Origin[]): Origin | undefined {
  let best: Origin | undefined
  for (const origin of origins) {
    if (best === undefined || rankOrigin(origin) > rankOrigin(best)) best = origin
  }
  return best
}

function rankOrigin(origin: Origin): number {
  return originKinds.indexOf(origin.kind) * 2 + (origin.indirect ? 0 : 1)
}

class Tracer {
  readonly origins: Origin[] = []
  readonly #model: SourceModel
  readonly #use: FlowUse
  readonly #seen = new Map<Node, Set<string>>()
  #steps = 0

  constructor(model: SourceModel, use: FlowUse) {
    this.#model = model
    this.#use = use
  }

  trace(node: Node, flags: Flags, frame: Frame | undefined): void {
    if (!this.#enter(node, flags, frame)) return
    switch (node.type) {
      case 'TemplateLiteral':
        for (const part of node.expressions) this.trace(part, this.#join(flags), frame)
        return
      case 'TaggedTemplateExpression':
        if (node.tag.type === 'MemberExpression' && readMemberName(node.tag) === 'raw') {
          this.trace(node.quasi, flags, frame)
        }
        return
      case 'BinaryExpression':
        if (node.operator !== '+') return
        this.trace(node.left, this.#join(flags), frame)
        this.trace(node.right, this.#join(flags), frame)
        return
      case 'LogicalExpression':
        if (node.operator !== '&&') this.trace(node.left, flags, frame)
        this.trace(node.right, flags, frame)
        return
      case 'ConditionalExpression':
        this.trace(node.consequent, flags, frame)
        this.trace(node.alternate, flags, frame)
        return
      case 'AssignmentExpression':
        if (node.operator === '+=') this.trace(node.left, this.#join(flags), frame)
        this.trace(node.right, flags, frame)
        return
      case 'ArrayExpression':
        for (const element of node.elements) if (element) this.trace(element, flags, frame)
        return
      case 'ObjectExpression':
        for (const property of node.properties) {
          this.trace(property.type === 'Property' ? property.value : property, flags, frame)
        }
        return
      case 'SpreadElement':
      case 'YieldExpression':
        if (node.argument) this.trace(node.argument, flags, frame)
        return
      case 'Identifier':
        this.#traceIdentifier(node, flags, frame)
        return
      case 'MemberExpression':
        this.#traceMember(node, flags, frame)
        return
      case 'CallExpression':
      case 'NewExpression':
        this.#traceCall(node, flags, frame)
        return
      default: {
        const inner = unwrap(node)
        if (inner !== node) this.trace(inner, flags, frame)
      }
    }
  }

  /** Each node once per kind of way and per call looked into, within a fixed number of steps. */
  #enter(node: Node, flags: Flags, frame: Frame | undefined): boolean {
    this.#steps += 1
    if (this.#steps > stepLimit) return false
    const key = `${flags.joined}${flags.indirect}${frame?.call.start ?? ''}`
    const seen = this.#seen.get(node)
    if (seen?.has(key)) return false
    if (seen === undefined) this.#seen.set(node, new Set([key]))
    else seen.add(key)
    return true
  }

  #join(flags: Flags): Flags {
    return { ...flags, joined: true }
  }

  #found(kind: OriginKind, node: Node, name: string, flags: Flags): void {
    this.origins.push({ kind, node, name, ...flags })
  }

  #traceIdentifier(node: IdentifierNode, flags: Flags, frame: Frame | undefined): void {
    if (node.name === 'arguments' && !this.#model.bindings.has(node)) {
      this.#found('parameter', node, 'arguments', flags)
      return
    }
    const binding = this.#model.bindings.get(node)
    if (binding === undefined) {
      if (!builtInNames.has(node.name)) this.#found('unknown', node, node.name, flags)
      return
    }
    if (this.#isGuarded(binding, node)) return
    for (const write of findReachingWrites(binding, node))
      this.#traceValue(write.value, flags, frame)
  }

  #isGuarded(binding: Binding, use: Node): boolean {
    return binding.references.some(
      (reference) =>
        reference.start < use.start && isGuardReference(this.#model, reference, this.#use),
    )
  }

  #traceValue(value: Value, flags: Flags, frame: Frame | undefined): void {
    switch (value.kind) {
      case 'expression':
        this.trace(value.node, flags, frame)
        return
      case 'member':
        if (value.name !== undefined && inertProperties.has(value.name)) return
        if (value.object.kind === 'expression' && value.name !== undefined) {
          if (this.#traceObjectProperty(value.object.node, value.name, flags, frame)) return
        }
        this.#traceValue(value.object, flags, frame)
        return
      case 'key':
        this.trace(value.node, flags, frame)
        return
      case 'either':
        for (const one of value.values) this.#traceValue(one, flags, frame)
        return
      case 'extended':
        this.trace(value.previous, this.#join(flags), frame)
        this.trace(value.node, this.#join(flags), frame)
        return
      case 'parameter':
        this.#traceParameter(value, flags, frame)
        return
      case 'import':
        return
      case 'inert':
    }
  }

  #traceParameter(
    value: Extract<Value, { kind: 'parameter' }>,
    flags: Flags,
    frame: Frame | undefined,
  ): void {
    const { owner, index } = value
    if (wiringNames.test(value.name)) return
    const pattern = owner.params[index] ?? owner
    const name = value.name === '' ? this.#nameOf(pattern) : value.name
    if (isRequestParameter(this.#model, owner, index)) {
      this.#found('request', pattern, name, flags)
      return
    }
    if (frame?.owner === owner) {
      const argument = frame.call.arguments[index + frame.skip]
      if (argument) this.trace(argument, flags, frame.outer)
      return
    }
    const role = classifyFunction(this.#model, owner)
    switch (role.kind) {
      case 'closed':
        for (const { call, skip } of role.calls) {
          const argument = call.arguments[index + skip]
          if (argument) this.trace(argument, flags, undefined)
        }
        return
      case 'iteration':
        if (index === role.elementIndex) this.trace(role.collection, flags, undefined)
        return
      case 'callback':
        this.#traceCallbackParameter(role.call, value, pattern, flags)
        return
      case 'entry':
        this.#found('parameter', pattern, name, flags)
        for (const { call, skip } of findCallSites(this.#model, owner)) {
          const argument = call.arguments[index + skip]
          if (argument) this.trace(argument, flags, undefined)
        }
    }
  }

  #traceCallbackParameter(
    call: CallNode,
    value: Extract<Value, { kind: 'parameter' }>,
    pattern: Node,
    flags: Flags,
  ): void {
    if (call.type === 'NewExpression') return
    if (value.index === 0 && (value.owner.params.length > 1 || /^e(rr|rror)?\d*$/.test(value.name)))
      return
    const reference = resolveReference(this.#model, call.callee)
    const isSystem = reference?.module !== undefined && systemModules.test(reference.module)
    this.#found(isSystem ? 'environment' : 'callback', pattern, this.#nameOf(pattern), flags)
  }

  #traceMember(node: MemberExpression, flags: Flags, frame: Frame | undefined): void {
    const name = readMemberName(node)
    if (name !== undefined && inertProperties.has(name)) return
    const object = unwrap(node.object)
    if (object.type === 'Identifier' && !this.#model.bindings.has(object)) {
      const kind = classifyGlobalRead(object.name, name)
      if (kind !== undefined) this.#found(kind, node, this.#textOf(node), flags)
      return
    }
    if (object.type === 'ThisExpression') {
      if (name !== undefined) this.#traceOwnProperty(node, name, flags)
      return
    }
    if (name !== undefined && this.#traceObjectProperty(object, name, flags, frame)) return
    this.trace(object, flags, frame)
  }

  /** `this.name`: whatever the file assigns to a property of that name on `this` or an alias of it. */
  #traceOwnProperty(node: MemberExpression, name: string, flags: Flags): void {
    const writes = this.#model.memberWrites.get(name) ?? []
    const own = writes.filter(({ object }) => isOwnObject(object))
    if (own.length === 0) this.#found('unknown', node, this.#textOf(node), flags)
    for (const { value } of own) if (!isFunctionNode(value)) this.trace(value, flags, undefined)
  }

  /** A property of an object literal that the file shows whole: only that property and later writes to it count. */
  #traceObjectProperty(
    object: Node,
    name: string,
    flags: Flags,
    frame: Frame | undefined,
  ): boolean {
    const literal = this.#findLiteral(object)
    if (literal === undefined) return false
    for (const property of literal.properties) {
      if (property.type === 'SpreadElement') this.trace(property.argument, flags, frame)
      else if (readKeyName(property.key, property.computed) === name) {
        this.trace(property.value, flags, frame)
      }
    }
    const binding = object.type === 'Identifier' ? this.#model.bindings.get(object) : undefined
    for (const write of this.#model.memberWrites.get(name) ?? []) {
      if (write.object.type !== 'Identifier' || binding === undefined) continue
      if (this.#model.bindings.get(write.object) === binding) this.trace(write.value, flags, frame)
    }
    return true
  }

  #findLiteral(object: Node): Extract<Node, { type: 'ObjectExpression' }> | undefined {
    if (object.type === 'ObjectExpression') return object
    if (object.type !== 'Identifier') return undefined
    const [write, ...others] = this.#model.bindings.get(object)?.writes ?? []
    if (write?.value.kind !== 'expression' || others.length > 0) return undefined
    return write.value.node.type === 'ObjectExpression' ? write.value.node : undefined
  }

  #traceCall(call: CallNode, flags: Flags, frame: Frame | undefined): void {
    if (isCleaningCall(call, this.#use)) return
    const callee = unwrap(call.callee)
    const target = call.type === 'CallExpression' ? this.#findFunction(callee) : undefined
    if (target !== undefined && (frame?.depth ?? 0) < depthLimit) {
      const inner: Frame = {
        owner: target,
        call,
        skip: 0,
        outer: frame,
        depth: (frame?.depth ?? 0) + 1,
      }
      for (const result of this.#model.returns.get(target) ?? []) this.trace(result, flags, inner)
      return
    }
    const reference = resolveReference(this.#model, callee)
    if (reference?.module !== undefined && systemModules.test(reference.module)) {
      this.#found('environment', call, this.#textOf(call), flags)
      return
    }
    if (call.arguments.length === 0 && call.type === 'CallExpression' && callee.type === 'Identifier') {
      this.#found('unknown', call, this.#textOf(call), flags)
      return
    }
    const method = callee.type === 'MemberExpression' ? (readMemberName(callee) ?? '') : ''
    const base = joiningMethods.has(method) ? this.#join(flags) : flags
    const passed = isTransparent(callee) ? base : { ...base, indirect: true }
    if (callee.type === 'MemberExpression') this.trace(callee.object, passed, frame)
    for (const argument of call.arguments) {
      const parts = isFunctionNode(argument)
        ? (this.#model.returns.get(argument) ?? [])
        : [argument]
      for (const part of parts) this.trace(part, passed, frame)
    }
  }

  /** The one function of this file that a call runs, when the file leaves no doubt. */
  #findFunction(callee: Node): FunctionNode | undefined {
    if (isFunctionNode(callee)) return callee
    if (callee.type === 'MemberExpression') {
      const functions = this.#model.memberFunctions.get(readMemberName(callee) ?? '')
      return functions?.length === 1 && !textMethods.has(readMemberName(callee) ?? '')
        ? functions[0]
        : undefined
    }
    if (callee.type !== 'Identifier') return undefined
    const [write, ...others] = this.#model.bindings.get(callee)?.writes ?? []
    if (write?.value.kind !== 'expression' || others.length > 0) return undefined
    return isFunctionNode(write.value.node) ? write.value.node : undefined
  }

  /** A parameter without its type and default. */
  #nameOf(pattern: Node): string {
    return this.#textOf(pattern).replace(/(?<=\w|\})\s*(\?:|[:=])(?!.*[}\]]$)[\s\S]*$/, '')
  }

  #textOf(node: Node): string {
    return this.#model.text.slice(node.start, Math.min(node.end, node.start + 60))
  }
}

/** Parameters by which module loaders and wrappers hand over the surroundings, never text. */
const wiringNames =
  /^(module|exports?|require|factory|global|window|document|undefined|_?_webpack_\w+|\$|jQuery|resolve|reject|next|done|cb|callback)$/

/** What these modules return was read from the machine, not made of the arguments. */
const systemModules =
  /^(fs|fs\/promises|fs-extra|graceful-fs|(mz\/)?child_process|os|dns|zlib|readline)$/

/** Methods of strings and arrays: the result is made of the receiver. */
const textMethods = new Set([
  'trim',
  'toString',
  'slice',
  'substr',
  'substring',
  'split',
  'toLowerCase',
  'toUpperCase',
  'replace',
  'replaceAll',
  'shift',
  'pop',
  'map',
  'filter',
  'reverse',
  'sort',
  'concat',
  'join',
  'at',
  'get',
  'match',
  'trimStart',
  'trimEnd',
  'normalize',
  'flat',
  'padStart',
  'padEnd',
  'charAt',
  'splice',
  'exec',
  'values',
  'keys',
])

/** Methods that put several texts together. */
const joiningMethods = new Set(['join', 'resolve', 'concat', 'format'])

const transparentFunctions = new Set([
  'String',
  'decodeURIComponent',
  'decodeURI',
  'unescape',
  'encodeURI',
  'Object',
  'Array',
  'URL',
])
const transparentMethods = new Set([
  ...textMethods,
  'parse',
  'join',
  'resolve',
  'normalize',
  'from',
  'format',
  'keys',
  'values',
  'entries',
  'assign',
  'decodeURIComponent',
  'raw',
  'dirname',
])

/** Whether a call hands its text on for sure: methods of strings and arrays, `path`, `url`, `Object`. */
function isTransparent(callee: Node): boolean {
  if (callee.type === 'Identifier') return transparentFunctions.has(callee.name)
  return callee.type === 'MemberExpression' && transparentMethods.has(readMemberName(callee) ?? '')
}

const builtInNames = new Set([
  'undefined',
  'NaN',
  'Infinity',
  '__dirname',
  '__filename',
  'window',
  'document',
  'console',
  'process',
  'Math',
  'JSON',
  'Object',
  'Array',
  'String',
  'module',
  'exports',
  'require',
  'path',
  'Date',
])

function isOwnObject(node: Node): boolean {
  if (node.type === 'ThisExpression') return true
  return node.type === 'Identifier' && /^(_?this|_?self|that|me)$/.test(node.name)
}

function classifyGlobalRead(object: string, name: string | undefined): OriginKind | undefined {
  if (object === 'process') return name === 'argv' || name === 'env' ? 'environment' : undefined
  if (object === 'location')
    return /^(hash|search|href|pathname)$/.test(name ?? '') ? 'request' : undefined
  if (object === 'arguments') return 'parameter'
  return undefined
}
