export type {
  Analyzer,
  AnalyzerContext,
  AnalyzerOutcome,
  AnalyzerResult,
  SkippedFile,
} from './analyzer.ts'
export type { ModuleGraphInput, ModuleImport } from './module-graph.ts'
export { loadAnalyzers } from './registry.ts'
