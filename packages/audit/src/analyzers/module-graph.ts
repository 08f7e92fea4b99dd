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
  const files = new Map(context.files.map((file) => [file.path, file]))
  const quote = ({ path, line }: ModuleImport): { quote: string } | object => {
    const file = files.get(path)
    return file === undefined ? {} : { quote: new LineIndex(context.readText(file)).readLine(line) }
  }
  const cycles = graph.cycles
    .filter((cycle) => !cycle.some(({ isTypeOnly }) => isTypeOnly === true))
    .flatMap((cycle) => {
      const first = cycle[0]
      return first === undefined ? [] : [{ ...describeCycle(first, cycle), ...quote(first) }]
    })
  const unresolved = graph.unresolved.map((one) => ({ ...describeUnresolved(one), ...quote(one) }))
  return { kind: 'ran', results: finishResults([...cycles, ...unresolved]) }
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
