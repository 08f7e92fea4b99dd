import { makeDirectory } from '@audit-tools/shared/store'

import { loadAnalyzers } from '../analyzers/index.ts'
import { buildGraph, collectFacts, type Graph, readChangeHistory } from '../graph/index.ts'
import type { Snapshot } from '../snapshot/index.ts'
import { openAnalysisCache } from './analysis-cache.ts'
import { describeModules } from './describe-modules.ts'
import { readFactsCache, writeFactsCache } from './facts-cache.ts'
import type { AuditSession } from './open-session.ts'
import { type AnalyzerRun, runAnalyzers } from './run-analyzers.ts'

export interface Analysis {
  readonly graph: Graph
  readonly analyzers: AnalyzerRun
}

/** Everything that is known of a snapshot without a model. What was seen in an earlier run comes from caches. */
export async function analyzeSnapshot(
  session: AuditSession,
  snapshot: Snapshot,
  options: { readonly signal: AbortSignal; onStage(stage: string): void },
): Promise<Analysis> {
  const { signal } = options
  const directory = session.layout.cacheDirectory
  makeDirectory(directory)
  options.onStage('Reading imports and history')
  const graph = await readGraph(session, snapshot, signal)
  options.onStage('Running analyzers')
  const cache = openAnalysisCache(directory, session.version)
  const chosen = session.config.analyzers
  const loaded = await loadAnalyzers({ moduleGraph: describeModules(graph) })
  const analyzers = await runAnalyzers({
    snapshot,
    analyzers: loaded.filter(({ id }) => chosen[id] !== 'skip'),
    cache,
    signal,
  })
  cache.save()
  return { graph, analyzers }
}

/** A function of its own, so that the facts of all files can go once the graph is made. */
async function readGraph(
  { layout, repository }: AuditSession,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<Graph> {
  const known = readFactsCache(layout.cacheDirectory)
  const facts = await collectFacts(snapshot, { known, signal })
  if (!isSame(known, facts.byKey)) writeFactsCache(layout.cacheDirectory, facts.byKey)
  const history = repository?.head ? await readChangeHistory(repository, signal) : []
  return buildGraph(snapshot, facts.byPath, history)
}

function isSame(left: ReadonlyMap<string, unknown>, right: ReadonlyMap<string, unknown>): boolean {
  return left.size === right.size && [...left.keys()].every((key) => right.has(key))
}
