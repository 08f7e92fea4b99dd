import type { SourceModel, RegexNode } from './model.ts'
import { isFunctionNode, type Node, parentOf, readMemberName, readString } from './syntax.ts'
import { type Origin, pickStrongest } from './origins.ts'
import { traceOrigins } from './trace.ts'

/** How the time of a failing match grows with the input. */
export type Growth = 'exponential' | 'polynomial' | 'scan'

/** What is known about a pattern's time, or undefined when it grows with the input only. */
export interface RegexTime {
  readonly growth: Growth
  /** Text of which a long run makes the match slow. */
  readonly character: string
}

export type RegexJudge = (source: string, flags: string) => RegexTime | undefined

export interface SlowRegex extends RegexTime {
  /** The literal, or the string handed to `RegExp`. */
  readonly pattern: Node
  readonly source: string
  /** Where text from outside meets the pattern in this file, when it is seen. */
  readonly use: { readonly node: Node; readonly origin: Origin } | undefined
}

/** Finds the regular expressions of a file whose matching time grows faster than the input. */
export function findSlowRegexes(model: SourceModel, judge: RegexJudge): SlowRegex[] {
  const candidates = [...model.regexes.map(fromLiteral), ...findConstructed(model)]
  const found: SlowRegex[] = []
  for (const candidate of candidates) {
    const time = judge(candidate.source, candidate.flags)
    if (time === undefined) continue
    const use = findUse(model, candidate.value)
    found.push({ pattern: candidate.node, source: candidate.source, ...time, use })
  }
  return found
}

interface Candidate {
  readonly node: Node
  /** The expression whose value is the regular expression. */
  readonly value: Node
  readonly source: string
  readonly flags: string
}

function fromLiteral(node: RegexNode): Candidate {
  return { node, value: node, source: node.regex.pattern, flags: node.regex.flags }
}

function findConstructed(model: SourceModel): Candidate[] {
  return model.calls.flatMap((call) => {
    if (call.callee.type !== 'Identifier' || call.callee.name !== 'RegExp') return []
    const [pattern, flags] = call.arguments
    const source = pattern && readString(pattern)
    if (pattern === undefined || source === undefined) return []
    return [{ node: pattern, value: call, source, flags: (flags && readString(flags)) ?? '' }]
  })
}

const matchMethods = new Set(['match', 'matchAll', 'replace', 'replaceAll', 'search', 'split'])

/** Looks for the place where the pattern meets text from outside: `text.match(re)`, `re.exec(text)`. */
function findUse(model: SourceModel, value: Node): { node: Node; origin: Origin } | undefined {
  for (const place of listPlaces(model, value)) {
    const subject = readSubject(place)
    if (subject === undefined) continue
    const origin = pickStrongest(traceOrigins(model, subject, 'text'))
    if (origin !== undefined && origin.kind !== 'environment' && origin.kind !== 'unknown')
      return { node: parentOf(place) ?? place, origin }
  }
  return undefined
}

/** The expression itself and every reference to the variable or property that holds it. */
function listPlaces(model: SourceModel, value: Node): Node[] {
  const parent = parentOf(value)
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') {
    return model.bindings.get(parent.id)?.references ?? []
  }
  if (parent?.type === 'AssignmentExpression' && parent.left.type === 'Identifier') {
    return model.bindings.get(parent.left)?.references ?? []
  }
  return [value]
}

function readSubject(place: Node): Node | undefined {
  const parent = parentOf(place)
  if (parent?.type === 'CallExpression' && parent.callee.type === 'MemberExpression') {
    const method = readMemberName(parent.callee)
    if (parent.arguments[0] !== place || method === undefined || !matchMethods.has(method))
      return undefined
    return parent.callee.object
  }
  if (parent?.type !== 'MemberExpression' || parent.object !== place) return undefined
  const call = parentOf(parent)
  const method = readMemberName(parent)
  if (call?.type !== 'CallExpression' || (method !== 'test' && method !== 'exec')) return undefined
  const [subject] = call.arguments
  return subject === undefined || isFunctionNode(subject) ? undefined : subject
}
