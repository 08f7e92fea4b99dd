import { type Constraint, type ConstraintUnit, readFigure } from './constraint.ts'
import {
  type CapacityPool,
  namePoolKeys,
  type QuotaSessionConfig,
  type SourceQuota,
  type SourceWindow,
  type UsageWindow,
} from './pool.ts'
import { lookupModel } from './model-key.ts'
import { readInstant, readWindowLimit, readWindowUse } from './usage-window.ts'

type RateName = Exclude<
  keyof SourceQuota,
  'context_tokens' | 'output_tokens' | 'concurrency' | 'windows'
>

const rateUnits: readonly (readonly [RateName, ConstraintUnit])[] = [
  ['requests_per_minute', 'request'],
  ['tokens_per_minute', 'token'],
  ['input_tokens_per_minute', 'input_token'],
  ['output_tokens_per_minute', 'output_token'],
]

/** The rates, windows and budgets that are known for a pool by itself. */
export function foldLimits(pool: CapacityPool, sessionConfig: QuotaSessionConfig): Constraint[] {
  return [
    ...(pool.constraints ?? []),
    ...foldRates(pool, sessionConfig),
    ...foldWindows(pool, sessionConfig),
    ...foldBudgets(sessionConfig),
  ]
}

/** What a source declares is its account's; what is known of a model is the model's on that account. */
function foldRates(pool: CapacityPool, sessionConfig: QuotaSessionConfig): Constraint[] {
  const { account, accountModel } = namePoolKeys(pool)
  const { quota } = sessionConfig
  const configured = lookupModel(quota?.models, pool.providerName, pool.hostModel)
  const discovered = quota?.enabled === false ? undefined : pool.discoveredLimits
  const share = readUsableShare(sessionConfig)
  return rateUnits.flatMap(([name, unit]): Constraint[] => {
    const rate = { kind: 'rate', unit, perSeconds: 60 } as const
    const declared = readFigure(pool.source?.quota?.[name])
    const modelName = name === 'tokens_per_minute' ? undefined : name
    const ofModel = modelName && readFigure(configured?.[modelName])
    const seen = modelName && readFigure(discovered?.[modelName])
    const known: Constraint[] = []
    if (declared !== undefined) {
      known.push({ ...rate, key: account, limit: declared * share, ...fromUser })
    }
    if (ofModel !== undefined) {
      known.push({ ...rate, key: accountModel, limit: ofModel * share, ...fromUser })
    }
    if (known.length === 0 && seen !== undefined) {
      known.push({ ...rate, key: accountModel, limit: seen * share, ...fromReplies })
    }
    return known
  })
}

const fromUser = { provenance: 'declared', confidence: 'high' } as const
const fromReplies = { provenance: 'observed', confidence: 'medium' } as const

/** The share of a limit that is used: the rest is the margin that the user keeps. */
function readUsableShare({ quota }: QuotaSessionConfig): number {
  return 1 - (quota?.safety_margin ?? 0)
}

function foldWindows(pool: CapacityPool, sessionConfig: QuotaSessionConfig): Constraint[] {
  const { account: key } = namePoolKeys(pool)
  const share = readUsableShare(sessionConfig)
  const declared = (pool.source?.quota?.windows ?? []).map((window) =>
    foldDeclared(key, window, share),
  )
  const seen = (pool.quotaSourceSnapshot?.windows ?? []).map((window) => foldSeen(key, window))
  return [...declared, ...seen].filter((constraint) => constraint !== undefined)
}

function foldDeclared(key: string, window: SourceWindow, share: number): Constraint | undefined {
  const limit = readFigure(window.limit)
  if (limit === undefined) return undefined
  const reset = describeReset(window.per_seconds, window.resets_at)
  return { key, kind: 'window', unit: window.unit, limit: limit * share, ...reset, ...fromUser }
}

function foldSeen(key: string, window: UsageWindow): Constraint | undefined {
  const limit = readWindowLimit(window)
  const used = readWindowUse(window)
  if (limit === undefined || used === undefined) return undefined
  const reset = describeReset(window.period_seconds, window.resets_at)
  return { key, kind: 'window', unit: window.unit, limit, ...reset, used, ...fromReplies }
}

function describeReset(
  perSeconds: number | null | undefined,
  resetsAt: string | null | undefined,
): Pick<Constraint, 'perSeconds' | 'resetsAt'> {
  const period = readFigure(perSeconds)
  const at = readInstant(resetsAt)
  return {
    ...(period === undefined ? {} : { perSeconds: period }),
    ...(at === undefined ? {} : { resetsAt: at }),
  }
}

function foldBudgets({ budget }: QuotaSessionConfig): Constraint[] {
  const figures: [ConstraintUnit, number | undefined][] = [
    ['usd', budget?.usd],
    ['token', budget?.tokens],
  ]
  return figures.flatMap(([unit, limit]): Constraint[] =>
    limit === undefined ? [] : [{ key: 'run', kind: 'budget', unit, limit, ...fromUser }],
  )
}
