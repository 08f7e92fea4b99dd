import { join } from 'node:path'
import { z } from 'zod'
import { type Clock, readEnvironment, systemClock } from '../core/index.ts'
import {
  makeDirectory,
  readOptionalJsonFile,
  resolveStateDirectory,
  withFileLock,
  writeJsonFile,
} from '../store/index.ts'
import { DEFAULT_HALF_LIFE_HOURS, decayWeight } from './learned-concurrency.ts'
import type { DiscoveredLimits, QuotaStateEntry } from './pool.ts'

const instant = z.iso.datetime()

const QuotaStateEntrySchema = z.strictObject({
  updated_at: instant.describe('Instant to which the weights have decayed'),
  levels: z
    .record(z.string().regex(/^\d+$/), z.strictObject({ clean: z.number(), limited: z.number() }))
    .describe('By concurrency: weight of work that went well and of work that was limited'),
  cooldown_until: instant.nullable().describe('Until when the provider asked to wait'),
  last_429_at: instant.nullable().describe('When the provider last turned work away'),
})

const QuotaStateSchema = z.strictObject({
  version: z.literal(1),
  entries: z.record(z.string(), QuotaStateEntrySchema).describe('By provider/model'),
})

export type QuotaState = z.infer<typeof QuotaStateSchema>

const figure = z.number().nullable().optional()

const DiscoveredLimitsFileSchema = z.strictObject({
  version: z.literal(1),
  entries: z
    .record(
      z.string(),
      z.strictObject({
        context_tokens: figure,
        output_tokens: figure,
        requests_per_minute: figure,
        input_tokens_per_minute: figure,
        output_tokens_per_minute: figure,
        source: z.string().optional().describe('Who stated the figures'),
      }),
    )
    .describe('By provider/model'),
})

/** How one wave, or one piece of work at a concurrency, ended. */
export interface WaveOutcome {
  readonly concurrency: number
  readonly estimated_tokens: number
  readonly outcome: 'success' | 'rate_limited' | 'timeout' | 'error'
  /** RFC 3339. */
  readonly cooldown_until?: string | null
}

let directory: string | undefined

/** Moves what is learned to another directory; undefined goes back to the user's state directory. */
export function setQuotaStateDir(path: string | undefined): void {
  directory = path
}

export function getQuotaStatePath(): string {
  return join(directory ?? resolveStateDirectory(readEnvironment()), 'quota-state.json')
}

function getDiscoveredLimitsPath(): string {
  return join(directory ?? resolveStateDirectory(readEnvironment()), 'discovered-limits.json')
}

/** What was learned of all models; empty when nothing was. Throws `store-unreadable` or `store-corrupt`. */
export function readQuotaState(): QuotaState {
  return readOptionalJsonFile(getQuotaStatePath(), QuotaStateSchema) ?? { version: 1, entries: {} }
}

/** Books how work at a concurrency ended. Only success and rate limits say something about safe concurrency. */
export async function recordWaveOutcome(
  key: string,
  outcome: WaveOutcome,
  halfLifeHours: number = DEFAULT_HALF_LIFE_HOURS,
  clock: Clock = systemClock,
): Promise<void> {
  await changeFile(getQuotaStatePath(), () => {
    const state = readQuotaState()
    const now = clock.now()
    const entry = addOutcome(decayEntry(state.entries[key], now, halfLifeHours), outcome, now)
    return { ...state, entries: { ...state.entries, [key]: entry } }
  })
}

function decayEntry(
  entry: QuotaStateEntry | undefined,
  now: number,
  halfLifeHours: number,
): QuotaStateEntry {
  const updatedAt = new Date(now).toISOString()
  if (entry === undefined) {
    return { updated_at: updatedAt, levels: {}, cooldown_until: null, last_429_at: null }
  }
  const ageMs = now - Date.parse(entry.updated_at)
  const levels = Object.entries(entry.levels).map(([level, { clean, limited }]) => [
    level,
    {
      clean: decayWeight(clean, ageMs, halfLifeHours),
      limited: decayWeight(limited, ageMs, halfLifeHours),
    },
  ])
  return { ...entry, updated_at: updatedAt, levels: Object.fromEntries(levels) }
}

function addOutcome(entry: QuotaStateEntry, outcome: WaveOutcome, now: number): QuotaStateEntry {
  const level = String(Math.max(1, Math.floor(outcome.concurrency)))
  const { clean, limited } = entry.levels[level] ?? { clean: 0, limited: 0 }
  switch (outcome.outcome) {
    case 'success':
      return { ...entry, levels: { ...entry.levels, [level]: { clean: clean + 1, limited } } }
    case 'rate_limited':
      return {
        ...entry,
        levels: { ...entry.levels, [level]: { clean, limited: limited + 1 } },
        cooldown_until: pickLater(entry.cooldown_until, outcome.cooldown_until ?? null),
        last_429_at: new Date(now).toISOString(),
      }
    case 'timeout':
    case 'error':
      return entry
  }
}

function pickLater(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right
  return Date.parse(left) >= Date.parse(right) ? left : right
}

/** Limits that were found for a model earlier; null when none were. Throws `store-unreadable` or `store-corrupt`. */
export function lookupDiscoveredLimits(key: string): DiscoveredLimits | null {
  return readDiscoveredLimits()[key] ?? null
}

/** Keeps limits that were found for a model; figures that say nothing leave the known ones standing. */
export async function updateDiscoveredLimits(key: string, limits: DiscoveredLimits): Promise<void> {
  await changeFile(getDiscoveredLimitsPath(), () => {
    const entries = readDiscoveredLimits()
    const merged = mergeDiscoveredLimits(limits, entries[key] ?? null)
    return { version: 1, entries: { ...entries, [key]: merged } }
  })
}

/** What the provider states now, with the cached figure wherever it states none. */
export function mergeDiscoveredLimits(
  provider: DiscoveredLimits | null,
  cached: DiscoveredLimits | null,
): DiscoveredLimits {
  const stated = Object.entries(provider ?? {}).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return { ...cached, ...Object.fromEntries(stated) }
}

function readDiscoveredLimits(): Record<string, DiscoveredLimits> {
  const file = readOptionalJsonFile(getDiscoveredLimitsPath(), DiscoveredLimitsFileSchema)
  return (file?.entries ?? {}) as Record<string, DiscoveredLimits>
}

async function changeFile(path: string, change: () => unknown): Promise<void> {
  makeDirectory(join(path, '..'))
  await withFileLock(`${path}.lock`, () => writeJsonFile(path, change()))
}
