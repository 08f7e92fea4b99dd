import { isJsonObject, type JsonObject } from './documents.ts'
import { type LimitWindow, readStatus } from './headers/index.ts'
import type { FailureKind, SignalScope } from './signal.ts'
import { readInstant } from './stated-times.ts'

/** What an event of a CLI says about limits by its own fields. */
export interface EventReading {
  readonly kind: Extract<FailureKind, 'window' | 'throttle' | 'none'>
  readonly scope: SignalScope
  /** Epoch milliseconds; null when the event states none. */
  readonly until: number | null
  readonly family?: string
  readonly windows: readonly LimitWindow[]
}

/** A wait this long is a closed window, whatever it is called. */
export const LONG_WAIT_MS = 600_000

/** Reads an event that states limits in fields of its own; undefined for any other document. */
export function readCliEvent(document: JsonObject, now: number): EventReading | undefined {
  return readRateLimitEvent(document, now) ?? readRetryStatus(document, now)
}

/** Claude Code's `rate_limit_event`. Only `rejected` is a limit; the other statuses report how full the windows are. */
function readRateLimitEvent(document: JsonObject, now: number): EventReading | undefined {
  const info = document['rate_limit_info']
  if (document['type'] !== 'rate_limit_event' || !isJsonObject(info)) return undefined
  const windows = readEventWindows(info, now)
  if (info['status'] !== 'rejected') return { kind: 'none', scope: 'item', until: null, windows }
  const resets = windows.filter(
    (window) => window.status === 'rejected' || (window.utilization ?? 0) >= 1,
  )
  const until = Math.max(...resets.map((window) => window.resetAt ?? 0))
  const family = /^seven_day_(\w{1,30})$/.exec(readName(info['rateLimitType']))?.[1]
  return {
    kind: 'window',
    scope: family === undefined ? 'account' : 'model',
    until: until > 0 ? until : null,
    ...(family === undefined ? {} : { family }),
    windows,
  }
}

function readName(value: unknown): string {
  return typeof value === 'string' ? value : 'plan'
}

const WINDOW_SECONDS: Readonly<Record<string, number>> = {
  five_hour: 5 * 3_600,
  seven_day: 7 * 86_400,
}

/** The windows of an event: the one that it is about, and the plan's two where the event lists them. */
function readEventWindows(info: JsonObject, now: number): LimitWindow[] {
  const name = readName(info['rateLimitType'])
  const reset =
    name === 'overage' ? (info['overageResetsAt'] ?? info['resetsAt']) : info['resetsAt']
  const status = readStatus(typeof info['status'] === 'string' ? info['status'] : undefined)
  const own = makePlanWindow(name, { utilization: info['utilization'], resetsAt: reset }, now)
  const unified = isJsonObject(info['unifiedWindows']) ? info['unifiedWindows'] : {}
  const others = Object.entries(unified).flatMap(([other, window]) =>
    other !== name && isJsonObject(window) ? [makePlanWindow(other, window, now)] : [],
  )
  return [status === undefined ? own : { ...own, status }, ...others]
}

function makePlanWindow(name: string, window: JsonObject, now: number): LimitWindow {
  const family = /^(?:five_hour|seven_day)_(\w{1,30})$/.exec(name)?.[1]
  const { utilization } = window
  return {
    name,
    kind: 'window',
    unit: 'percent',
    perSeconds: WINDOW_SECONDS[/^(?:five_hour|seven_day)/.exec(name)?.[0] ?? ''] ?? null,
    limit: null,
    remaining: null,
    resetAt: readInstant(window['resetsAt'], now),
    ...(typeof utilization === 'number' && utilization >= 0 ? { utilization } : {}),
    ...(family === undefined ? {} : { family }),
  }
}

/**
 * OpenCode's `session.status` of type `retry`: the CLI waits inside and never gives up, so a long wait is a limit that
 * the caller must end the process for.
 */
function readRetryStatus(document: JsonObject, now: number): EventReading | undefined {
  const retry = findRetry(document)
  if (retry === undefined) {
    if (document['type'] !== 'session.status') return undefined
    return { kind: 'none', scope: 'item', until: null, windows: [] }
  }
  const until = readInstant(retry['next'], now)
  const kind = until !== null && until - now > LONG_WAIT_MS ? 'window' : 'throttle'
  return { kind, scope: kind === 'window' ? 'account' : 'pool', until, windows: [] }
}

function findRetry(document: JsonObject): JsonObject | undefined {
  const properties = isJsonObject(document['properties']) ? document['properties'] : document
  const status = isJsonObject(properties['status']) ? properties['status'] : properties
  return status['type'] === 'retry' && status['next'] !== undefined ? status : undefined
}
