import { findOnlyValue } from './definitions.ts'
import type { SourceModel } from './model.ts'
import { type CallNode, type Node, parentOf, readMemberName, readString } from './syntax.ts'

/** What a value is used for: the same call cleans a value for one use and not for another. */
export type FlowUse = 'command' | 'code' | 'path' | 'sql' | 'key' | 'text'

/** Calls whose result is a number, a boolean, a digest or something else that carries no text from outside. */
const inertFunctions = new Set([
  'parseInt',
  'parseFloat',
  'Number',
  'Boolean',
  'BigInt',
  'Date',
  'Symbol',
  'isNaN',
  'isFinite',
])
const inertMethods = new Set([
  'indexOf',
  'lastIndexOf',
  'charCodeAt',
  'codePointAt',
  'includes',
  'startsWith',
  'endsWith',
  'test',
  'search',
  'getTime',
  'valueOf',
  'toFixed',
  'digest',
  'hasOwnProperty',
  'isArray',
  'isBuffer',
  'push',
  'unshift',
  'localeCompare',
  'existsSync',
  'findIndex',
  'some',
  'every',
  'isInteger',
  'isDirectory',
  'isFile',
  'randomBytes',
  'byteLength',
])
/** Properties that hold numbers whatever object they are read from. */
export const inertProperties = new Set(['length', 'size', 'pid', 'byteLength', 'mtime', 'port'])

const cleaningNames = /sanit|escape|quote|clean|whitelist|allowlist|slugify/i
const cleaners: Readonly<Record<FlowUse, RegExp>> = {
  command: /^(encodeURIComponent|escapeshellarg|shellescape)$/,
  code: /^(stringify|encodeURIComponent|literal)$/,
  path: /^(basename|extname|encodeURIComponent|stringify)$/,
  sql: /^(escapeId|literal|identifier)$/,
  key: /^$/,
  text: /^(stringify)$/,
}

/** Names of functions that look like cleaners and are not: they undo an encoding, or only wrap. */
const notCleaning = /unescape|unquote/i

/** Whether the result of a call no longer carries what makes its arguments dangerous for this use. */
export function isCleaningCall(call: CallNode, use: FlowUse): boolean {
  const { callee } = call
  const isMember = callee.type === 'MemberExpression'
  const name = readCalleeName(callee)
  if (isMember ? inertMethods.has(name) : inertFunctions.has(name)) return true
  if (isMember && callee.object.type === 'Identifier' && callee.object.name === 'Math') return true
  return (name === 'replace' || name === 'replaceAll') && isCleaningReplace(call, use)
}

/** Whether a function is called after what cleans text for this use: `quote`, `basename`, `sanitizeHtml`. */
export function isCleaningName(callee: Node, use: FlowUse): boolean {
  const name = readCalleeName(callee)
  if (use === 'key' || use === 'text' || notCleaning.test(name)) return false
  return cleaners[use].test(name) || cleaningNames.test(name)
}

function readCalleeName(callee: Node): string {
  if (callee.type === 'MemberExpression') return readMemberName(callee) ?? ''
  return callee.type === 'Identifier' ? callee.name : ''
}

/**
 * `.replace(/[^\w-]/g, '')` keeps only allowed characters; for paths removing `..` counts too, for commands escaping
 * the single quote or everything that a double quote leaves alive.
 */
function isCleaningReplace(call: CallNode, use: FlowUse): boolean {
  const [pattern] = call.arguments
  if (pattern?.type !== 'Literal') return false
  if (!('regex' in pattern)) return use === 'path' && pattern.value === '..'
  const { pattern: source, flags } = pattern.regex
  if (!flags.includes('g')) return use === 'path' && source.includes('\\.\\.')
  if (/^\[\^[^\]]*\][+*]?$/.test(source)) return true
  if (use === 'command')
    return source.includes("'") || (source.includes('$') && source.includes('`'))
  return use === 'path' && source.includes('\\.\\.')
}

/** An anchored pattern that lets only a bounded alphabet through is an allow-list for every use but `text`. */
const openPattern = /\.[*+]|\\S|\[\^/

/**
 * Whether a test that mentions the identifier proves it harmless for this use: an anchored pattern, a list of
 * allowed values, a type check, or for paths a check that it stays below a root.
 */
export function isGuardReference(model: SourceModel, reference: Node, use: FlowUse): boolean {
  const parent = parentOf(reference)
  if (parent === undefined || use === 'text') return false
  if (parent.type === 'UnaryExpression' && parent.operator === 'typeof') {
    return isTypeComparison(parentOf(parent))
  }
  if (parent.type === 'MemberExpression' && parent.object === reference) {
    return isGuardMethod(model, parent, use)
  }
  if (parent.type !== 'CallExpression' || parent.callee.type !== 'MemberExpression') return false
  const method = readMemberName(parent.callee)
  const { object } = parent.callee
  if (method === 'test') return isAllowPattern(model, object, use)
  if (method === 'includes' || method === 'indexOf' || method === 'has')
    return isConstantList(model, object)
  if (use === 'path' && (method === 'relative' || method === 'isAbsolute')) return true
  return false
}

function isTypeComparison(node: Node | undefined): boolean {
  if (node?.type !== 'BinaryExpression') return false
  const type = readString(node.right) ?? readString(node.left)
  return (type === 'number' || type === 'boolean') && /^[!=]==?$/.test(node.operator)
}

function isGuardMethod(
  model: SourceModel,
  member: Extract<Node, { type: 'MemberExpression' }>,
  use: FlowUse,
): boolean {
  const call = parentOf(member)
  if (call?.type !== 'CallExpression' || call.callee !== member) return false
  const method = readMemberName(member)
  const [argument] = call.arguments
  if (argument === undefined) return false
  if (method === 'match') return isAllowPattern(model, argument, use)
  if (use !== 'path') return false
  if (method !== 'startsWith' && method !== 'indexOf' && method !== 'includes') return false
  const text = readString(argument)
  return text === undefined ? method !== 'includes' : text.includes('..')
}

function isAllowPattern(model: SourceModel, node: Node, use: FlowUse): boolean {
  const literal = findRegex(model, node)
  if (literal === undefined) return false
  if (use === 'path' && literal.includes('\\.\\.')) return true
  return literal.startsWith('^') && literal.endsWith('$') && !openPattern.test(literal)
}

function findRegex(model: SourceModel, node: Node): string | undefined {
  if (node.type === 'Literal' && 'regex' in node) return node.regex.pattern
  if (node.type !== 'Identifier') return undefined
  const value = findOnlyValue(model, node)
  return value && findRegex(model, value)
}

function isConstantList(model: SourceModel, node: Node): boolean {
  if (node.type === 'ArrayExpression') {
    return node.elements.every((element) => element !== null && readString(element) !== undefined)
  }
  if (node.type === 'NewExpression') {
    const [list] = node.arguments
    return list !== undefined && isConstantList(model, list)
  }
  if (node.type !== 'Identifier') return false
  const value = findOnlyValue(model, node)
  return value !== undefined && isConstantList(model, value)
}
