import { groupBy } from '@audit-tools/shared/core'

import type { SnapshotFile } from '../snapshot/index.ts'
import type { Analyzer, AnalyzerContext, AnalyzerOutcome, AnalyzerResult } from './analyzer.ts'
import { finishResults } from './results.ts'
import { LineIndex } from './source-text.ts'

/** Facts of the import graph that are faults by themselves. Paths are those of the snapshot. */
export interface ModuleGraphInput {
  /** Files that import each other in a ring, each with the import that leads to the next one. */
  readonly cycles: readonly (readonly ModuleImport[])[]
  /** Relative imports that lead to no file in scope and to none that was left out. */
  readonly unresolved: readonly ModuleImport[]
}

export interface ModuleImport {
  readonly path: string
  /** As the source writes it: `./clock.ts`. */
  readonly specifier: string
  /** 1-based line of the import. */
  readonly line: number
  /** The import disappears when types are erased, so it orders nothing at run time. */
  readonly isTypeOnly?: boolean
}

/** Makes the analyzer that reports rings of imports and imports of files that are not there. */
export function createModuleGraphAnalyzer(graph: ModuleGraphInput): Analyzer {
  return {
    id: 'module-graph',
    version: '1',
    title: 'Import cycles and unresolved imports',
    scope: 'tree',
    covers: (file) => file.kind === 'source' || file.kind === 'test',
    run: (context) => Promise.resolve(reportGraph(graph, context)),
  }
}

function reportGraph(graph: ModuleGraphInput, context: AnalyzerContext): AnalyzerOutcome {
  const sources = new SourceLines(context)
  const cycles = graph.cycles
    .filter((cycle) => !cycle.some(({ isTypeOnly }) => isTypeOnly === true))
    .flatMap((cycle) => {
      const first = cycle[0]
      return first === undefined
        ? []
        : [{ ...describeCycle(first, cycle), ...sources.quote(first) }]
    })
  const unresolved = [...groupBy(graph.unresolved, ({ path }) => path).values()].flatMap(
    (imports) => reportUnresolved(imports, sources),
  )
  return { kind: 'ran', results: finishResults([...cycles, ...unresolved]) }
}

/** Lines of the files in scope; each file is read once while its imports are told. */
class SourceLines {
  readonly #context: AnalyzerContext
  readonly #files: ReadonlyMap<string, SnapshotFile>
  #read: { readonly path: string; readonly text: string; readonly lines: LineIndex } | undefined

  constructor(context: AnalyzerContext) {
    this.#context = context
    this.#files = new Map(context.files.map((file) => [file.path, file]))
  }

  readText(path: string): string {
    if (this.#read?.path === path) return this.#read.text
    const file = this.#files.get(path)
    const text = file === undefined ? '' : this.#context.readText(file)
    this.#read = { path, text, lines: new LineIndex(text) }
    return text
  }

  /** The line of an import, or of a very long line what stands from its specifier on. */
  readLine({ path, line, specifier }: ModuleImport): string {
    const text = this.readText(path)
    const { start = 0, end = 0 } = this.#read?.lines.rangeOf(line) ?? {}
    const at = text.indexOf(specifier, start)
    return text
      .slice(end - start > quoteLimit && at > start ? at - 1 : start, end)
      .slice(0, quoteLimit)
  }

  quote(one: ModuleImport): { quote: string } | object {
    return this.#files.has(one.path) ? { quote: this.readLine(one) } : {}
  }
}

const quoteLimit = 240

/** A file with more of them was put together from modules and brings its own `require`. */
const bundleImports = 5
const ownRequire =
  /\bfunction\s+require\b|\brequire\s*=\s*function\b|\brequire\.(register|define|modules)\b/

function reportUnresolved(
  imports: readonly ModuleImport[],
  sources: SourceLines,
): AnalyzerResult[] {
  const [first] = imports
  if (first === undefined || ownRequire.test(sources.readText(first.path))) return []
  return imports
    .filter((one) => isPlainSpecifier(one, sources.readLine(one)))
    .map((one) => {
      const isSure = imports.length <= bundleImports && !isExpectedToFail(one, sources)
      return {
        ...describeUnresolved(one),
        ...sources.quote(one),
        standing: isSure ? 'finding' : 'lead',
      }
    })
}

/** A whole literal: neither the start of a path that is put together nor a request to a loader. */
function isPlainSpecifier({ specifier }: ModuleImport, line: string): boolean {
  if (/[?!*$]/.test(specifier)) return false
  return [`'${specifier}'`, `"${specifier}"`, `\`${specifier}\``].some((literal) => {
    const at = line.indexOf(literal)
    return at >= 0 && !/^\s*[+.]/.test(line.slice(at + literal.length))
  })
}

/** `try { require('./optional') }`, on this line or the two before it. */
function isExpectedToFail(one: ModuleImport, sources: SourceLines): boolean {
  return [0, 1, 2].some((up) => /\btry\b/.test(sources.readLine({ ...one, line: one.line - up })))
}

/** More members than this are counted, not named. */
const namedMembers = 6

function describeCycle(first: ModuleImport, cycle: readonly ModuleImport[]): AnalyzerResult {
  const names = cycle.slice(0, namedMembers).map(({ path }) => path)
  const rest = cycle.length - names.length
  const ring =
    rest > 0 ? `${names.join(' -> ')} -> ${rest} more` : [...names, first.path].join(' -> ')
  return {
    ruleId: 'import-cycle',
    title: 'Modules import each other in a ring',
    category: 'dependencies',
    lens: 'architecture',
    severity: 'low',
    confidence: 'high',
    cwe: 'CWE-1047',
    path: first.path,
    lineStart: first.line,
    lineEnd: first.line,
    summary: `${ring}. Which module is ready first depends on who is imported first, and none can be understood or tested alone.`,
    suggestion: 'Move what both need into a module of its own, or turn one import round.',
    standing: 'finding',
  }
}

function describeUnresolved({ path, specifier, line }: ModuleImport): AnalyzerResult {
  return {
    ruleId: 'unresolved-import',
    title: 'Import of a file that is not there',
    category: 'dependencies',
    lens: 'correctness',
    severity: 'medium',
    confidence: 'medium',
    path,
    lineStart: line,
    lineEnd: line,
    summary: `\`${specifier}\` leads to no file of the repository, so loading this module fails unless a build creates the file.`,
    suggestion: 'Correct the path, add the file, or remove the import.',
    standing: 'finding',
  }
}
