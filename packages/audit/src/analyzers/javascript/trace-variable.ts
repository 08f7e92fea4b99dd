import type { Binding, Value } from './bindings.ts'
import { type CallSite, classifyFunction, findCallSites, isRequestParameter } from './functions.ts'
import { isSystemCall } from './system-modules.ts'
import type { Way } from './origins.ts'
import { findReachingWrites } from './reaching.ts'
import { inertProperties, isGuardReference } from './sanitizers.ts'
import type { CallNode, IdentifierNode, Node } from './syntax.ts'
import { traceObjectProperty } from './trace-member.ts'
import { type Frame, join, type TraceRun } from './trace-run.ts'

type Parameter = Extract<Value, { kind: 'parameter' }>

const builtInNames = new Set(
  'undefined NaN Infinity __dirname __filename window document console process Math JSON Object Array String module exports require path Date'.split(
    ' ',
  ),
)

/** Goes on with every value that a variable may hold where it is used. */
export function traceVariable(
  run: TraceRun,
  node: IdentifierNode,
  way: Way,
  frame: Frame | undefined,
): void {
  const binding = run.model.bindings.get(node)
  if (binding === undefined) {
    if (node.name === 'arguments') run.found('parameter', node, way)
    else if (!builtInNames.has(node.name)) run.found('unknown', node, way)
    return
  }
  if (isGuarded(run, binding, node)) return
  for (const write of findReachingWrites(binding, node)) traceValue(run, write.value, way, frame)
}

function isGuarded({ model, use }: TraceRun, binding: Binding, place: Node): boolean {
  return binding.references.some(
    (reference) => reference.start < place.start && isGuardReference(model, reference, use),
  )
}

function traceValue(run: TraceRun, value: Value, way: Way, frame: Frame | undefined): void {
  switch (value.kind) {
    case 'expression':
    case 'key':
      run.trace(value.node, way, frame)
      return
    case 'member':
      traceMemberValue(run, value, way, frame)
      return
    case 'either':
      for (const one of value.values) traceValue(run, one, way, frame)
      return
    case 'extended':
      run.trace(value.previous, join(way), frame)
      run.trace(value.node, join(way), frame)
      return
    case 'parameter':
      traceParameter(run, value, way, frame)
      return
    case 'import':
    case 'inert':
  }
}

function traceMemberValue(
  run: TraceRun,
  { object, name }: Extract<Value, { kind: 'member' }>,
  way: Way,
  frame: Frame | undefined,
): void {
  if (name !== undefined && inertProperties.has(name)) return
  if (name !== undefined && object.kind === 'expression') {
    if (traceObjectProperty(run, { object: object.node, name }, way, frame)) return
  }
  traceValue(run, object, way, frame)
}

/** Parameters by which module loaders and wrappers hand over the surroundings, never text. */
const wiringNames =
  /^(module|exports?|require|factory|global|window|document|undefined|_?_webpack_\w+|\$|jQuery|resolve|reject|next|done|cb|callback)$/

function traceParameter(
  run: TraceRun,
  parameter: Parameter,
  way: Way,
  frame: Frame | undefined,
): void {
  const { owner, index } = parameter
  if (wiringNames.test(parameter.name)) return
  const pattern = owner.params[index] ?? owner
  if (isRequestParameter(run.model, owner, index)) {
    run.found('request', pattern, way)
    return
  }
  if (frame?.owner === owner) {
    const argument = frame.call.arguments[index + frame.skip]
    if (argument) run.trace(argument, way, frame.outer)
    return
  }
  const role = classifyFunction(run.model, owner)
  switch (role.kind) {
    case 'closed':
      traceArguments(run, role.calls, index, way)
      return
    case 'iteration':
      if (index === role.elementIndex) run.trace(role.collection, way, undefined)
      return
    case 'callback':
      traceCallbackParameter(run, role.call, parameter, way)
      return
    case 'entry':
      run.found('parameter', pattern, way)
      traceArguments(run, findCallSites(run.model, owner), index, way)
  }
}

function traceArguments(run: TraceRun, calls: readonly CallSite[], index: number, way: Way): void {
  for (const { call, skip } of calls) {
    const argument = call.arguments[index + skip]
    if (argument) run.trace(argument, way, undefined)
  }
}

function traceCallbackParameter(
  run: TraceRun,
  call: CallNode,
  { owner, index, name }: Parameter,
  way: Way,
): void {
  // `new Promise((resolve) => ...)`, and the error that comes first.
  if (call.type === 'NewExpression') return
  if (index === 0 && (owner.params.length > 1 || /^e(rr|rror)?\d*$/.test(name))) return
  run.found(
    isSystemCall(run.model, call) ? 'environment' : 'callback',
    owner.params[index] ?? owner,
    way,
  )
}
