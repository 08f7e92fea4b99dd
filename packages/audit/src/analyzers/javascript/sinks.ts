import { collectConstantText } from './constants.ts'
import type { SourceModel } from './model.ts'
import { type Reference, resolveReference } from './references.ts'
import type { FlowUse } from './sanitizers.ts'
import {
  type CallNode,
  type Node,
  readKeyName,
  readMemberName,
  readString,
  unwrap,
} from './syntax.ts'

export type SinkKind = 'command' | 'code' | 'path' | 'sql' | 'deserialize'

/** A call that must not receive text from outside, and the arguments it must not receive it in. */
export interface Sink {
  readonly kind: SinkKind
  readonly use: FlowUse
  readonly call: CallNode
  readonly arguments: readonly Node[]
  /** The callee as the source names it. */
  readonly callee: string
}

/** Every sink of a file, in source order. */
export function findSinks(model: SourceModel): Sink[] {
  return model.calls.flatMap((call) => {
    const sink = matchSink(model, call)
    return sink === undefined || sink.arguments.length === 0 ? [] : [sink]
  })
}

function matchSink(model: SourceModel, call: CallNode): Sink | undefined {
  if (call.arguments.length === 0) return undefined
  const callee = unwrap(call.callee)
  const name = readCalleeName(callee)
  if (name === undefined) return undefined
  const reference = resolveReference(model, callee)
  const text = model.text.slice(
    call.callee.start,
    Math.min(call.callee.end, call.callee.start + 60),
  )
  const context: CallContext = { model, call, callee, name, reference }
  for (const [kind, use, match] of matchers) {
    const found = match(context)
    if (found !== undefined) return { kind, use, call, arguments: found, callee: text }
  }
  return undefined
}

interface CallContext {
  readonly model: SourceModel
  readonly call: CallNode
  readonly callee: Node
  /** The last name of the callee. */
  readonly name: string
  readonly reference: Reference | undefined
}

type SinkMatcher = (context: CallContext) => Node[] | undefined

const matchers: readonly (readonly [SinkKind, FlowUse, SinkMatcher])[] = [
  ['command', 'command', matchShellCommand],
  ['code', 'code', matchCode],
  ['path', 'path', matchFile],
  ['deserialize', 'code', matchDeserialize],
  ['sql', 'sql', matchSql],
]

function readCalleeName(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression') return readMemberName(callee)
  return callee.type === 'CallExpression' ? '' : undefined
}

const processModule =
  /(^|[-_/])child[-_]?process|^(shelljs|exec-sh|sync-exec|execSync|async-execute|shell-exec|node-exec|mz\/child_process)$/
const shellFunctionModule =
  /^(exec-sh|sync-exec|execsync|async-execute|shell-exec|exec-then|node-exec-promise|promised-exec|exec)$/i
const shellNames = /^(exec|execSync|execAsync|execPromise)$/
const programNames = /^(spawn|spawnSync|execFile|execFileSync)$/
const looseShellNames =
  /^(exec|execSync|execAsync|execPromise|execCommand|runCommand|shellExec|execShell|sh|shell)$/
const shellObjects =
  /^(cp|proc|child|child_?process|shell(js)?|sh|ssh|this|self|that|exports|utils?|helpers?|cmd)$/i

function matchShellCommand(context: CallContext): Node[] | undefined {
  const { call, reference, name } = context
  const [first] = call.arguments
  if (first === undefined) return undefined
  const module = reference?.module
  if (module !== undefined) {
    const last = reference?.names.at(-1)
    if (last === undefined)
      return shellFunctionModule.test(module) ? [first] : matchLooseShell(context)
    if (/^execa$/.test(module))
      return /^(command|commandSync|shell|shellSync)$/.test(last) ? [first] : undefined
    if (processModule.test(module)) {
      if (shellNames.test(last)) return [first]
      return programNames.test(last) ? matchProgram(call) : undefined
    }
  }
  if (programNames.test(name)) return matchProgram(call)
  return matchLooseShell(context)
}

/** `spawn('sh', ['-c', text])` and `spawn(text, { shell: true })`. */
function matchProgram(call: CallNode): Node[] {
  const [program, list, options] = call.arguments
  if (program === undefined) return []
  const hasShell = [list, options].some(
    (node) => node?.type === 'ObjectExpression' && hasTrueOption(node, 'shell'),
  )
  if (hasShell)
    return list !== undefined && list.type !== 'ObjectExpression' ? [program, list] : [program]
  const isShell = /^(\/(usr\/)?bin\/)?(ba|z|da)?sh$|^cmd(\.exe)?$|^powershell(\.exe)?$/.test(
    readString(program) ?? '',
  )
  if (!isShell || list?.type !== 'ArrayExpression') return []
  const flag = list.elements.findIndex(
    (element) => element !== null && /^(-\w*c|\/c|-command)$/i.test(readString(element) ?? ''),
  )
  return flag < 0 ? [] : list.elements.slice(flag + 1).filter((element) => element !== null)
}

function hasTrueOption(node: Extract<Node, { type: 'ObjectExpression' }>, option: string): boolean {
  return node.properties.some(
    (property) =>
      property.type === 'Property' &&
      readKeyName(property.key, property.computed) === option &&
      property.value.type === 'Literal' &&
      property.value.value !== false,
  )
}

/** A function named like a shell runner whose text starts like a command: `exec('git log ' + ref)`. */
function matchLooseShell({ model, call, callee, name }: CallContext): Node[] | undefined {
  const [first] = call.arguments
  if (first === undefined || !looseShellNames.test(name)) return undefined
  if (callee.type === 'MemberExpression') {
    const object = model.text.slice(callee.object.start, callee.object.end)
    if (!shellObjects.test(object)) return undefined
  }
  const text = collectConstantText(model, first)
  return /^\s*[\w./-]+ /.test(text) && !sqlStart.test(text) ? [first] : undefined
}

const globalObjects = new Set(['window', 'global', 'globalThis', 'self', 'root'])

function matchCode({ call, reference }: CallContext): Node[] | undefined {
  if (reference === undefined) return undefined
  const { module, names } = reference
  const [first] = call.arguments
  if (module === 'vm' || module === 'vm2') {
    return /^(runIn\w+|Script|compileFunction|VMScript)$/.test(names.at(-1) ?? '') && first
      ? [first]
      : undefined
  }
  if (module !== undefined) return undefined
  const path = names.length > 1 && globalObjects.has(names[0] ?? '') ? names.slice(1) : names
  if (path.length !== 1) return undefined
  const [global = ''] = path
  switch (global) {
    case 'eval':
    case 'execScript':
      return first ? [first] : undefined
    case 'Function':
      return [...call.arguments]
    case 'setTimeout':
    case 'setInterval':
      return first && (first.type === 'TemplateLiteral' || first.type === 'BinaryExpression')
        ? [first]
        : undefined
    default:
      return undefined
  }
}

const fileModule =
  /^(fs|fs\/promises|fs-extra|graceful-fs|mz\/fs|fs-promise|then-fs|q-io\/fs|original-fs)$/
const fileNames =
  /^(readFile|readFileSync|createReadStream|writeFile|writeFileSync|createWriteStream|appendFile|appendFileSync|open|openSync|unlink|unlinkSync|rmdir|rmdirSync|rm|rmSync|readdir|readdirSync|outputFile|outputFileSync|remove|removeSync|readJson|readJsonSync|readJSON)$/

function matchFile({ model, call, callee, reference, name }: CallContext): Node[] | undefined {
  const [first, options] = call.arguments
  if (first === undefined) return undefined
  if (callee.type === 'MemberExpression' && /^(sendFile|sendfile|download)$/.test(name)) {
    if (!/^_?(res|response|reply)\b/.test(model.text.slice(callee.start, callee.end)))
      return undefined
    const hasRoot =
      options?.type === 'ObjectExpression' &&
      options.properties.some(
        (property) =>
          property.type === 'Property' && readKeyName(property.key, property.computed) === 'root',
      )
    return hasRoot ? undefined : [first]
  }
  if (!fileNames.test(name)) return undefined
  if (reference?.module !== undefined)
    return fileModule.test(reference.module) ? [first] : undefined
  const isFileObject =
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    /^_?fse?$/.test(callee.object.name)
  return isFileObject ? [first] : undefined
}

function matchDeserialize({ call, reference }: CallContext): Node[] | undefined {
  const [first] = call.arguments
  if (first === undefined || reference?.module === undefined) return undefined
  const name = reference.names.at(-1) ?? ''
  const isUnsafe =
    (reference.module === 'node-serialize' && name === 'unserialize') ||
    (reference.module === 'serialize-to-js' && name === 'deserialize') ||
    (reference.module === 'funcster' && /^deepDeserialize$|^deserialize$/.test(name)) ||
    (reference.module === 'cryo' && name === 'parse')
  return isUnsafe ? [first] : undefined
}

const sqlStart =
  /^\s*\(?\s*(select\b[\s\S]*\bfrom\b|insert\s+into\b|update\b[\s\S]*\bset\b|delete\s+from\b|drop\s+table\b|create\s+table\b|alter\s+table\b)/i

function matchSql({ model, call, callee, name }: CallContext): Node[] | undefined {
  const [first] = call.arguments
  if (first === undefined || callee.type !== 'MemberExpression') return undefined
  if (
    !/^(query|execute|exec|raw|run|all|get|each|prepare|\$queryRawUnsafe|\$executeRawUnsafe)$/.test(
      name,
    )
  )
    return undefined
  return sqlStart.test(collectConstantText(model, first)) ? [first] : undefined
}
