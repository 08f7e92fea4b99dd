import type { Clock } from '@audit-tools/shared/core'
import {
  applyDismissals,
  type FileTree,
  type Finding,
  planWorkBlocks,
} from '@audit-tools/shared/findings'

import type { Plan } from '../plan/index.ts'
import type { Gap, PacketCounts, PoolUsage, ReportInput } from '../report/index.ts'
import { readSnapshotText, type Snapshot } from '../snapshot/index.ts'
import { assembleFindings, type DraftSource, draftFromAnalyzer } from './assemble-findings.ts'
import { compareWithSaved } from './baseline.ts'
import { readDismissals } from './dismissals.ts'
import { readImports } from './external-imports.ts'
import type { AuditLayout } from './layout.ts'
import type { AnalyzerRun } from './run-analyzers.ts'

/** What the review has to say for the report; without pools it is a forecast. */
export interface ReviewSummary {
  readonly drafts: readonly DraftSource[]
  readonly packets: PacketCounts
  readonly promptTokens: number
  readonly usage: readonly PoolUsage[]
  readonly gaps: ReportInput['gaps']
  readonly hasPools: boolean
}

export interface ReportParts {
  readonly runId: string
  readonly layout: AuditLayout
  readonly snapshot: Snapshot
  readonly analysis: AnalyzerRun
  readonly plan: Plan
  readonly review: ReviewSummary
  readonly clock: Clock
}

/** Brings everything that was reported together into one report. */
export function composeReport(parts: ReportParts): ReportInput {
  const { runId, layout, snapshot, analysis, review } = parts
  const imports = readImports(layout, snapshot)
  const drafts = analysis.results
    .filter(({ result }) => result.standing === 'finding')
    .map(({ analyzerId, result }) => draftFromAnalyzer(analyzerId, result))
  const sources = [
    { name: 'analyzers', drafts, rejected: [] },
    ...imports.sources,
    ...review.drafts,
  ]
  const tree = makeFileTree(snapshot)
  const assembled = assembleFindings(sources, tree)
  const compared = compareWithSaved(layout, {
    current: assembled.grounded,
    readText: (path) => tree.readText(path),
    wasRechecked: (finding) => wasRechecked(finding, analysis),
  })
  const { active, known } = applyDismissals(
    compared.findings,
    readDismissals(layout),
    parts.clock.now(),
  )
  return {
    runId,
    snapshot,
    findings: active,
    quarantined: assembled.quarantined,
    known,
    resolved: compared.resolved,
    notRechecked: compared.notRechecked,
    workBlocks: planWorkBlocks(active).blocks,
    analyzers: analysis.statuses,
    intake: assembled.intake,
    packets: review.packets,
    plannedPromptTokens: review.promptTokens,
    usage: review.usage,
    gaps: [...analysis.gaps, ...imports.gaps, ...listUncovered(parts.plan), ...review.gaps],
    hasPools: review.hasPools,
  }
}

/** The snapshot as grounding reads it: a file that changed since has no text. */
function makeFileTree(snapshot: Snapshot): FileTree {
  const files = new Map(snapshot.files.map((file) => [file.path, file]))
  return {
    root: snapshot.root,
    listFiles: () => [...files.keys()],
    readText(path) {
      const file = files.get(path)
      const reading = file === undefined ? undefined : readSnapshotText(snapshot, file)
      return reading?.kind === 'ok' ? reading.text : undefined
    },
  }
}

/** An analyzer that ran again over the whole tree would have said it again; of reviewers only the review can tell. */
function wasRechecked(finding: Finding, { statuses }: AnalyzerRun): boolean {
  return finding.reporters.every((reporter) =>
    statuses.some(({ id, outcome }) => id === reporter && outcome === 'ran'),
  )
}

function listUncovered({ notCovered }: Plan): Gap[] {
  return notCovered.map(({ path, lines, reason }) => ({
    scope: 'file',
    subject: `${path}:${lines.first}-${lines.last}`,
    reason: `in no packet: ${reason}`,
  }))
}
