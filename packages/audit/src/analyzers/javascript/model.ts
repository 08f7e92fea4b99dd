// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 180 kinds of nodes, each rule asks about a few
import { type Binding, declare, lookUp, Scope, spreadPattern, type Value } from './bindings.ts'
import {
  type CallNode,
  type FunctionNode,
  type IdentifierNode,
  isCallNode,
  isFunctionNode,
  listChildren,
  type Node,
  parentOf,
  type Program,
  readKeyName,
  readMemberName,
} from './syntax.ts'

export type AssignmentNode = Extract<Node, { type: 'AssignmentExpression' }>
export type RegexNode = Extract<Node, { regex: { pattern: string; flags: string } }>

/** `object.name = value`, wherever it stands. */
export interface MemberWrite {
  readonly object: Node
  readonly value: Node
}

/** One file, parsed and resolved: every question a rule asks is answered from here, without another walk. */
export interface SourceModel {
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly calls: readonly CallNode[]
  readonly regexes: readonly RegexNode[]
  readonly assignments: readonly AssignmentNode[]
  /** Assignments to a property, by the property's name. */
  readonly memberWrites: ReadonlyMap<string, readonly MemberWrite[]>
  /** Functions that are the value of a property, a method or an assignment to a member, by name. */
  readonly memberFunctions: ReadonlyMap<string, readonly FunctionNode[]>
  /** Calls through a member, by its name. */
  readonly memberCalls: ReadonlyMap<string, readonly CallNode[]>
  readonly returns: ReadonlyMap<FunctionNode, readonly Node[]>
  readonly bindings: ReadonlyMap<IdentifierNode, Binding>
}

/** Resolves names, assignments and calls of a parsed file in one walk; sets `parent` on every node. */
export function buildModel(path: string, text: string, program: Program): SourceModel {
  const builder = new ModelBuilder()
  builder.visitProgram(program)
  return { path, text, program, ...builder.finish() }
}

/** TypeScript nodes that hold code; all others are types and are not walked. */
const codeInTypeScript = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'TSExportAssignment',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSParameterProperty',
  'TSEnumDeclaration',
  'TSEnumBody',
  'TSEnumMember',
])

const blockTypes = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'StaticBlock',
  'CatchClause',
])

class ModelBuilder {
  readonly #calls: CallNode[] = []
  readonly #regexes: RegexNode[] = []
  readonly #assignments: AssignmentNode[] = []
  readonly #memberWrites = new Map<string, MemberWrite[]>()
  readonly #memberFunctions = new Map<string, FunctionNode[]>()
  readonly #memberCalls = new Map<string, CallNode[]>()
  readonly #returns = new Map<FunctionNode, Node[]>()
  readonly #bindings = new Map<IdentifierNode, Binding>()
  readonly #declared = new Set<IdentifierNode>()
  readonly #references: { node: IdentifierNode; scope: Scope }[] = []
  readonly #writes: { node: IdentifierNode; at: Node; scope: Scope; value: Value }[] = []
  #function: FunctionNode | undefined

  visitProgram(program: Program): void {
    const scope = new Scope(program, undefined, true)
    for (const child of listChildren(program)) this.#visit(child, program, scope)
  }

  finish(): Omit<SourceModel, 'path' | 'text' | 'program'> {
    for (const { node, scope } of this.#references) {
      const binding = this.#declared.has(node) ? undefined : lookUp(scope, node.name)
      if (binding === undefined) continue
      this.#bindings.set(node, binding)
      binding.references.push(node)
    }
    for (const { node, at, scope, value } of this.#writes) {
      const binding = lookUp(scope, node.name)
      if (binding === undefined) continue
      this.#bindings.set(node, binding)
      binding.writes.push({ at, value })
    }
    return {
      calls: this.#calls,
      regexes: this.#regexes,
      assignments: this.#assignments,
      memberWrites: this.#memberWrites,
      memberFunctions: this.#memberFunctions,
      memberCalls: this.#memberCalls,
      returns: this.#returns,
      bindings: this.#bindings,
    }
  }

  #visit(node: Node, parent: Node, scope: Scope): void {
    node.parent = parent
    if (node.type.startsWith('TS') && !codeInTypeScript.has(node.type)) return
    if (isFunctionNode(node)) {
      this.#visitFunction(node, scope)
      return
    }
    const inner = blockTypes.has(node.type) ? new Scope(node, scope, false) : scope
    this.#record(node, inner)
    for (const child of listChildren(node)) this.#visit(child, node, inner)
  }

  #visitFunction(node: FunctionNode, scope: Scope): void {
    const value: Value = { kind: 'expression', node }
    const inner = new Scope(node, scope, true)
    if (node.id) {
      const target = node.type === 'FunctionDeclaration' ? scope : inner
      this.#declarePattern(node.id, value, target, node)
    }
    for (const [index, pattern] of node.params.entries()) {
      const name = pattern.type === 'Identifier' ? pattern.name : ''
      const given: Value = { kind: 'parameter', owner: node, index, name }
      this.#declarePattern(pattern, given, inner, pattern)
    }
    const outer = this.#function
    this.#function = node
    if (node.type === 'ArrowFunctionExpression' && node.expression && node.body !== null) {
      push(this.#returns, node, node.body)
    }
    for (const child of listChildren(node)) this.#visit(child, node, inner)
    this.#function = outer
  }

  #record(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'Identifier':
        if (isReference(node)) this.#references.push({ node, scope })
        return
      case 'VariableDeclarator':
        this.#recordDeclarator(node, scope)
        return
      case 'AssignmentExpression':
        this.#recordAssignment(node, scope)
        return
      case 'UpdateExpression':
        this.#assign(node.argument, { kind: 'inert' }, node, scope)
        return
      case 'ForInStatement':
      case 'ForOfStatement':
        this.#recordLoop(node, scope)
        return
      case 'CatchClause':
        if (node.param) this.#declarePattern(node.param, { kind: 'inert' }, scope, node)
        return
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (node.id) this.#declarePattern(node.id, { kind: 'expression', node }, scope, node)
        return
      case 'ImportDeclaration':
        this.#recordImport(node, scope)
        return
      case 'ReturnStatement':
        if (node.argument && this.#function) push(this.#returns, this.#function, node.argument)
        return
      default:
        this.#recordExpression(node)
    }
  }

  #recordExpression(node: Node): void {
    if (isCallNode(node)) {
      this.#calls.push(node)
      const name = node.callee.type === 'MemberExpression' ? readMemberName(node.callee) : undefined
      if (name !== undefined) push(this.#memberCalls, name, node)
    } else if (node.type === 'Literal' && 'regex' in node) {
      this.#regexes.push(node)
    } else if (
      (node.type === 'Property' ||
        node.type === 'MethodDefinition' ||
        node.type === 'PropertyDefinition') &&
      node.value !== null &&
      isFunctionNode(node.value)
    ) {
      const name = readKeyName(node.key, node.computed)
      if (name !== undefined) push(this.#memberFunctions, name, node.value)
    }
  }

  #recordDeclarator(node: Extract<Node, { type: 'VariableDeclarator' }>, scope: Scope): void {
    const declaration = parentOf(node)
    if (declaration?.type !== 'VariableDeclaration') return
    const target = declaration.kind === 'var' ? scope.home : scope
    const value: Value = node.init ? { kind: 'expression', node: node.init } : { kind: 'inert' }
    const loop = parentOf(declaration)
    const isLoopVariable =
      (loop?.type === 'ForInStatement' || loop?.type === 'ForOfStatement') &&
      loop.left === declaration
    this.#declarePattern(node.id, value, target, isLoopVariable || !node.init ? undefined : node)
  }

  #recordLoop(
    node: Extract<Node, { type: 'ForInStatement' | 'ForOfStatement' }>,
    scope: Scope,
  ): void {
    const object: Value = { kind: 'expression', node: node.right }
    const value: Value =
      node.type === 'ForInStatement'
        ? { kind: 'key', node: node.right }
        : { kind: 'member', object, name: undefined }
    const left =
      node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left
    if (left === undefined) return
    spreadPattern(left, value, (target, given) => this.#assign(target, given, node.left, scope))
  }

  #recordAssignment(node: AssignmentNode, scope: Scope): void {
    this.#assignments.push(node)
    if (node.operator === '+=') {
      const value: Value =
        node.left.type === 'Identifier'
          ? { kind: 'extended', previous: node.left, node: node.right }
          : { kind: 'expression', node: node.right }
      if (node.left.type === 'Identifier') this.#references.push({ node: node.left, scope })
      this.#assign(node.left, value, node, scope)
      return
    }
    const isPlain = node.operator === '=' || /^(\|\||&&|\?\?)=$/.test(node.operator)
    const value: Value = isPlain ? { kind: 'expression', node: node.right } : { kind: 'inert' }
    spreadPattern(node.left, value, (target, given) => this.#assign(target, given, node, scope))
  }

  #assign(target: Node, value: Value, at: Node, scope: Scope): void {
    if (target.type === 'Identifier') {
      this.#writes.push({ node: target, at, scope, value })
      return
    }
    if (target.type !== 'MemberExpression' || value.kind !== 'expression') return
    const name = readMemberName(target)
    if (name === undefined) return
    push(this.#memberWrites, name, { object: target.object, value: value.node })
    if (isFunctionNode(value.node)) push(this.#memberFunctions, name, value.node)
  }

  #declarePattern(pattern: Node, value: Value, scope: Scope, at: Node | undefined): void {
    spreadPattern(pattern, value, (target, given) => {
      if (target.type !== 'Identifier') return
      const binding = declare(scope, target.name)
      this.#bindings.set(target, binding)
      this.#declared.add(target)
      if (at !== undefined) binding.writes.push({ at, value: given })
    })
  }

  #recordImport(node: Extract<Node, { type: 'ImportDeclaration' }>, scope: Scope): void {
    for (const specifier of node.specifiers) {
      const imported = specifier.type === 'ImportSpecifier' ? specifier.imported : undefined
      const name = imported && imported.type === 'Identifier' ? imported.name : undefined
      const value: Value = { kind: 'import', module: node.source.value, name }
      declare(scope, specifier.local.name).writes.push({ at: node, value })
    }
  }
}

function push<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [item])
  else list.push(item)
}

/** Whether an identifier stands for a variable, not for a property name, a key, a label or a declaration. */
function isReference(node: IdentifierNode): boolean {
  const parent = parentOf(node)
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.computed || parent.object === node
    case 'Property':
      return parent.value === node || parent.computed
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return parent.value === node || parent.computed
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return false
    case 'AssignmentExpression':
      return parent.left !== node
    case 'ExportSpecifier':
      return parent.local === node
    default:
      return true
  }
}
