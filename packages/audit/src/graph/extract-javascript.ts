import { type ParseResult, parseSync, Visitor } from 'oxc-parser'

import { isNestedTooDeep } from '../snapshot/index.ts'
import type { FileFacts, FileSurface, ImportReference } from './facts.ts'
import { createLineIndex } from './line-index.ts'
import { listSurfaces, mayHoldSurface } from './javascript-surfaces.ts'

/** File extensions of JavaScript and TypeScript, and of templates that embed them. */
const scriptExtension = /\.(?:[cm]?[jt]sx?|es6)$/
const declarationFile = /\.d\.[cm]?ts$/
const templateExtension = /\.(?:vue|svelte|astro)$/

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---/
const requireCall = /\brequire(?:\.resolve)?\(\s*(["'])((?:\\.|(?!\1)[^\\\r\n])+)\1/g
const importText = /\b(?:from|import)[\s(]*(["'])((?:(?!\1)[^\\\r\n])+)\1/g

export function isScript(path: string): boolean {
  return scriptExtension.test(path) || templateExtension.test(path)
}

/** Imports and surfaces of a JavaScript or TypeScript file, or of the scripts in a template. */
export function extractJavaScript(
  path: string,
  text: string,
  withSurfaces: boolean,
): Pick<FileFacts, 'imports' | 'surfaces'> {
  const lineOf = createLineIndex(text)
  const imports: ImportReference[] = []
  const surfaces: FileSurface[] = []
  for (const { script, start, filename } of listScripts(path, text)) {
    const lineAt = (offset: number): number => lineOf(start + offset)
    const parsed = parseScript(filename, script)
    imports.push(...(parsed ? listImports(parsed, script, lineAt) : findImports(script, lineAt)))
    if (withSurfaces && parsed && mayHoldSurface(script)) {
      surfaces.push(...listSurfaces(parsed.program, imports, lineAt))
    }
  }
  const declares = declarationFile.test(path)
  return {
    imports: imports
      .map((reference) => (declares ? { ...reference, typeOnly: true } : reference))
      .toSorted((left, right) => left.line - right.line),
    surfaces,
  }
}

interface Script {
  readonly script: string
  /** Offset in the file. */
  readonly start: number
  readonly filename: string
}

function listScripts(path: string, text: string): Script[] {
  if (scriptExtension.test(path)) return [{ script: text, start: 0, filename: path }]
  const scripts: Script[] = []
  const front = frontMatter.exec(text)
  if (front) {
    const start = front[0].indexOf('\n') + 1
    scripts.push({ script: front[1] ?? '', start, filename: 'script.ts' })
  }
  // By search and not by one pattern, whose cost grows with the square of unclosed elements.
  for (let open = find(/<script\b/gi, text, 0); open !== -1;) {
    const start = find(/>/g, text, open) + 1
    const end = find(/<\/script/gi, text, start)
    if (start === 0 || end === -1) break
    scripts.push({ script: text.slice(start, end), start, filename: 'script.tsx' })
    open = find(/<script\b/gi, text, end)
  }
  return scripts
}

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

/** The parse of a file, or undefined where it is in no dialect that the parser knows. */
function parseScript(filename: string, text: string): ParseResult | undefined {
  if (isNestedTooDeep(text)) return undefined
  for (const lang of chooseDialects(filename)) {
    const parsed = parseSync(filename, text, { lang, sourceType: 'unambiguous' })
    if (parsed.errors.every((error) => !isFatal(error.message))) return parsed
  }
  return undefined
}

type Dialect = 'js' | 'jsx' | 'ts' | 'tsx' | 'dts'

/** Plain JavaScript may hold JSX or Flow types; most of the latter parse as TypeScript. */
function chooseDialects(filename: string): readonly Dialect[] {
  if (declarationFile.test(filename)) return ['dts']
  if (filename.endsWith('.tsx')) return ['tsx', 'ts']
  if (/\.[cm]?ts$/.test(filename)) return ['ts']
  return ['jsx', 'tsx', 'ts']
}

/** Scripts of CommonJS and of templates may return at the top. */
function isFatal(message: string): boolean {
  return !message.includes("'return' statement can only be used")
}

function listImports(
  parsed: ParseResult,
  text: string,
  lineAt: (offset: number) => number,
): ImportReference[] {
  const { module } = parsed
  const imports: ImportReference[] = module.staticImports.map(
    ({ start, moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      line: lineAt(start),
      form: 'import',
      typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
    }),
  )
  for (const { start, entries } of module.staticExports) {
    const [first] = entries
    if (!first?.moduleRequest) continue
    const typeOnly = entries.every((entry) => entry.isType)
    imports.push({
      specifier: first.moduleRequest.value,
      line: lineAt(start),
      form: 'export',
      typeOnly,
    })
  }
  for (const { start, moduleRequest } of module.dynamicImports) {
    const literal = readLiteral(text.slice(moduleRequest.start, moduleRequest.end))
    if (literal === undefined) continue
    imports.push({ specifier: literal, line: lineAt(start), form: 'dynamic', typeOnly: false })
  }
  return [...imports, ...listRequires(parsed, text, lineAt)]
}

/**
 * Calls of `require` are found by pattern, since building a syntax tree costs four times the parse. Only where a match
 * may lie in a text literal, the tree has the last word.
 */
function listRequires(
  parsed: ParseResult,
  text: string,
  lineAt: (offset: number) => number,
): ImportReference[] {
  const matches = dropCommented([...text.matchAll(requireCall)], parsed.comments)
  const isDoubtful =
    matches.some(({ index }) => followsQuote(text, index)) ||
    (matches.length > 0 && dropCommented([...text.matchAll(/`/g)], parsed.comments).length > 0)
  const calls = isDoubtful ? listRequireOffsets(parsed) : undefined
  return matches
    .filter(({ index }) => calls?.has(index) ?? true)
    .map((match) => ({
      specifier: match[2] ?? '',
      line: lineAt(match.index),
      form: 'require',
      typeOnly: false,
    }))
}

function dropCommented(
  matches: readonly RegExpExecArray[],
  comments: readonly { readonly start: number; readonly end: number }[],
): RegExpExecArray[] {
  let next = 0
  return matches.filter(({ index }) => {
    while ((comments[next]?.end ?? Infinity) <= index) next += 1
    return (comments[next]?.start ?? Infinity) > index
  })
}

/** Whether the place may be between quotes that opened earlier on its line. */
function followsQuote(text: string, index: number): boolean {
  return /["']/.test(text.slice(text.lastIndexOf('\n', index) + 1, index))
}

function listRequireOffsets({ program }: ParseResult): ReadonlySet<number> {
  const offsets = new Set<number>()
  new Visitor({
    CallExpression({ start, callee }) {
      const called = callee.type === 'MemberExpression' ? callee.object : callee
      if (called.type === 'Identifier' && called.name === 'require') offsets.add(start)
    },
  }).visit(program)
  return offsets
}

/** The imports of a text that does not parse, by pattern. */
function findImports(text: string, lineAt: (offset: number) => number): ImportReference[] {
  return [importText, requireCall].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({
      specifier: match[2] ?? '',
      line: lineAt(match.index),
      form: 'pattern' as const,
      typeOnly: false,
    })),
  )
}

function readLiteral(source: string): string | undefined {
  const literal = /^(["'`])([^\\]*)\1$/s.exec(source.trim())?.[2]
  return literal?.includes('${') ? undefined : literal
}
