import { AuditToolsError, compareText, readErrorMessage } from '@audit-tools/shared/core'

import type { Analyzer, AnalyzerOutcome, AnalyzerResult } from '../analyzers/index.ts'
import type { AnalyzerStatus } from '../report/index.ts'
import { readSnapshotText, type Snapshot, type SnapshotFile } from '../snapshot/index.ts'
import type { AnalysisCache } from './analysis-cache.ts'

export interface AnalyzerRun {
  readonly statuses: readonly AnalyzerStatus[]
  /** Results with the analyzer that gave them, sorted by place. */
  readonly results: readonly { readonly analyzerId: string; readonly result: AnalyzerResult }[]
}

export interface AnalyzerRunOptions {
  readonly snapshot: Snapshot
  readonly analyzers: readonly Analyzer[]
  readonly cache: AnalysisCache
  readonly signal: AbortSignal
}

/**
 * Runs every analyzer over the files it covers, one after another, and takes from the cache what it said about a file
 * whose content has not changed. One that fails is reported as failed; the others go on.
 */
export async function runAnalyzers(options: AnalyzerRunOptions): Promise<AnalyzerRun> {
  const statuses: AnalyzerStatus[] = []
  const results: { analyzerId: string; result: AnalyzerResult }[] = []
  for (const analyzer of options.analyzers) {
    options.signal.throwIfAborted()
    const covered = options.snapshot.files.filter((file) => analyzer.covers(file))
    const outcome = await runAnalyzer(analyzer, covered, options)
    statuses.push(describeStatus(analyzer, covered.length, outcome))
    if (outcome.kind !== 'ran') continue
    for (const result of outcome.results) results.push({ analyzerId: analyzer.id, result })
  }
  return { statuses, results: results.toSorted(compareResults) }
}

async function runAnalyzer(
  analyzer: Analyzer,
  covered: readonly SnapshotFile[],
  { snapshot, cache, signal }: AnalyzerRunOptions,
): Promise<AnalyzerOutcome> {
  if (covered.length === 0) return { kind: 'not_applicable' }
  const known = analyzer.scope === 'file' ? cache.readResults(analyzer, covered) : []
  const open = analyzer.scope === 'file' ? cache.listOpen(analyzer, covered) : covered
  if (open.length === 0) return { kind: 'ran', results: known }
  const outcome = await attempt(analyzer, {
    root: snapshot.root,
    files: open,
    signal,
    readText: (file) => {
      const reading = readSnapshotText(snapshot, file)
      if (reading.kind === 'ok') return reading.text
      throw new AuditToolsError(
        'store-unreadable',
        `${file.path} changed while it was audited. Run again`,
      )
    },
  })
  if (outcome.kind !== 'ran') return outcome
  if (analyzer.scope === 'file') cache.addResults(analyzer, open, outcome.results)
  return { kind: 'ran', results: [...known, ...outcome.results] }
}

/** A fault inside an analyzer is that analyzer's state, not the end of the audit; a stop is the end. */
async function attempt(
  analyzer: Analyzer,
  context: Parameters<Analyzer['run']>[0],
): Promise<AnalyzerOutcome> {
  try {
    return await analyzer.run(context)
  } catch (error) {
    context.signal.throwIfAborted()
    return { kind: 'failed', reason: readErrorMessage(error) }
  }
}

function describeStatus(
  { id, title, version }: Analyzer,
  filesCovered: number,
  outcome: AnalyzerOutcome,
): AnalyzerStatus {
  const results = outcome.kind === 'ran' ? outcome.results : []
  return {
    id,
    title,
    version,
    outcome: outcome.kind,
    ...('reason' in outcome ? { reason: outcome.reason } : {}),
    filesCovered,
    findings: results.filter(({ standing }) => standing === 'finding').length,
    leads: results.filter(({ standing }) => standing === 'lead').length,
  }
}

function compareResults(
  left: { analyzerId: string; result: AnalyzerResult },
  right: { analyzerId: string; result: AnalyzerResult },
): number {
  return (
    compareText(left.result.path, right.result.path) ||
    (left.result.lineStart ?? 0) - (right.result.lineStart ?? 0) ||
    compareText(left.analyzerId, right.analyzerId) ||
    compareText(left.result.ruleId, right.result.ruleId)
  )
}
