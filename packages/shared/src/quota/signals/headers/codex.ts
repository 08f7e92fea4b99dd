import { addDelay } from '../time/index.ts'
import { type HeaderContext, readResetAt } from './header-context.ts'
import type { HeaderMap } from './header-map.ts'
import { type LimitWindow, parseFigure } from './limit-window.ts'

const WINDOW =
  /^x-codex-(?:([\w-]{1,40})-)?(primary|secondary)-(?:used-percent|window-minutes|reset-at|reset-after-seconds)$/

/**
 * The two plan windows of each limit family of a Codex account. A family of its own carries a name (`x-codex-<family>-
 * limit-name`). Seconds from now are read before the instant, since they need no agreement of clocks.
 */
export function readCodexWindows(headers: HeaderMap, context: HeaderContext): LimitWindow[] {
  const prefixes = new Map<string, { family: string | undefined; rank: string }>()
  for (const name of headers.keys()) {
    const [, family, rank] = WINDOW.exec(name) ?? []
    if (rank === undefined) continue
    const prefix = family === undefined ? `x-codex-${rank}` : `x-codex-${family}-${rank}`
    prefixes.set(prefix, { family, rank })
  }
  const windows = [...prefixes].map(([prefix, { family, rank }]) => {
    const percent = parseFigure(headers.get(`${prefix}-used-percent`))
    const minutes = parseFigure(headers.get(`${prefix}-window-minutes`))
    const limitName = family && (headers.get(`x-codex-${family}-limit-name`) ?? family)
    return {
      name: `codex-${family === undefined ? '' : `${family}-`}${rank}`,
      kind: 'window' as const,
      unit: 'percent' as const,
      perSeconds: minutes === null ? null : minutes * 60,
      limit: null,
      remaining: null,
      resetAt: readCodexReset(prefix, headers, context),
      ...(percent === null ? {} : { utilization: percent / 100 }),
      ...(limitName === undefined ? {} : { family: limitName }),
    }
  })
  return [...windows, ...readCredits(headers)]
}

function readCodexReset(prefix: string, headers: HeaderMap, context: HeaderContext): number | null {
  const seconds = parseFigure(headers.get(`${prefix}-reset-after-seconds`))
  if (seconds !== null) return addDelay(context.receivedAt, seconds * 1_000)
  return readResetAt(headers.get(`${prefix}-reset-at`), context)
}

function readCredits(headers: HeaderMap): LimitWindow[] {
  const hasCredits = headers.get('x-codex-credits-has-credits')?.toLowerCase()
  const isUnlimited = headers.get('x-codex-credits-unlimited')?.toLowerCase() === 'true'
  if (hasCredits === undefined || isUnlimited) return []
  const balance = parseFigure(headers.get('x-codex-credits-balance'))
  return [
    {
      name: 'codex-credits',
      kind: 'budget',
      unit: 'credit',
      perSeconds: null,
      limit: null,
      remaining: hasCredits === 'false' ? 0 : balance,
      resetAt: null,
    },
  ]
}
