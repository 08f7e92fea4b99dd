import type { Confidence } from '../constraint.ts'
import { LONG_WAIT_MS } from './cli-events.ts'
import type { Evidence } from './evidence.ts'
import type { LimitRule } from './grammar.ts'
import { isExhausted, type LimitWindow } from './headers/index.ts'
import type { SignalSource } from './signal.ts'
import { findCalendarEnd, findResets, type ResetForm } from './time/index.ts'

/** When a limit ends and how that is known. */
export interface LimitEnd {
  readonly at: number
  readonly source: SignalSource
  readonly confidence: Confidence
}

/** Every time that a failure states, as one list of ends still to come. */
interface StatedEnds {
  readonly ends: readonly LimitEnd[]
  /** Whether a wait of nothing was stated: the limit is over already. */
  readonly hasZeroWait: boolean
}

interface EndContext {
  readonly now: number
  readonly timeZone: string | undefined
  readonly rule: LimitRule | undefined
}

/**
 * Lists the stated ends. A time of day in prose gives way to any exact time, since its day and zone are inferred, and a
 * date gives way to a field of the body; a wait in words stands beside them.
 */
export function listStatedEnds(evidence: Evidence, context: EndContext): StatedEnds {
  const { now, timeZone, rule } = context
  const exact: LimitEnd[] = [
    ...[...evidence.times, ...evidence.events].flatMap((time) => makeEnd(time, 'body')),
    ...evidence.windows.flatMap((window) =>
      window.kind === 'retry_after' ? makeEnd({ until: window.resetAt }, 'retry_after') : [],
    ),
  ]
  const prose = findResets(evidence.text, { now, timeZone })
  const hidden = hideForms(exact.filter((end) => end.at > now))
  const words = prose
    .filter(({ source }) => !hidden.has(source))
    .map(({ at, confidence }): LimitEnd => ({ at, source: 'prose', confidence }))
  const all = [...exact, ...words]
  const minWaitMs = rule?.minWaitMs ?? 1
  return {
    ends: all.filter((end) => end.at - now >= minWaitMs),
    hasZeroWait: all.some((end) => end.at === now),
  }
}

function makeEnd(
  time: { at: number } | { until: number | null },
  source: SignalSource,
): LimitEnd[] {
  const at = 'at' in time ? time.at : time.until
  return at === null ? [] : [{ at, source, confidence: 'high' }]
}

function hideForms(exact: readonly LimitEnd[]): ReadonlySet<ResetForm> {
  if (exact.some((end) => end.source === 'body')) return new Set(['clock', 'date'])
  return exact.length > 0 ? new Set(['clock']) : new Set()
}

/** The later of two ends: a hint may lengthen a wait, never shorten it. */
export function pickLatestEnd(ends: readonly LimitEnd[]): LimitEnd | null {
  let latest: LimitEnd | null = null
  for (const end of ends) if (latest === null || end.at > latest.at) latest = end
  return latest
}

/**
 * Ends that headers imply: resets of the windows of which nothing is left, or, where none says how much is left, of all.
 */
export function listWindowEnds(windows: readonly LimitWindow[], now: number): readonly LimitEnd[] {
  const limits = windows.filter(({ kind }) => kind === 'rate' || kind === 'window')
  const exhausted = limits.filter(isExhausted)
  const blamed = exhausted.length > 0 ? exhausted : limits.filter((window) => isSilent(window))
  return blamed.flatMap(({ resetAt }) =>
    resetAt !== null && resetAt > now
      ? [{ at: resetAt, source: 'limit_headers' as const, confidence: 'medium' as const }]
      : [],
  )
}

function isSilent({ remaining, utilization, status }: LimitWindow): boolean {
  return remaining === null && utilization === undefined && status === undefined
}

/** The end by the provider's documented calendar. */
export function findDocumentedEnd(rule: LimitRule | undefined, now: number): LimitEnd | null {
  if (rule?.endsWith === undefined) return null
  const at = findCalendarEnd(rule.endsWith.period, { now, timeZone: rule.endsWith.timeZone })
  return { at, source: 'calendar', confidence: 'medium' }
}

/** Whether a stated wait is too long for a limit of a minute. */
export function isLongWait(end: LimitEnd | null, now: number): boolean {
  return end !== null && end.source !== 'limit_headers' && end.at - now > LONG_WAIT_MS
}
