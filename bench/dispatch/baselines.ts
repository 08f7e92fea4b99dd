import type { DispatchPolicy, VisiblePool } from '../../packages/shared/src/simulator/index.ts'
import {
  type BaselinePool,
  createRollingBaseline,
  estimateItem,
  type StartRule,
} from './rolling-baseline.ts'

/** Calls that run at once on a pool whose own cap nobody states. */
const DEFAULT_CONCURRENCY = 8

/** So few that a rate binds first. */
const RESERVOIR_CONCURRENCY = 64

/** So many are sent at once by waves. */
const WAVE_SIZE = 8

const MINUTE_MS = 60_000

function readCap({ concurrency }: VisiblePool, otherwise: number): number {
  return concurrency ?? otherwise
}

/** A fixed number at once, as a `p-limit` around each provider's client does. */
function limitConcurrency(): StartRule {
  return { mayStart: ({ pool, inFlight }) => inFlight < readCap(pool, DEFAULT_CONCURRENCY) }
}

/** A wave on each pool, and no next one before the last call of this one has ended. */
function sendWaves(): StartRule {
  const left = new Map<string, number>()
  return {
    mayStart({ pool, inFlight }) {
      const rest = inFlight === 0 ? readCap(pool, WAVE_SIZE) : (left.get(pool.id) ?? 0)
      if (rest === 0) return false
      left.set(pool.id, rest - 1)
      return true
    },
  }
}

interface Reservoir {
  refilledAt: number
  readonly left: Map<string, number>
}

/** A reservoir per account that is filled with the declared figures once a minute. */
function drawFromReservoir(): StartRule {
  const reservoirs = new Map<string, Reservoir>()
  return {
    mayStart({ pool, inFlight }, item, now) {
      const most = pool.known === null ? DEFAULT_CONCURRENCY : RESERVOIR_CONCURRENCY
      if (inFlight >= readCap(pool, most)) return false
      const limits = Object.entries(pool.known ?? {})
      const reservoir = openReservoir(reservoirs, pool, now)
      const { inputTokens, outputTokens, maxOutputTokens } = estimateItem(pool, item)
      const output = pool.headers === 'openai' ? maxOutputTokens : outputTokens
      const costs: Record<string, number> = {
        requests_per_minute: 1,
        input_tokens_per_minute: inputTokens,
        output_tokens_per_minute: output,
        tokens_per_minute: inputTokens + output,
      }
      const fits = limits.every(
        ([name, limit]) => (reservoir.left.get(name) ?? 0) >= Math.min(limit, costs[name] ?? 0),
      )
      if (!fits) return false
      for (const [name] of limits) {
        reservoir.left.set(name, (reservoir.left.get(name) ?? 0) - (costs[name] ?? 0))
      }
      return true
    },
  }
}

function openReservoir(
  reservoirs: Map<string, Reservoir>,
  { account, known }: VisiblePool,
  now: number,
): Reservoir {
  const open = reservoirs.get(account)
  if (open !== undefined && now - open.refilledAt < MINUTE_MS) return open
  const fresh = { refilledAt: now, left: new Map<string, number>(Object.entries(known ?? {})) }
  reservoirs.set(account, fresh)
  return fresh
}

/** One more at once per answer, half as many per rejection. */
function adaptConcurrency(): StartRule {
  const windows = new Map<string, number>()
  const readWindow = ({ pool }: BaselinePool): number => windows.get(pool.id) ?? 2
  return {
    mayStart: (entry) =>
      entry.inFlight <
      Math.min(Math.floor(readWindow(entry)), readCap(entry.pool, RESERVOIR_CONCURRENCY)),
    noteEnd(entry, outcome) {
      const window = readWindow(entry)
      if (outcome.class === 'ok') windows.set(entry.pool.id, window + 1 / window)
      if (outcome.class === 'throttle' || outcome.class === 'window') {
        windows.set(entry.pool.id, Math.max(1, window / 2))
      }
    },
  }
}

/** What others do. Parameters are their usual ones. */
export const baselines: readonly DispatchPolicy[] = [
  createRollingBaseline('fixed-waves', sendWaves),
  createRollingBaseline('p-limit', limitConcurrency),
  createRollingBaseline('reservoir', drawFromReservoir),
  createRollingBaseline('aimd', adaptConcurrency),
]
