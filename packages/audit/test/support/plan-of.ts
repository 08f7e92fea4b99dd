import { buildGraph, collectFacts, type FileFacts } from '../../src/graph/index.ts'
import { type Plan, type PlanConfig, type PlanInput, planReview } from '../../src/plan/index.ts'
import type { Snapshot, SnapshotFile } from '../../src/snapshot/index.ts'

export const planConfig: PlanConfig = {
  depth: 'standard',
  extraLenses: [],
  maxPromptTokens: 60_000,
  routing: { standardAt: 0.33, deepAt: 0.66 },
  promptVersion: '1',
}

/** The plan of a snapshot on disk. */
export async function planOf(
  snapshot: Snapshot,
  config: Partial<PlanConfig> = {},
  rest: Partial<PlanInput> = {},
): Promise<Plan> {
  const facts = await collectFacts(snapshot, {
    known: new Map(),
    signal: new AbortController().signal,
  })
  const graph = buildGraph(snapshot, facts.byPath, [])
  return planReview({ snapshot, graph, leads: [], config: { ...planConfig, ...config }, ...rest })
}

/** The plan of files that are nowhere on disk; long ones may be cut at every tenth line. */
export function planFiles(
  files: readonly SnapshotFile[],
  config: Partial<PlanConfig> = {},
  rest: Partial<PlanInput> = {},
): Plan {
  const facts = new Map(
    files.map((file) => [file.path, { imports: [], surfaces: [], ...cutsOf(file) }]),
  )
  const graph = buildGraph({ files, excluded: [] }, facts, [])
  return planReview({
    snapshot: { files },
    graph,
    leads: [],
    config: { ...planConfig, ...config },
    ...rest,
  })
}

function cutsOf({ lines, bytes }: SnapshotFile): Pick<FileFacts, 'cuts'> {
  const cuts: [number, number, 0 | 1 | 2][] = [[1, 0, 0]]
  for (let line = 11; line <= lines; line += 10) {
    cuts.push([line, Math.floor((bytes * (line - 1)) / lines), line % 50 === 1 ? 0 : 1])
  }
  return { cuts }
}
