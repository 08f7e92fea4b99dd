export {
  assessRisk,
  combineRisk,
  type FileRisk,
  type RiskLead,
  type RiskRegister,
} from './assess-risk.ts'
export { buildGraph } from './build-graph.ts'
export { type CollectedFacts, collectFacts, type FactsOptions } from './collect-facts.ts'
export type { ChangeHistory } from './count-changes.ts'
export { cutTree } from './cut-tree.ts'
export { type Cut, type FileFacts, FileFactsSchema } from './facts.ts'
export type {
  Cycle,
  EntryPoint,
  Graph,
  ImportEdge,
  Surface,
  TestLink,
  UnresolvedImport,
  Unit,
} from './graph.ts'
export { placeFile } from './group-units.ts'
export { matchTestsByName } from './link-tests.ts'
export { readChangeHistory } from './read-change-history.ts'
export { describeGraph } from './describe-graph.ts'
export { describeRisk } from './describe-risk.ts'
