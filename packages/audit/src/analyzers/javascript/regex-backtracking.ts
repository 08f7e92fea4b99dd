import type { SourceModel, RegexNode } from './model.ts'
import { isFunctionNode, type Node, parentOf, readMemberName, readString } from './syntax.ts'
import { type Origin, pickStrongest, traceOrigins } from './trace.ts'

/** How the time of a failing match grows with the input. */
export type Growth = 'exponential' | 'polynomial' | 'scan'

/** The part of scslre that is used; loading it costs 0.1 s, so the caller loads it only when a file needs it. */
export interface RegexAnalyser {
  analyse(
    literal: { source: string; flags: string },
    options: { maxReports?: number },
  ): {
    reports: readonly {
      type: 'Trade' | 'Self' | 'Move'
      exponential: boolean
      character: { pick: string }
    }[]
  }
}

export interface SlowRegex {
  /** The literal, or the string handed to `RegExp`. */
  readonly pattern: Node
  readonly source: string
  readonly growth: Growth
  /** Text of which a long run makes the match slow. */
  readonly character: string
  /** Where text from outside meets the pattern in this file, when it is seen. */
  readonly use: { readonly node: Node; readonly origin: Origin } | undefined
}

/** Longer patterns are tables of words more often than grammars, and their analysis is not bounded in time. */
const sourceLengthLimit = 1000

/** Finds the regular expressions of a file whose matching time grows faster than the input. */
export function findSlowRegexes(model: SourceModel, analyser: RegexAnalyser): SlowRegex[] {
  const candidates = [...model.regexes.map(fromLiteral), ...findConstructed(model)]
  const found: SlowRegex[] = []
  for (const candidate of candidates) {
    const verdict = judge(analyser, candidate)
    if (verdict === undefined) continue
    found.push({ pattern: candidate.node, source: candidate.source, ...verdict, use: findUse(model, candidate.value) })
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

/** One unbounded repetition at least, without which no match can be slow. */
const repetition = /[*+]|\{\d+,\}/

function judge(
  analyser: RegexAnalyser,
  candidate: Candidate,
): { growth: Growth; character: string } | undefined {
  const { source, flags } = candidate
  if (source.length > sourceLengthLimit || !repetition.test(source)) return undefined
  const { reports } = analyseSafely(analyser, source, flags)
  const worst =
    reports.find((report) => report.exponential) ??
    reports.find((report) => report.type !== 'Move') ??
    reports[0]
  if (worst === undefined) return undefined
  const growth = worst.exponential ? 'exponential' : worst.type === 'Move' ? 'scan' : 'polynomial'
  return { growth, character: worst.character.pick }
}

function analyseSafely(
  analyser: RegexAnalyser,
  source: string,
  flags: string,
): ReturnType<RegexAnalyser['analyse']> {
  try {
    return analyser.analyse({ source, flags }, {})
  } catch (error) {
    // Syntax of other engines and of newer editions is not an answer about time.
    if (error instanceof SyntaxError) return { reports: [] }
    throw error
  }
}

const matchMethods = new Set(['match', 'matchAll', 'replace', 'replaceAll', 'search', 'split'])

/** Looks for the place where the pattern meets text from outside: `text.match(re)`, `re.exec(text)`. */
function findUse(model: SourceModel, value: Node): { node: Node; origin: Origin } | undefined {
  for (const place of listPlaces(model, value)) {
    const subject = readSubject(place)
    if (subject === undefined) continue
    const origin = pickStrongest(traceOrigins(model, subject, 'text'))
    if (origin !== undefined && origin.kind !== 'environment') return { node: parentOf(place) ?? place, origin }
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
    if (parent.arguments[0] !== place || method === undefined || !matchMethods.has(method)) return undefined
    return parent.callee.object
  }
  if (parent?.type !== 'MemberExpression' || parent.object !== place) return undefined
  const call = parentOf(parent)
  const method = readMemberName(parent)
  if (call?.type !== 'CallExpression' || (method !== 'test' && method !== 'exec')) return undefined
  const [subject] = call.arguments
  return subject === undefined || isFunctionNode(subject) ? undefined : subject
}
