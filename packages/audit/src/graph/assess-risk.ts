import { compareText, groupBy } from '@audit-tools/shared/core'
import type { Severity } from '@audit-tools/shared/findings'

import type { Snapshot, SnapshotFile } from '../snapshot/index.ts'
import type { Graph } from './graph.ts'

/** What each factor counts for; they add up to 1. */
export const riskWeights = {
  sinks: 0.3,
  exposure: 0.2,
  churn: 0.15,
  fanIn: 0.15,
  size: 0.1,
  untested: 0.1,
} as const

export type RiskFactor = keyof typeof riskWeights

/** Half of a factor is reached at this many; fixed, so that no file's risk depends on what is elsewhere. */
const halfWayAt = { churn: 10, fanIn: 8, lines: 400 } as const

/** How far towards 1 one lead takes the factor of sinks. */
const leadWeights: Readonly<Record<Severity, number>> = {
  critical: 0.9,
  high: 0.6,
  medium: 0.3,
  low: 0.1,
  info: 0.02,
}

/** Files further than this from a surface are not exposed. */
const MAX_EXPOSURE_STEPS = 3

/** What an analyzer pointed at, as far as risk is concerned. */
export interface RiskLead {
  readonly path: string
  readonly severity: Severity
}

interface FileRisk {
  readonly path: string
  /** From 0 to 1. */
  readonly score: number
  readonly factors: Readonly<Record<RiskFactor, number>>
}

interface UnitRisk {
  readonly id: string
  readonly score: number
}

export interface RiskRegister {
  /** Source and configuration, sorted by path. */
  readonly files: readonly FileRisk[]
  readonly units: readonly UnitRisk[]
}

/** How much there is to lose in each file and unit, from facts that cost no model. */
export function assessRisk(
  { files }: Pick<Snapshot, 'files'>,
  graph: Graph,
  leads: readonly RiskLead[],
): RiskRegister {
  const sinks = measureSinks(leads)
  const exposure = measureExposure(graph)
  const fanIn = countImporters(graph)
  const tested = new Set(graph.testLinks.map((link) => link.source))
  const risks = files
    .filter(({ kind }) => kind === 'source' || kind === 'config')
    .toSorted((left, right) => compareText(left.path, right.path))
    .map((file) =>
      scoreFile(file.path, {
        sinks: sinks.get(file.path) ?? 0,
        exposure: exposure.get(file.path) ?? 0,
        churn: saturate(graph.churn.get(file.path) ?? 0, halfWayAt.churn),
        fanIn: saturate(fanIn.get(file.path) ?? 0, halfWayAt.fanIn),
        size: saturate(file.lines, halfWayAt.lines),
        untested: file.kind === 'source' && !tested.has(file.path) ? 1 : 0,
      }),
    )
  return { files: risks, units: scoreUnits(graph, risks, files) }
}

function scoreFile(path: string, factors: FileRisk['factors']): FileRisk {
  const entries = Object.entries(riskWeights) as [RiskFactor, number][]
  const score = entries.reduce((sum, [factor, weight]) => sum + weight * factors[factor], 0)
  return { path, score, factors }
}

function saturate(count: number, halfWay: number): number {
  return count / (count + halfWay)
}

/** Several leads add up towards 1. */
function measureSinks(leads: readonly RiskLead[]): ReadonlyMap<string, number> {
  const sinks = new Map<string, number>()
  for (const { path, severity } of leads) {
    sinks.set(path, 1 - (1 - (sinks.get(path) ?? 0)) * (1 - leadWeights[severity]))
  }
  return sinks
}

/** 1 where input comes in, half of it with each import further in. */
function measureExposure({ surfaces, entryPoints, edges }: Graph): ReadonlyMap<string, number> {
  const loaded = edges.filter((edge) => !edge.typeOnly)
  const edgesFrom = groupBy(loaded, (edge) => edge.from)
  const exposure = new Map<string, number>()
  let border = [...surfaces, ...entryPoints].map(({ path }) => path)
  for (let step = 0; step <= MAX_EXPOSURE_STEPS; step += 1) {
    const reached = new Set(border.filter((path) => !exposure.has(path)))
    for (const path of reached) exposure.set(path, 1 / 2 ** step)
    border = [...reached].flatMap((path) => edgesFrom.get(path) ?? []).map((edge) => edge.to)
  }
  return exposure
}

function countImporters({ edges }: Graph): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { to } of edges) counts.set(to, (counts.get(to) ?? 0) + 1)
  return counts
}

function scoreUnits(
  { units }: Graph,
  risks: readonly FileRisk[],
  files: readonly SnapshotFile[],
): UnitRisk[] {
  const scores = new Map(risks.map((risk) => [risk.path, risk.score]))
  const lines = new Map(files.map((file) => [file.path, file.lines]))
  return units.map(({ id, files: paths }) => ({
    id,
    score: combineRisk(
      paths.map((path) => ({ score: scores.get(path) ?? 0, weight: lines.get(path) ?? 0 })),
    ),
  }))
}

/** The risk of several things: half the worst, half the mean by weight. */
export function combineRisk(
  parts: readonly { readonly score: number; readonly weight: number }[],
): number {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  const mean = parts.reduce((sum, { score, weight }) => sum + score * weight, 0) / (total || 1)
  const worst = parts.reduce((highest, { score }) => Math.max(highest, score), 0)
  return (worst + mean) / 2
}
