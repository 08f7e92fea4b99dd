import { AuditToolsError, compareText, detach, readErrorMessage } from '@audit-tools/shared/core'

import type {
  Analyzer,
  AnalyzerContext,
  AnalyzerOutcome,
  AnalyzerResult,
} from '../analyzers/index.ts'
import type { AnalyzerStatus, Gap } from '../report/index.ts'
import { readSnapshotText, type Snapshot, type SnapshotFile } from '../snapshot/index.ts'
import type { AnalysisCache } from './analysis-cache.ts'

export interface AnalyzerRun {
  readonly statuses: readonly AnalyzerStatus[]
  /** Results with the analyzer that gave them, sorted by place. */
  readonly results: readonly { readonly analyzerId: string; readonly result: AnalyzerResult }[]
  /** Files that an analyzer covers and could not look at. */
  readonly gaps: readonly Gap[]
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
  const gaps: Gap[] = []
  for (const analyzer of options.analyzers) {
    options.signal.throwIfAborted()
    const covered = options.snapshot.files.filter((file) => analyzer.covers(file))
    const outcome = await runAnalyzer(analyzer, covered, options)
    statuses.push(describeStatus(analyzer, covered.length, outcome))
    if (outcome.kind !== 'ran') continue
    for (const result of outcome.results) results.push({ analyzerId: analyzer.id, result })
    for (const { path, reason } of outcome.skipped ?? []) {
      gaps.push({ scope: 'file', subject: path, reason: `${analyzer.title}: ${reason}` })
    }
  }
  return { statuses, results: results.toSorted(compareResults), gaps }
}

/** A batch's quotes hold its files' texts in memory until it is done. */
const FILES_PER_BATCH = 4000

async function runAnalyzer(
  analyzer: Analyzer,
  covered: readonly SnapshotFile[],
  options: AnalyzerRunOptions,
): Promise<AnalyzerOutcome> {
  if (covered.length === 0) return { kind: 'not_applicable' }
  if (analyzer.scope === 'tree') return attempt(analyzer, makeContext(covered, options))
  const known = options.cache.lookUp(analyzer, covered)
  if (known.open.length === 0) return { kind: 'ran', ...known }
  const results = [...known.results]
  const skipped = [...known.skipped]
  for (let start = 0; start < known.open.length; start += FILES_PER_BATCH) {
    const files = known.open.slice(start, start + FILES_PER_BATCH)
    const outcome = await attempt(analyzer, makeContext(files, options))
    if (outcome.kind !== 'ran') return outcome
    options.cache.add(analyzer, files, { results: outcome.results, skipped: outcome.skipped ?? [] })
    results.push(...outcome.results)
    skipped.push(...(outcome.skipped ?? []))
  }
  return { kind: 'ran', results, skipped }
}

function makeContext(
  files: readonly SnapshotFile[],
  { snapshot, signal }: AnalyzerRunOptions,
): AnalyzerContext {
  return {
    root: snapshot.root,
    files,
    signal,
    readText(file) {
      const reading = readSnapshotText(snapshot, file)
      if (reading.kind === 'ok') return reading.text
      throw new AuditToolsError(
        'store-unreadable',
        `${file.path} changed while it was audited. Run again`,
      )
    },
  }
}

/** A fault inside an analyzer is that analyzer's state, not the end of the audit; a stop is the end. */
async function attempt(analyzer: Analyzer, context: AnalyzerContext): Promise<AnalyzerOutcome> {
  try {
    return detach(await analyzer.run(context))
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
