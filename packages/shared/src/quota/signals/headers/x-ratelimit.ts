import type { ConstraintUnit } from '../../constraint.ts'
import { type HeaderContext, PERIOD_SECONDS, readResetAt, readUnit } from './header-context.ts'
import type { HeaderMap } from './header-map.ts'
import {
  type LimitWindow,
  parseFigure,
  parseLimit,
  parseRemaining,
  pickKind,
} from './limit-window.ts'

const NAMED = /^x-ratelimit-(limit|remaining|reset)-([a-z][a-z0-9_-]{1,60})$/
const SIZED = /^x-ratelimitbysize-(limit|remaining)-(minute|hour|day|month)$/
const PERIOD = /-(second|minute|hour|day|week|month)$/

/** Groq writes OpenAI's names but counts requests per day (console.groq.com/docs/rate-limits). */
const REQUEST_PERIOD: Readonly<Record<string, number>> = { groq: 86_400 }

interface Figures {
  limit?: string
  remaining?: string
  reset?: string
}

/**
 * `x-ratelimit-{limit,remaining,reset}-{requests,tokens,...}` of OpenAI and those that copy it, with a period in the
 * name where Mistral, Cerebras and others put one. A name without a period means a minute, unless the provider's
 * table says otherwise. `reset` is when the bucket is full again.
 */
export function readNamedRates(headers: HeaderMap, context: HeaderContext): LimitWindow[] {
  const windows: LimitWindow[] = []
  for (const [name, figures] of groupFigures(headers)) {
    const window = makeNamedWindow(name, figures, context)
    if (window !== null) windows.push(window)
  }
  const charged = parseFigure(headers.get('x-ratelimit-tokens-query-cost'))
  return charged === null
    ? windows
    : windows.map((window) => (window.unit === 'token' ? { ...window, charged } : window))
}

function groupFigures(headers: HeaderMap): ReadonlyMap<string, Figures> {
  const groups = new Map<string, Figures>()
  for (const [header, value] of headers) {
    const [, figure, name] = NAMED.exec(header) ?? []
    if (figure === undefined || name === undefined) continue
    const figures = groups.get(name) ?? {}
    figures[figure as keyof Figures] = value
    groups.set(name, figures)
  }
  return groups
}

function makeNamedWindow(
  name: string,
  figures: Figures,
  context: HeaderContext,
): LimitWindow | null {
  const plain = name.replaceAll('_', '-').replace(/-usage-based$/, '')
  const period = PERIOD.exec(plain)?.[1]
  const unit = readUnit(plain.replace(PERIOD, ''))
  if (unit === null) return null
  const perSeconds = period === undefined ? pickPeriod(unit, context) : PERIOD_SECONDS[period]
  return makeWindow(name, unit, perSeconds ?? null, {
    figures,
    context,
  })
}

function pickPeriod(unit: ConstraintUnit, { provider }: HeaderContext): number {
  const special =
    unit === 'request' && provider !== undefined ? REQUEST_PERIOD[provider] : undefined
  return special ?? 60
}

function makeWindow(
  name: string,
  unit: ConstraintUnit,
  perSeconds: number | null,
  { figures, context }: { figures: Figures; context: HeaderContext },
): LimitWindow {
  return {
    name,
    kind: pickKind(perSeconds),
    unit,
    perSeconds,
    limit: parseLimit(figures.limit),
    remaining: parseRemaining(figures.remaining, figures.limit),
    resetAt: readResetAt(figures.reset, context),
  }
}

/** Mistral's older token windows: `x-ratelimitbysize-*` with one reset for the minute. */
export function readSizedRates(headers: HeaderMap, context: HeaderContext): LimitWindow[] {
  const groups = new Map<string, Figures>()
  for (const [header, value] of headers) {
    const [, figure, period] = SIZED.exec(header) ?? []
    if (figure === undefined || period === undefined) continue
    const figures = groups.get(period) ?? {}
    figures[figure as keyof Figures] = value
    groups.set(period, figures)
  }
  const reset = headers.get('ratelimitbysize-reset')
  return [...groups].map(([period, figures]) =>
    makeWindow(`tokens-by-size-${period}`, 'token', PERIOD_SECONDS[period] ?? null, {
      figures: period === 'minute' && reset !== undefined ? { ...figures, reset } : figures,
      context,
    }),
  )
}

/**
 * `X-RateLimit-{Limit,Remaining,Reset}` as many send them: requests in a window of unstated length. The reset is
 * seconds, epoch seconds, epoch milliseconds or RFC 3339, told apart by magnitude.
 */
export function readPlainRate(headers: HeaderMap, context: HeaderContext): LimitWindow[] {
  const limit = headers.get('x-ratelimit-limit')
  const remaining = headers.get('x-ratelimit-remaining')
  const reset = headers.get('x-ratelimit-reset')
  if (limit === undefined && remaining === undefined && reset === undefined) return []
  const figures = {
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset === undefined ? {} : { reset }),
  }
  return [makeWindow('x-ratelimit', 'request', null, { figures, context })]
}
