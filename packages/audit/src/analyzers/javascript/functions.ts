import type { SourceModel } from './model.ts'
import {
  type CallNode,
  type FunctionNode,
  type IdentifierNode,
  isCallNode,
  type Node,
  parentOf,
  readKeyName,
  readMemberName,
  readString,
} from './syntax.ts'

/** Who calls a function, as far as its file says: this decides where its parameters come from. */
export type FunctionRole =
  /** Anyone: it is exported, a method, or a value that leaves the place where it stands. */
  | { readonly kind: 'entry' }
  /** Only the calls listed, each with the number of leading arguments that are not parameters. */
  | { readonly kind: 'closed'; readonly calls: readonly CallSite[] }
  /** Called once per element of a collection. */
  | { readonly kind: 'iteration'; readonly collection: Node; readonly elementIndex: number }
  /** Handed to another function, which calls it with values of its own. */
  | { readonly kind: 'callback'; readonly call: CallNode }

export interface CallSite {
  readonly call: CallNode
  /** 1 for `fn.call(self, first)`. */
  readonly skip: number
}

const iterationMethods = new Set([
  'forEach',
  'map',
  'filter',
  'some',
  'every',
  'find',
  'findIndex',
  'flatMap',
  'each',
  'eachSeries',
  'mapSeries',
])
const reductionMethods = new Set(['reduce', 'reduceRight'])

/** Decides the role of a function from where it stands and how its name is used. */
export function classifyFunction(model: SourceModel, node: FunctionNode): FunctionRole {
  const own = classifyPlace(node)
  if (own !== undefined) return own
  const name = findNameOf(node)
  const binding = name && model.bindings.get(name)
  if (binding === undefined) return { kind: 'entry' }
  const calls: CallSite[] = []
  for (const reference of binding.references) {
    const site = readCallSite(reference)
    if (site === undefined) return classifyPlace(reference) ?? { kind: 'entry' }
    calls.push(site)
  }
  return calls.length === 0 ? { kind: 'entry' } : { kind: 'closed', calls }
}

/** The calls of a function that its file shows, by its variable's name and by its method's name. */
export function findCallSites(model: SourceModel, node: FunctionNode): CallSite[] {
  const own = node.type === 'FunctionExpression' ? (node.id ?? undefined) : undefined
  const references = [findNameOf(node), own].flatMap((name) =>
    name === undefined ? [] : (model.bindings.get(name)?.references ?? []),
  )
  const byName = references.map(readCallSite).filter((site) => site !== undefined)
  const method = findMethodName(node)
  const byMethod = method === undefined ? [] : (model.memberCalls.get(method) ?? [])
  return [...byName, ...byMethod.map((call) => ({ call, skip: 0 }))]
}

function findMethodName(node: FunctionNode): string | undefined {
  const parent = parentOf(node)
  if (parent?.type === 'Property' || parent?.type === 'MethodDefinition') {
    return readKeyName(parent.key, parent.computed)
  }
  if (parent?.type !== 'AssignmentExpression' || parent.left.type !== 'MemberExpression') {
    return undefined
  }
  return readMemberName(parent.left)
}

/** The role of a function value from its own place: called at once, handed to a call, or undefined when named. */
function classifyPlace(node: Node): FunctionRole | undefined {
  const site = readCallSite(node)
  if (site !== undefined) return { kind: 'closed', calls: [site] }
  const parent = parentOf(node)
  if (parent === undefined || !isCallNode(parent)) return undefined
  const position = parent.arguments.indexOf(node as never)
  if (position < 0) return undefined
  if (parent.callee.type === 'MemberExpression') {
    const iteration = classifyIteration(parent, parent.callee, position)
    if (iteration !== undefined) return iteration
  }
  return isValueKept(parent) ? { kind: 'entry' } : { kind: 'callback', call: parent }
}

function classifyIteration(
  call: CallNode,
  callee: Extract<Node, { type: 'MemberExpression' }>,
  position: number,
): FunctionRole | undefined {
  const method = readMemberName(callee) ?? ''
  const elementIndex = reductionMethods.has(method) ? 1 : iterationMethods.has(method) ? 0 : -1
  if (elementIndex < 0) return undefined
  // `_.each(list, fn)` hands the collection over as an argument, `list.forEach(fn)` is the collection.
  const collection = position === 0 ? callee.object : call.arguments[0]
  return collection === undefined ? undefined : { kind: 'iteration', collection, elementIndex }
}

/** `module.exports = wrap(function (name) {})`: what the call returns is used as the function itself. */
function isValueKept(call: CallNode): boolean {
  const parent = parentOf(call)
  if (parent === undefined || call.type === 'NewExpression') return false
  if (parent.type === 'AssignmentExpression') return parent.left.type === 'MemberExpression'
  return parent.type === 'Property' || parent.type === 'ExportDefaultDeclaration'
}

/** `fn(a)`, `new fn(a)`, `fn.call(self, a)`, or undefined when the node is not being called. */
function readCallSite(node: Node): CallSite | undefined {
  const parent = parentOf(node)
  if (parent === undefined) return undefined
  if (isCallNode(parent)) return parent.callee === node ? { call: parent, skip: 0 } : undefined
  if (parent.type !== 'MemberExpression' || parent.object !== node) return undefined
  const call = parentOf(parent)
  if (call?.type !== 'CallExpression' || call.callee !== parent) return undefined
  return readMemberName(parent) === 'call' ? { call, skip: 1 } : undefined
}

/** The variable that holds a function and nothing outside the file can reach by export. */
function findNameOf(node: FunctionNode): IdentifierNode | undefined {
  const parent = parentOf(node)
  if (node.type === 'FunctionDeclaration')
    return isExported(node) ? undefined : (node.id ?? undefined)
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') {
    const declaration = parentOf(parent)
    return declaration && isExported(declaration) ? undefined : parent.id
  }
  if (parent?.type !== 'AssignmentExpression' || parent.left.type !== 'Identifier') return undefined
  return parent.left
}

function isExported(declaration: Node): boolean {
  const type = parentOf(declaration)?.type
  return type === 'ExportNamedDeclaration' || type === 'ExportDefaultDeclaration'
}

const handlerNames =
  /^(createServer|use|get|post|put|patch|delete|del|all|head|options|route|on|addListener)$/
const requestNames = /^_?(req|request|ctx)$/
const responseNames = /^_?(res|resp|response|reply)$/
const requestReads =
  /\b_?(req|request|ctx)\.(url|params|body|headers|originalUrl|cookies)\b|\b(req|ctx)\.(query|request)\b/

/**
 * Whether a parameter is an HTTP request: named like one beside a response or with its fields read, or the first
 * parameter of a route handler.
 */
export function isRequestParameter(
  model: SourceModel,
  owner: FunctionNode,
  index: number,
): boolean {
  const name = readParameterName(owner, index)
  if (requestNames.test(name)) {
    const hasResponse = owner.params.some((_, at) =>
      responseNames.test(readParameterName(owner, at)),
    )
    return hasResponse || requestReads.test(model.text.slice(owner.start, owner.end))
  }
  if (index !== 0 || owner.params.length < 2 || owner.params.length > 3) return false
  const role = classifyFunction(model, owner)
  return role.kind === 'callback' && isHandlerRegistration(role.call)
}

function readParameterName(owner: FunctionNode, index: number): string {
  const pattern = owner.params[index]
  return pattern?.type === 'Identifier' ? pattern.name : ''
}

/** `http.createServer(fn)`, `app.get('/path', fn)`, `server.on('request', fn)`. */
function isHandlerRegistration(call: CallNode): boolean {
  const { callee } = call
  const method = callee.type === 'MemberExpression' ? readMemberName(callee) : undefined
  if (method === undefined || !handlerNames.test(method)) return false
  if (method === 'createServer') return !/^(net|tls)$/.test(readObjectName(callee))
  const [first] = call.arguments
  const path = first === undefined ? undefined : readString(first)
  if (method === 'on' || method === 'addListener') return path === 'request'
  return path?.startsWith('/') === true
}

function readObjectName(callee: Node): string {
  return callee.type === 'MemberExpression' && callee.object.type === 'Identifier'
    ? callee.object.name
    : ''
}
