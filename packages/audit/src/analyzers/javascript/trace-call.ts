import { findFunction } from './definitions.ts'
import type { Way } from './origins.ts'
import { isCleaningCall, isCleaningName } from './sanitizers.ts'
import { type CallNode, isFunctionNode, type Node, readMemberName, unwrap } from './syntax.ts'
import { isSystemCall } from './system-modules.ts'
import { type Frame, join, type TraceRun } from './trace-run.ts'

/** Calls looked into within one another. */
const frameLimit = 5

/** Goes on with what a call returns: the results of a function of this file, else whatever it is given. */
export function traceCall(run: TraceRun, call: CallNode, way: Way, frame: Frame | undefined): void {
  if (isCleaningCall(call, run.use)) return
  const callee = unwrap(call.callee)
  const target = call.type === 'CallExpression' ? findFunction(run.model, callee) : undefined
  const depth = (frame?.depth ?? 0) + 1
  if (target !== undefined && depth <= frameLimit) {
    const inner: Frame = { owner: target, call, skip: 0, outer: frame, depth }
    for (const result of run.model.returns.get(target) ?? []) run.trace(result, way, inner)
    return
  }
  // A function that the file does not show is believed to do what it is called.
  if (isCleaningName(callee, run.use)) return
  if (isSystemCall(run.model, call)) {
    run.found('environment', call, way)
    return
  }
  if (
    call.arguments.length === 0 &&
    call.type === 'CallExpression' &&
    callee.type === 'Identifier'
  ) {
    run.found('unknown', call, way)
    return
  }
  traceInputs(run, call, way, frame)
}

function traceInputs(run: TraceRun, call: CallNode, way: Way, frame: Frame | undefined): void {
  const callee = unwrap(call.callee)
  const method = callee.type === 'MemberExpression' ? (readMemberName(callee) ?? '') : ''
  const base = joiningMethods.has(method) ? join(way) : way
  const passed = handsOn(callee) ? base : { ...base, indirect: true }
  if (callee.type === 'MemberExpression') run.trace(callee.object, passed, frame)
  for (const argument of call.arguments) {
    const parts = isFunctionNode(argument) ? (run.model.returns.get(argument) ?? []) : [argument]
    for (const part of parts) run.trace(part, passed, frame)
  }
}

/** Methods that put several texts together. */
const joiningMethods = new Set(['join', 'resolve', 'concat', 'format'])

/** Functions that hand their text on for sure: methods of strings and arrays, `path`, `url`, `Object`. */
const handingFunctions =
  /^((to|make|as)?str(ing)?|decodeURIComponent|decodeURI|unescape|encodeURI|Object|Array|URL)$/i
const handingMethods = new Set(
  (
    'trim toString slice substr substring split toLowerCase toUpperCase replace replaceAll shift pop map filter ' +
    'reverse sort concat join at get match trimStart trimEnd normalize flat padStart padEnd charAt splice exec ' +
    'values keys parse resolve from format entries assign decodeURIComponent raw dirname'
  ).split(' '),
)

function handsOn(callee: Node): boolean {
  if (callee.type === 'Identifier') return handingFunctions.test(callee.name)
  return callee.type === 'MemberExpression' && handingMethods.has(readMemberName(callee) ?? '')
}
