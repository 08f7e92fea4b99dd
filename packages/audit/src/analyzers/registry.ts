import type { Analyzer } from './analyzer.ts'
import type { ModuleGraphInput } from './module-graph.ts'

/** What some analyzers need besides the files. */
export interface AnalyzerInputs {
  /** Facts of the import graph; without them the module analyzer is not loaded. */
  readonly moduleGraph?: ModuleGraphInput
}

type LoadAnalyzer = (inputs: AnalyzerInputs) => Promise<Analyzer | undefined>

/** Every bundled analyzer by its id; its code is loaded when it is asked for. */
const analyzerRegistry: Readonly<Record<string, LoadAnalyzer>> = {
  rules: async () => (await import('./rules/index.ts')).rulesAnalyzer,
  oxlint: async () => (await import('./oxlint/index.ts')).oxlintAnalyzer,
  secrets: async () => (await import('./secrets/index.ts')).secretsAnalyzer,
  settings: async () => (await import('./settings/index.ts')).settingsAnalyzer,
  'module-graph': async ({ moduleGraph }) =>
    moduleGraph && (await import('./module-graph.ts')).createModuleGraphAnalyzer(moduleGraph),
}

/** Loads the bundled analyzers, in the order of the registry. */
export async function loadAnalyzers(inputs: AnalyzerInputs): Promise<Analyzer[]> {
  const loaded = await Promise.all(Object.values(analyzerRegistry).map((load) => load(inputs)))
  return loaded.filter((analyzer) => analyzer !== undefined)
}
