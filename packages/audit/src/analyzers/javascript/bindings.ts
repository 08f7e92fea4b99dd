// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 180 kinds of nodes, each rule asks about a few
import type { FunctionNode, IdentifierNode, Node } from './syntax.ts'

/** Where a value comes from, as far as the syntax says. */
export type Value =
  | { readonly kind: 'expression'; readonly node: Node }
  /** A property (or an element, when the name is undefined) of another value. */
  | { readonly kind: 'member'; readonly object: Value; readonly name: string | undefined }
  /** A key of an object: `for (const key in object)`. */
  | { readonly kind: 'key'; readonly node: Node }
  /** One of several: a default beside a given value. */
  | { readonly kind: 'either'; readonly values: readonly Value[] }
  /** The variable's previous value joined with an expression: `text += part`. */
  | { readonly kind: 'extended'; readonly previous: IdentifierNode; readonly node: Node }
  | {
      readonly kind: 'parameter'
      readonly owner: FunctionNode
      readonly index: number
      readonly name: string
    }
  | { readonly kind: 'import'; readonly module: string; readonly name: string | undefined }
  /** Numbers, caught errors and whatever else carries no outside text. */
  | { readonly kind: 'inert' }

/** One place at which a variable gets a value. */
export interface Write {
  readonly at: Node
  readonly value: Value
}

export interface Binding {
  readonly name: string
  /** The function (or program) in which the name is declared. */
  readonly home: Node
  readonly writes: Write[]
  readonly references: IdentifierNode[]
}

/** A region of names: the program, a function, a block. */
export class Scope {
  readonly node: Node
  readonly parent: Scope | undefined
  /** The scope that receives `var`. */
  readonly home: Scope
  readonly bindings = new Map<string, Binding>()

  constructor(node: Node, parent: Scope | undefined, isHome: boolean) {
    this.node = node
    this.parent = parent
    this.home = isHome || parent === undefined ? this : parent.home
  }
}

/** Declares a name in a scope; a second declaration of the same name is the same binding. */
export function declare(scope: Scope, name: string): Binding {
  const existing = scope.bindings.get(name)
  if (existing !== undefined) return existing
  const binding = { name, home: scope.home.node, writes: [], references: [] }
  scope.bindings.set(name, binding)
  return binding
}

export function lookUp(scope: Scope, name: string): Binding | undefined {
  for (let current: Scope | undefined = scope; current; current = current.parent) {
    const binding = current.bindings.get(name)
    if (binding !== undefined) return binding
  }
  return undefined
}

/** Calls `assign` for every name (or member) a pattern gives a value to. */
export function spreadPattern(
  pattern: Node,
  value: Value,
  assign: (target: Node, value: Value) => void,
): void {
  switch (pattern.type) {
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') {
          spreadPattern(property.argument, value, assign)
        } else {
          const name = property.computed ? undefined : readPatternKey(property.key)
          spreadPattern(property.value, { kind: 'member', object: value, name }, assign)
        }
      }
      return
    case 'ArrayPattern':
      for (const element of pattern.elements) {
        if (element === null) continue
        spreadPattern(element, { kind: 'member', object: value, name: undefined }, assign)
      }
      return
    case 'AssignmentPattern': {
      const values: Value[] = [value, { kind: 'expression', node: pattern.right }]
      spreadPattern(pattern.left, { kind: 'either', values }, assign)
      return
    }
    case 'RestElement':
      spreadPattern(pattern.argument, value, assign)
      return
    case 'TSParameterProperty':
      spreadPattern(pattern.parameter, value, assign)
      return
    default:
      assign(pattern, value)
  }
}

function readPatternKey(key: Node): string | undefined {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : undefined
}
