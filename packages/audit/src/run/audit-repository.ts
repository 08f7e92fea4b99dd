import { splitExclusions } from '@audit-tools/shared/config'
import { type Clock, formatStableJson, hashParts, type Random } from '@audit-tools/shared/core'
import type { Finding } from '@audit-tools/shared/findings'

import { type AnalyzerStatus, rankFindings, type ReportInput } from '../report/index.ts'
import { type Snapshot, takeSnapshot } from '../snapshot/index.ts'
import { analyzeSnapshot } from './analyze-snapshot.ts'
import { composeReport, type ReviewSummary } from './compose-report.ts'
import { writeAuditState } from './audit-state.ts'
import { openSessionArtifacts } from './open-artifacts.ts'
import type { AuditSession } from './open-session.ts'
import { writeReports } from './write-reports.ts'

export interface AuditOptions {
  /** Files and directories of the snapshot to review; absent: all of it. */
  readonly paths?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly includeUntracked: boolean
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly random: Random
  /** Told what is being done now. */
  onStage(stage: string): void
}

export interface AuditOutcome {
  /** Ranked: what matters first. */
  readonly findings: readonly Finding[]
  readonly analyzers: readonly AnalyzerStatus[]
  readonly summary: {
    readonly root: string
    readonly run_id: string | null
    readonly files: number
    readonly findings: number
    readonly packets: number
    readonly prompt_tokens: number
    readonly excluded: number
    readonly untracked_skipped: number
    readonly unmatched_rules: readonly string[]
    readonly reports: readonly string[]
  }
}

/**
 * Audits the repository as it is now: everything that needs no model. Writes reports below `.audit-tools/` and nothing
 * else. Throws what opening artifacts, reading and writing throw, and the reason of `signal`.
 */
export async function auditRepository(
  session: AuditSession,
  options: AuditOptions,
): Promise<AuditOutcome> {
  const { layout, repository } = session
  await openSessionArtifacts(session, options.random)
  options.onStage('Listing files')
  const snapshot = await takeSnapshot({
    root: session.root,
    repository,
    exclude: splitExclusions(session.config).paths,
    includeUntracked: options.includeUntracked,
    signal: options.signal,
  })
  if (snapshot.files.length === 0) return describeOutcome(session, snapshot, null, [])
  const analysis = await analyzeSnapshot(session, snapshot, options)
  const input = composeReport({
    runId: nameRun(session, snapshot),
    layout,
    snapshot,
    analysis: analysis.analyzers,
    review: forecastReview(),
    clock: options.clock,
  })
  options.onStage('Writing reports')
  const reports = writeReports(layout, input, {
    formats: session.config.report.formats,
    version: session.version,
    promote: session.config.report.promote,
  })
  writeAuditState(layout, { status: 'complete', obligations: [], blockers: [] })
  return describeOutcome(session, snapshot, input, reports)
}

/** Equal trees, settings and versions are one run: a repeated one finds what it paid for. */
function nameRun({ config, version }: AuditSession, snapshot: Snapshot): string {
  const settings = formatStableJson({
    depth: config.depth,
    lenses: config.lenses,
    dispatch: config.dispatch,
  })
  return `R-${hashParts([version, snapshot.treeHash, settings]).slice(0, 12)}`
}

function describeOutcome(
  session: AuditSession,
  snapshot: Snapshot,
  input: ReportInput | null,
  reports: readonly string[],
): AuditOutcome {
  return {
    findings: rankFindings(input?.findings ?? []),
    analyzers: input?.analyzers ?? [],
    summary: {
      root: session.root,
      run_id: input?.runId ?? null,
      files: snapshot.files.length,
      findings: input?.findings.length ?? 0,
      packets: input?.packets.planned ?? 0,
      prompt_tokens: input?.plannedPromptTokens ?? 0,
      excluded: snapshot.excluded.length,
      untracked_skipped: snapshot.untrackedSkipped,
      unmatched_rules: snapshot.unmatchedRules,
      reports,
    },
  }
}

function forecastReview(): ReviewSummary {
  return {
    drafts: [],
    packets: { planned: 0, reviewed: 0, failed: 0, deferred: 0 },
    promptTokens: 0,
    usage: [],
    gaps: [],
    hasPools: false,
  }
}
