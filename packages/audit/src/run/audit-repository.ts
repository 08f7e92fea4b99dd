import { splitExclusions } from '@audit-tools/shared/config'
import { type Clock, formatStableJson, hashParts, type Random } from '@audit-tools/shared/core'
import type { Finding } from '@audit-tools/shared/findings'
import { inspectPath } from '@audit-tools/shared/store'

import { type AnalyzerStatus, type PacketCounts, rankFindings } from '../report/index.ts'
import { describePackets, type Plan } from '../plan/index.ts'
import type { ReviewPacket } from '../review/index.ts'
import { type Snapshot, takeSnapshot } from '../snapshot/index.ts'
import { type Analysis, analyzeSnapshot } from './analyze-snapshot.ts'
import { composeReport, type ReviewSummary } from './compose-report.ts'
import { type AuditState, writeAuditState } from './audit-state.ts'
import { computeAuditKey, readFinishedAudit, recordFinishedAudit } from './finished-audit.ts'
import { openSessionArtifacts } from './open-artifacts.ts'
import type { AuditSession } from './open-session.ts'
import { planAudit } from './plan-audit.ts'
import { selectPaths } from './select-paths.ts'
import { countForecast, readReview } from './review/read-review.ts'
import { writeArtifacts } from './write-artifacts.ts'
import { locateReport, writeReports } from './write-reports.ts'

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
  /** Whether anybody could review; without pools the packets are a forecast. */
  readonly hasPools: boolean
  readonly summary: {
    readonly root: string
    readonly run_id: string | null
    readonly files: number
    readonly findings: number
    /** Planned = reviewed + failed + deferred. */
    readonly packets: number
    readonly packets_reviewed: number
    readonly packets_failed: number
    readonly packets_deferred: number
    readonly prompt_tokens: number
    readonly excluded: number
    readonly untracked_skipped: number
    readonly unmatched_rules: readonly string[]
    readonly reports: readonly string[]
  }
}

/** Everything that is known of the repository without a model, and the packets that a review would take. */
export interface PreparedAudit {
  readonly runId: string
  readonly snapshot: Snapshot
  readonly analysis: Analysis
  readonly plan: Plan
  readonly packets: readonly ReviewPacket[]
}

/**
 * Audits the repository as it is now. Writes reports below `.audit-tools/` and nothing else. `review` turns the packets
 * into what reviewers say; without it the report forecasts the review. Throws what opening artifacts, reading and writing
 * throw, and the reason of `signal`.
 */
export async function auditRepository(
  session: AuditSession,
  options: AuditOptions,
  review?: (prepared: PreparedAudit) => Promise<ReviewSummary>,
): Promise<AuditOutcome> {
  const { layout } = session
  await openSessionArtifacts(session, options.random)
  const snapshot = await listFiles(session, options)
  if (snapshot.files.length === 0) return describeOutcome(session, snapshot, NOTHING)
  const key = computeAuditKey(session, snapshot, {
    scope: [options.paths, options.since],
    nowMs: options.clock.now(),
  })
  // Once a review has begun, answers may have come in that the last report does not hold.
  const isForecast = review === undefined && inspectPath(layout.runsDirectory).kind === 'missing'
  const finished = isForecast ? readFinishedAudit(layout, key) : undefined
  if (finished !== undefined) {
    const { findings, run_id: runId } = finished.report
    const packets = countForecast(finished.packets)
    return describeOutcome(session, snapshot, {
      ...finished,
      findings,
      runId,
      packets,
      hasPools: false,
    })
  }
  const prepared = await prepareSnapshot(session, snapshot, options)
  const reviewed = await (review?.(prepared) ?? readReview(session, prepared))
  return reportAudit(session, prepared, { ...options, key, review: reviewed })
}

/** The part of an audit that needs no model; equal trees, settings and versions give equal packets and one run id. */
export async function prepareAudit(
  session: AuditSession,
  options: Omit<AuditOptions, 'clock'>,
): Promise<PreparedAudit> {
  await openSessionArtifacts(session, options.random)
  return prepareSnapshot(session, await listFiles(session, options), options)
}

type PrepareOptions = Omit<AuditOptions, 'clock' | 'random'>

function listFiles(session: AuditSession, options: PrepareOptions): Promise<Snapshot> {
  options.onStage('Listing files')
  return takeSnapshot({
    root: session.root,
    repository: session.repository,
    exclude: splitExclusions(session.config).paths,
    includeUntracked: options.includeUntracked,
    signal: options.signal,
  })
}

async function prepareSnapshot(
  session: AuditSession,
  snapshot: Snapshot,
  options: PrepareOptions,
): Promise<PreparedAudit> {
  const analysis = await analyzeSnapshot(session, snapshot, options)
  const { repository, config } = session
  const only = await selectPaths(snapshot, { graph: analysis.graph, repository }, options)
  const plan = planAudit(config, snapshot, analysis, only)
  writeArtifacts(session.layout, { snapshot, analysis, plan })
  const runId = nameRun(session, snapshot, only)
  return { runId, snapshot, analysis, plan, packets: describePackets(plan) }
}

/** Writes every report and the state of the audit from what is known now. */
export function reportAudit(
  session: AuditSession,
  { runId, snapshot, analysis, plan }: PreparedAudit,
  options: Pick<AuditOptions, 'clock' | 'onStage'> & {
    readonly review: ReviewSummary
    /** Where a later audit may find this one instead of doing it again. */
    readonly key?: string
  },
): AuditOutcome {
  const { layout, config } = session
  const { review, clock } = options
  const input = composeReport({
    runId,
    layout,
    snapshot,
    analysis: analysis.analyzers,
    plan,
    review,
    clock,
  })
  options.onStage('Writing reports')
  const paths = writeReports(layout, input, {
    formats: config.report.formats,
    version: session.version,
    promote: config.report.promote,
  })
  writeAuditState(layout, describeReview(review))
  const result = {
    runId,
    findings: rankFindings(input.findings),
    analyzers: input.analyzers,
    packets: input.packets,
    promptTokens: input.plannedPromptTokens,
    hasPools: input.hasPools,
  }
  if (options.key !== undefined && !input.hasPools) {
    recordFinishedAudit(layout, options.key, { ...result, packets: input.packets.planned, paths })
  }
  return describeOutcome(session, snapshot, result)
}

interface AuditResult {
  readonly runId: string | null
  /** Ranked. */
  readonly findings: readonly Finding[]
  readonly analyzers: readonly AnalyzerStatus[]
  readonly packets: PacketCounts
  readonly promptTokens: number
  readonly hasPools: boolean
}

const NOTHING: AuditResult = {
  runId: null,
  findings: [],
  analyzers: [],
  packets: countForecast(0),
  promptTokens: 0,
  hasPools: false,
}

/** A review without pools is not owed; one that is owed and not over keeps the audit active. */
function describeReview({ packets, hasPools }: ReviewSummary): AuditState {
  const isOpen = hasPools && packets.deferred > 0
  const reason = `${packets.reviewed} of ${packets.planned} packets reviewed, ${packets.failed} failed`
  return {
    status: isOpen ? 'active' : 'complete',
    obligations: hasPools
      ? [{ id: 'audit_results_ingested', status: isOpen ? 'missing' : 'present', reason }]
      : [],
    blockers: [],
  }
}

/** Equal trees, settings and versions are one run: a repeated one finds what it paid for. */
function nameRun(
  { config, version }: AuditSession,
  snapshot: Snapshot,
  only: ReadonlySet<string> | undefined,
): string {
  const { depth, lenses, dispatch } = config
  const settings = formatStableJson({ depth, lenses, dispatch, only: only && [...only] })
  return `R-${hashParts([version, snapshot.treeHash, settings]).slice(0, 12)}`
}

function describeOutcome(
  session: AuditSession,
  snapshot: Snapshot,
  result: AuditResult,
): AuditOutcome {
  const { layout, config } = session
  const formats = result.runId === null ? [] : config.report.formats
  return {
    findings: result.findings,
    analyzers: result.analyzers,
    hasPools: result.hasPools,
    summary: {
      root: session.root,
      run_id: result.runId,
      files: snapshot.files.length,
      findings: result.findings.length,
      packets: result.packets.planned,
      packets_reviewed: result.packets.reviewed,
      packets_failed: result.packets.failed,
      packets_deferred: result.packets.deferred,
      prompt_tokens: result.promptTokens,
      excluded: snapshot.excluded.length,
      untracked_skipped: snapshot.untrackedSkipped,
      unmatched_rules: snapshot.unmatchedRules,
      reports: formats.map((format) => locateReport(layout, format)),
    },
  }
}
