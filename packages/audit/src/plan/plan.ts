import type { Lens, Severity } from '@audit-tools/shared/findings'

import type { Graph, Unit } from '../graph/index.ts'
import type { Snapshot } from '../snapshot/index.ts'
import type { Depth, ReviewPass } from './review-passes.ts'
import type { LineRange } from './split-file.ts'

export interface PlanConfig {
  readonly depth: Depth
  /** Lenses beyond those of the depth. */
  readonly extraLenses: readonly Lens[]
  /** Most tokens of a packet's prompt, by estimate. */
  readonly maxPromptTokens: number
  /** From which risk on a packet wants a better model. */
  readonly routing: { readonly standardAt: number; readonly deepAt: number }
  /** Changes every packet's id when the prompt changes so much that old answers do not count. */
  readonly promptVersion: string
}

/** What an analyzer says about a place, for the reviewer of that place. */
export interface PlanLead {
  readonly path: string
  readonly line: number | null
  readonly severity: Severity
  readonly text: string
}

export interface PlanInput {
  readonly snapshot: Pick<Snapshot, 'files'>
  readonly graph: Graph
  readonly leads: readonly PlanLead[]
  readonly config: PlanConfig
  /** Only these paths (changed files, `--paths`); all when absent. */
  readonly only?: ReadonlySet<string>
}

export interface PacketFile {
  readonly path: string
  readonly diskPath?: string
  readonly hash: string
  readonly totalLines: number
  /** Lines that its reviewer sees, in order; empty for the whole file. */
  readonly shows: readonly LineRange[]
  /** Lines that no other packet of the pass covers; empty for the whole file. */
  readonly covers: readonly LineRange[]
}

export type Rank = 'small' | 'standard' | 'deep'

/** What one reviewer gets. */
export interface Packet {
  /** From its files' contents, ranges, lenses and prompt version: it says what is reviewed and under what. */
  readonly id: string
  readonly passId: ReviewPass['id']
  readonly unitId: string
  readonly lenses: readonly Lens[]
  readonly files: readonly PacketFile[]
  /** Files that these use and that are not shown. */
  readonly neighbours: readonly string[]
  /** Worst first, as many as fit. */
  readonly leads: readonly PlanLead[]
  /** From 0 to 1. */
  readonly risk: number
  /** Least rank of model for this risk. */
  readonly rank: Rank
  readonly promptTokens: number
  /** Of the files alone. */
  readonly sourceTokens: number
}

/** Something in scope that no packet of a pass covers. */
export interface NotCovered {
  readonly path: string
  readonly passId: ReviewPass['id']
  readonly lines: LineRange
  readonly reason: string
}

export interface Plan {
  readonly passes: readonly ReviewPass[]
  readonly units: readonly Unit[]
  /** By falling risk. */
  readonly packets: readonly Packet[]
  /** Sorted by path. */
  readonly notCovered: readonly NotCovered[]
  readonly totals: { readonly promptTokens: number; readonly sourceTokens: number }
}
