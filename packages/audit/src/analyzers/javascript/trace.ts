// oxlint-disable typescript/switch-exhaustiveness-check -- a syntax tree has 180 kinds of nodes, each rule asks about a few
import type { SourceModel } from './model.ts'
import type { Origin, OriginKind, Way } from './origins.ts'
import type { FlowUse } from './sanitizers.ts'
import { type Node, readMemberName, unwrap } from './syntax.ts'
import { traceCall } from './trace-call.ts'
import { traceMember } from './trace-member.ts'
import { type Frame, join, type TraceRun } from './trace-run.ts'
import { traceVariable } from './trace-variable.ts'

const unchanged: Way = { joined: false, indirect: false }
const stepLimit = 4000
/** Keeps the search far from the end of the stack. */
const depthLimit = 150

/** Finds every outside origin that can reach an expression, backwards, within one file. */
export function traceOrigins(model: SourceModel, node: Node, use: FlowUse): Origin[] {
  const tracer = new Tracer(model, use)
  tracer.trace(node, unchanged, undefined)
  return tracer.origins
}

class Tracer implements TraceRun {
  readonly model: SourceModel
  readonly use: FlowUse
  readonly origins: Origin[] = []
  readonly #seen = new Map<Node, Set<string>>()
  #steps = 0
  #depth = 0

  constructor(model: SourceModel, use: FlowUse) {
    this.model = model
    this.use = use
  }

  trace(node: Node, way: Way, frame: Frame | undefined): void {
    if (!this.#enter(node, way, frame)) return
    this.#depth += 1
    this.#step(node, way, frame)
    this.#depth -= 1
  }

  found(kind: OriginKind, node: Node, way: Way): void {
    const text = this.model.text.slice(node.start, Math.min(node.end, node.start + 60))
    // Of a parameter only its name: neither its type nor its default.
    const isParameter = kind === 'parameter' || kind === 'request' || kind === 'callback'
    const name = isParameter ? (/^(\.\.\.)?[\w$]+(?!\.)/.exec(text)?.[0] ?? text) : text
    this.origins.push({ kind, node, name, ...way })
  }

  /** Each node once per kind of way and per call looked into, within a fixed number of steps. */
  #enter(node: Node, way: Way, frame: Frame | undefined): boolean {
    this.#steps += 1
    if (this.#steps > stepLimit || this.#depth > depthLimit) return false
    const key = `${way.joined}${way.indirect}${frame?.call.start ?? ''}`
    const seen = this.#seen.get(node)
    if (seen?.has(key)) return false
    if (seen === undefined) this.#seen.set(node, new Set([key]))
    else seen.add(key)
    return true
  }

  #step(node: Node, way: Way, frame: Frame | undefined): void {
    switch (node.type) {
      case 'Identifier':
        traceVariable(this, node, way, frame)
        return
      case 'MemberExpression':
        traceMember(this, node, way, frame)
        return
      case 'CallExpression':
      case 'NewExpression':
        traceCall(this, node, way, frame)
        return
      default:
        for (const part of listParts(node)) {
          this.trace(part, joinsParts(node) ? join(way) : way, frame)
        }
    }
  }
}

function joinsParts(node: Node): boolean {
  if (node.type === 'AssignmentExpression') return node.operator === '+='
  return node.type === 'TemplateLiteral' || node.type === 'BinaryExpression'
}

/** The expressions whose values are in an expression's value. */
function listParts(node: Node): readonly Node[] {
  switch (node.type) {
    case 'TemplateLiteral':
      return node.expressions
    case 'TaggedTemplateExpression': {
      // Any tag but `String.raw` decides itself what it makes of the parts; most exist to escape them.
      const isRaw = node.tag.type === 'MemberExpression' && readMemberName(node.tag) === 'raw'
      return isRaw ? [node.quasi] : []
    }
    case 'BinaryExpression':
      return node.operator === '+' ? [node.left, node.right] : []
    case 'LogicalExpression':
      return node.operator === '&&' ? [node.right] : [node.left, node.right]
    case 'ConditionalExpression':
      return [node.consequent, node.alternate]
    case 'AssignmentExpression':
      return node.operator === '+=' ? [node.left, node.right] : [node.right]
    case 'ArrayExpression':
      return node.elements.filter((element) => element !== null)
    case 'ObjectExpression':
      return node.properties.map((one) => (one.type === 'Property' ? one.value : one))
    case 'SpreadElement':
    case 'YieldExpression':
      return node.argument ? [node.argument] : []
    default: {
      const inner = unwrap(node)
      return inner === node ? [] : [inner]
    }
  }
}
