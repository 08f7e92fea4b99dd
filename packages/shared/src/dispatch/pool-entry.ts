import {
  type CapacityPool,
  type FoldedPool,
  type QuotaSessionConfig,
  type WorkEstimate,
} from '../quota/index.ts'
import type { SettleCause } from './events.ts'
import { createExperience, expectOutputTokens, type Experience } from './experience.ts'
import type { FrontierNode } from './frontier-node.ts'

/** The part of the session config that dispatch depends on. */
export interface DispatchSessionConfig extends QuotaSessionConfig {
  /** Ids of pools or names of providers to use first, best first. */
  readonly prefer?: readonly string[] | undefined
}

/** A pool as the coordinator keeps it: its folded limits and what this run has seen of it. */
export interface PoolEntry {
  /** Place in the list of pools. */
  readonly index: number
  /** Place in the user's order of preference, least first; the same for all pools that it does not name. */
  readonly preference: number
  readonly pool: CapacityPool
  readonly folded: FoldedPool
  /** Answer length that is assumed before the first one was seen. */
  readonly assumedOutputTokens: number
  readonly experience: Experience
  settled: SettleCause | undefined
  /** The largest prompt with its reserved answer that went through; starts at the configured default. */
  provenTokens: number
  /** Starts of this coordinator that have not ended. */
  inFlight: number
  /** Work in flight whose size nobody knows to fit: one at a time. */
  probesInFlight: number
  /** Attempts that failed since one last went well. */
  failuresInRow: number
  /** Prompt prefix of the latest start. */
  warmPrefix: string | undefined
}

export function createPoolEntry(
  folded: FoldedPool,
  index: number,
  { prefer = [] }: DispatchSessionConfig,
): PoolEntry {
  const { pool, limits } = folded
  return {
    index,
    preference: findPreference(pool, prefer),
    pool,
    folded,
    assumedOutputTokens: Math.min(limits.resolved_limits.output_tokens, folded.outputTokens),
    experience: createExperience(),
    settled: undefined,
    provenTokens: limits.resolved_limits.context_tokens,
    inFlight: 0,
    probesInFlight: 0,
    failuresInRow: 0,
    warmPrefix: undefined,
  }
}

function findPreference({ id, providerName }: CapacityPool, prefer: readonly string[]): number {
  const place = prefer.findIndex((name) => name === id || name === providerName)
  return place === -1 ? prefer.length : place
}

/** What the node is expected to use on this pool. */
export function estimateWork(entry: PoolEntry, node: FrontierNode): WorkEstimate {
  const expected =
    node.outputTokens ?? expectOutputTokens(entry.experience) ?? entry.assumedOutputTokens
  const maxOutputTokens = Math.min(
    node.maxOutputTokens ?? entry.folded.outputTokens,
    entry.folded.outputTokens,
  )
  return {
    inputTokens: readSize(node),
    outputTokens: Math.round(Math.min(expected, maxOutputTokens)),
    maxOutputTokens,
  }
}

/** Tokens of the node's prompt; a size that is not a number counts as nothing known. */
export function readSize({ estimatedTokens }: FrontierNode): number {
  return Number.isFinite(estimatedTokens) && estimatedTokens > 0 ? estimatedTokens : 0
}

/** Tokens that the model's window must hold: the prompt and the room for its answer. */
export function measureNeed(entry: PoolEntry, node: FrontierNode): number {
  const reserve = Math.min(
    node.maxOutputTokens ?? node.outputTokens ?? entry.assumedOutputTokens,
    entry.folded.outputTokens,
  )
  return readSize(node) + reserve
}

/** Whether it takes a try to find out that the node fits: its size or the pool's window is not known for sure. */
export function needsProbe(entry: PoolEntry, node: FrontierNode): boolean {
  const need = measureNeed(entry, node)
  if (entry.folded.contextTokens !== null) return need > entry.folded.contextTokens
  return need > entry.provenTokens
}
