import { isJsonObject, type JsonObject } from './documents.ts'
import type { LimitWindow } from './headers/index.ts'
import { readInstant } from './stated-times.ts'
import { addDelay } from './time/index.ts'

interface PlanWindow {
  readonly name: string
  /** Used share, 0 to 1. */
  readonly utilization: number | null
  readonly resetAt: number | null
  readonly perSeconds: number | null
  readonly family?: string
}

const PLAN_SECONDS: Readonly<Record<string, number>> = {
  five_hour: 5 * 3_600,
  seven_day: 7 * 86_400,
}

/** One way in which a report states windows; null when the report is not of that shape. */
type ReportReader = (report: JsonObject, receivedAt: number) => readonly PlanWindow[] | null

const READERS: readonly ReportReader[] = [
  readRateLimits,
  readCodexUsage,
  readModelQuotas,
  readPlanUsage,
]

/**
 * Reads the plan windows of a usage report: Claude Code's status line (`rate_limits`) and usage endpoint, Codex's usage
 * endpoint and Code Assist's model quotas. Percentages come out as fractions; a figure outside 0 to 100 is unknown,
 * so that a source that changes its scale is not misread. Empty for any other document; never throws.
 */
export function readUsageReport(
  report: unknown,
  { receivedAt }: { readonly receivedAt: number },
): LimitWindow[] {
  if (!isJsonObject(report)) return []
  for (const read of READERS) {
    const windows = read(report, receivedAt)
    if (windows !== null) return windows.map(makeWindow)
  }
  return []
}

function makeWindow({ name, utilization, resetAt, perSeconds, family }: PlanWindow): LimitWindow {
  return {
    name,
    kind: 'window',
    unit: 'percent',
    perSeconds,
    limit: null,
    remaining: null,
    resetAt,
    ...(utilization === null ? {} : { utilization }),
    ...(family === undefined ? {} : { family }),
  }
}

/** `rate_limits: { five_hour: { used_percentage, resets_at } }` on the standard input of a status line. */
function readRateLimits(report: JsonObject, receivedAt: number): readonly PlanWindow[] | null {
  const limits = report['rate_limits']
  return isJsonObject(limits) ? listPlanWindows(limits, 'used_percentage', receivedAt) : null
}

/** `five_hour: { utilization, resets_at }` of the subscription's usage endpoint. */
function readPlanUsage(report: JsonObject, receivedAt: number): readonly PlanWindow[] | null {
  return listPlanWindows(report, 'utilization', receivedAt)
}

function listPlanWindows(
  limits: JsonObject,
  percentKey: string,
  receivedAt: number,
): readonly PlanWindow[] {
  return Object.entries(limits).flatMap(([name, window]) => {
    const [, plan, family] = /^(five_hour|seven_day)(?:_(\w{1,30}))?$/.exec(name) ?? []
    if (plan === undefined || !isJsonObject(window)) return []
    return [
      {
        name,
        utilization: readPercent(window[percentKey]),
        resetAt: readInstant(window['resets_at'], receivedAt),
        perSeconds: PLAN_SECONDS[plan] ?? null,
        ...(family === undefined ? {} : { family }),
      },
    ]
  })
}

/** `rate_limit: { primary_window, secondary_window }` of Codex. */
function readCodexUsage(report: JsonObject, receivedAt: number): readonly PlanWindow[] | null {
  const limits = report['rate_limit']
  if (!isJsonObject(limits)) return null
  return ['primary', 'secondary'].flatMap((rank) => {
    const window = limits[`${rank}_window`]
    if (!isJsonObject(window)) return []
    const seconds = readAmount(window['reset_after_seconds'])
    return [
      {
        name: `codex-${rank}`,
        utilization: readPercent(window['used_percent']),
        resetAt:
          seconds === null
            ? readInstant(window['reset_at'], receivedAt)
            : addDelay(receivedAt, seconds * 1_000),
        perSeconds: readAmount(window['limit_window_seconds']),
      },
    ]
  })
}

/** `models: [{ quotaInfo: { remainingFraction, resetTime } }]`, by array or by name. */
function readModelQuotas(report: JsonObject, receivedAt: number): readonly PlanWindow[] | null {
  const { models } = report
  if (typeof models !== 'object' || models === null) return null
  return Object.entries(models).flatMap(([key, model]: [string, unknown]) => {
    if (!isJsonObject(model) || !isJsonObject(model['quotaInfo'])) return []
    const family = readModelName(model) ?? key
    const remaining = readAmount(model['quotaInfo']['remainingFraction'])
    return [
      {
        name: `model-${family}`,
        utilization: remaining === null || remaining > 1 ? null : 1 - remaining,
        resetAt: readInstant(model['quotaInfo']['resetTime'], receivedAt),
        perSeconds: null,
        family,
      },
    ]
  })
}

function readModelName(model: JsonObject): string | undefined {
  return [model['name'], model['model'], model['id']].find((name) => typeof name === 'string')
}

function readPercent(value: unknown): number | null {
  const percent = readAmount(value)
  return percent === null || percent > 100 ? null : percent / 100
}

function readAmount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
