import type { Finding, VanishedReason, WorkBlock } from '@audit-tools/shared/findings'

import type { Snapshot } from '../snapshot/index.ts'

/** How one analyzer ended; missing, failed and not applicable are different things. */
export interface AnalyzerStatus {
  readonly id: string
  readonly title: string
  readonly version: string
  readonly outcome: 'ran' | 'failed' | 'missing' | 'not_applicable'
  readonly reason?: string
  readonly filesCovered: number
  readonly findings: number
  readonly leads: number
}

/** Everything received = kept + merged + everything rejected. */
export interface Intake {
  readonly sources: readonly {
    readonly name: string
    readonly received: number
    readonly rejected: number
  }[]
  readonly kept: number
  /** Joined into a kept one that says the same. */
  readonly merged: number
}

export interface PacketCounts {
  readonly planned: number
  readonly reviewed: number
  readonly failed: number
  readonly deferred: number
}

export interface PoolUsage {
  readonly poolId: string
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number | null
}

export interface Gap {
  readonly scope: 'packet' | 'file' | 'analyzer' | 'import'
  readonly subject: string
  readonly reason: string
}

/** Everything a report is made of; reports are projections of it and of nothing else. */
export interface ReportInput {
  readonly runId: string
  readonly snapshot: Snapshot
  /** Grounded, not dismissed. */
  readonly findings: readonly Finding[]
  readonly quarantined: readonly Finding[]
  readonly known: readonly Finding[]
  /** Of the baseline: gone, with the reason. */
  readonly resolved: readonly { readonly finding: Finding; readonly reason: VanishedReason }[]
  /** Of the baseline: not looked at again, so still open. */
  readonly notRechecked: readonly Finding[]
  readonly workBlocks: readonly WorkBlock[]
  readonly analyzers: readonly AnalyzerStatus[]
  readonly intake: Intake
  readonly packets: PacketCounts
  /** Estimated tokens of the prompts of all planned packets. */
  readonly plannedPromptTokens: number
  readonly usage: readonly PoolUsage[]
  readonly gaps: readonly Gap[]
  /** Whether any pool could review; without one the report forecasts the review. */
  readonly hasPools: boolean
}
