// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 180 kinds of nodes, each rule asks about a few
import {
  type ArrowFunctionExpression,
  type CallExpression,
  type Function as FunctionSyntax,
  type MemberExpression,
  type NewExpression,
  type Node,
  type Program,
  parseSync,
  visitorKeys,
} from 'oxc-parser'

import { isNestedTooDeep } from '../../snapshot/index.ts'

export type FunctionNode = FunctionSyntax | ArrowFunctionExpression
export type CallNode = CallExpression | NewExpression
export type IdentifierNode = Extract<Node, { type: 'Identifier' }>
export type { MemberExpression, Node, Program }

/** The syntax tree of one JavaScript or TypeScript file, or why there is none. */
export type ParsedSource =
  | { readonly kind: 'parsed'; readonly program: Program }
  | { readonly kind: 'unparsable'; readonly reason: string }

/** Parses a file; code that is not a module by its syntax is read as a sloppy script, as old packages need. */
export function parseSource(path: string, text: string): ParsedSource {
  // The parser ends the process on code that is nested too deep, and nothing can catch that.
  if (isNestedTooDeep(text)) return { kind: 'unparsable', reason: 'nested too deep' }
  const lang = decideLanguage(path)
  const options = { lang, preserveParens: false } as const
  const result = parseSync(path, text, { ...options, sourceType: 'unambiguous' })
  if (result.errors.length === 0) return { kind: 'parsed', program: result.program }
  const script = parseSync(path, text, { ...options, sourceType: 'commonjs' })
  if (script.errors.length === 0) return { kind: 'parsed', program: script.program }
  return { kind: 'unparsable', reason: result.errors[0]?.message ?? 'syntax error' }
}

function decideLanguage(path: string): 'jsx' | 'ts' | 'tsx' | 'dts' {
  if (/\.d\.[cm]?ts$/.test(path)) return 'dts'
  if (path.endsWith('.tsx')) return 'tsx'
  return /\.[cm]?ts$/.test(path) ? 'ts' : 'jsx'
}

/** The direct children of a node, in source order. */
export function listChildren(node: Node): Node[] {
  const children: Node[] = []
  const fields = node as unknown as Record<string, unknown>
  for (const key of visitorKeys[node.type] ?? []) {
    const value = fields[key]
    if (Array.isArray(value)) {
      for (const item of value) if (item !== null) children.push(item as Node)
    } else if (value !== null && value !== undefined) {
      children.push(value as Node)
    }
  }
  return children
}

export function isFunctionNode(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  )
}

export function isCallNode(node: Node): node is CallNode {
  return node.type === 'CallExpression' || node.type === 'NewExpression'
}

/** The node without what does not change its value: casts, optional chains, `(0, x)`, `await`. */
export function unwrap(node: Node): Node {
  switch (node.type) {
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return unwrap(node.expression)
    case 'AwaitExpression':
      return unwrap(node.argument)
    case 'SequenceExpression': {
      const last = node.expressions.at(-1)
      return last === undefined ? node : unwrap(last)
    }
    default:
      return node
  }
}

/** The value of a string literal, of a template without holes and of a sum of these. */
export function readString(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral') {
    return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  const left = readString(node.left)
  const right = left === undefined ? undefined : readString(node.right)
  return left === undefined || right === undefined ? undefined : left + right
}

/** The name a member access reads, when it stands in the source: `a.name` and `a['name']`. */
export function readMemberName(node: MemberExpression): string | undefined {
  if (!node.computed) return node.property.name
  const name = readString(node.property)
  return name ?? (node.property.type === 'Literal' ? String(node.property.value) : undefined)
}

/** The name of a property key, when it stands in the source. */
export function readKeyName(key: Node, computed: boolean): string | undefined {
  if (!computed && (key.type === 'Identifier' || key.type === 'PrivateIdentifier')) return key.name
  return key.type === 'Literal' ? String(key.value) : undefined
}

/** The node around a node, once the model has been built; undefined for the program. */
export function parentOf(node: Node): Node | undefined {
  return node.parent ?? undefined
}

/** The innermost function around a node, or undefined at the top level. */
export function findEnclosingFunction(node: Node): FunctionNode | undefined {
  for (let parent = parentOf(node); parent !== undefined; parent = parentOf(parent)) {
    if (isFunctionNode(parent)) return parent
  }
  return undefined
}

export function isInside(node: Node, ancestor: Node): boolean {
  return node.start >= ancestor.start && node.end <= ancestor.end
}
