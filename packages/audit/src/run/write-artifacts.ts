import { join } from 'node:path'

import { collectIfLarge } from '@audit-tools/shared/core'
import { makeDirectory, writeFileAtomic } from '@audit-tools/shared/store'

import { assessRisk, describeGraph, describeRisk } from '../graph/index.ts'
import { describeCoverage, describeTasks, type Plan } from '../plan/index.ts'
import { describeDisposition, describeManifest, type Snapshot } from '../snapshot/index.ts'
import type { Analysis } from './analyze-snapshot.ts'
import type { AuditLayout } from './layout.ts'

/** Writes what hosts and scripts read about scope and plan. Compact: together they stay smaller than the source. */
export function writeArtifacts(
  { directory }: AuditLayout,
  { snapshot, analysis, plan }: { snapshot: Snapshot; analysis: Analysis; plan: Plan },
): void {
  const leads = analysis.analyzers.results.map(({ result }) => result)
  const artifacts: Readonly<Record<string, () => unknown>> = {
    'repo_manifest.json': () => describeManifest(snapshot),
    'file_disposition.json': () => describeDisposition(snapshot),
    'graph_bundle.json': () => describeGraph(analysis.graph),
    'risk_register.json': () => describeRisk(assessRisk(snapshot, analysis.graph, leads)),
    'audit_tasks.json': () => describeTasks(plan),
    'coverage_matrix.json': () => describeCoverage(plan),
  }
  makeDirectory(directory)
  for (const [name, describe] of Object.entries(artifacts)) {
    writeFileAtomic(join(directory, name), `${JSON.stringify(describe())}\n`)
    collectIfLarge()
  }
}
