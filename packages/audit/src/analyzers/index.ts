export type {
  Analyzer,
  AnalyzerContext,
  AnalyzerFix,
  AnalyzerOutcome,
  AnalyzerResult,
  SkippedFile,
} from './analyzer.ts'
export type { ModuleGraphInput, ModuleImport } from './module-graph.ts'
export { type AnalyzerInputs, loadAnalyzers } from './registry.ts'
