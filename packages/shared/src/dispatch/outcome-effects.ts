import type { OutcomeClass } from '../providers/index.ts'
import type { Verdict } from '../quota/index.ts'
import type { SettleCause } from './events.ts'

/** What a class of outcome means, for limits, for the pool and for the work item. */
export interface OutcomeEffect {
  /** What the provider's admission of the call says about its limits. */
  readonly verdict: Verdict
  /** What the call used when nobody says: as much as was reserved, a turned-away call, or nothing. */
  readonly unreportedUse: 'as_reserved' | 'turned_away' | 'nothing'
  /** How the limited key rests, and whose key it is unless the outcome names one. */
  readonly rest?: { readonly state: 'cooling' | 'parked'; readonly scope: 'account' | 'endpoint' }
  /** Closes the pool, or all pools of its account, for the run. */
  readonly settles?: { readonly cause: SettleCause; readonly whole: 'pool' | 'account' }
  readonly item: 'done' | 'requeue' | 'resize' | 'ask_another' | 'retry' | 'release'
}

const turnedAway = { verdict: 'neutral', unreportedUse: 'turned_away', item: 'requeue' } as const
const limited = { verdict: 'limited', unreportedUse: 'turned_away', item: 'requeue' } as const
const failed = { verdict: 'neutral', unreportedUse: 'as_reserved', item: 'retry' } as const

/** Only money, access and a missing model settle a pool; every limit comes back by itself. */
export const outcomeEffects = {
  ok: { verdict: 'clean', unreportedUse: 'as_reserved', item: 'done' },
  throttle: { ...limited, rest: { state: 'cooling', scope: 'account' } },
  window: { ...limited, rest: { state: 'parked', scope: 'account' } },
  day: { ...limited, rest: { state: 'parked', scope: 'account' } },
  overload: { ...limited, rest: { state: 'cooling', scope: 'endpoint' } },
  credit: { ...turnedAway, settles: { cause: 'credit', whole: 'account' } },
  auth: { ...turnedAway, settles: { cause: 'auth', whole: 'pool' } },
  model_gone: { ...turnedAway, settles: { cause: 'model_gone', whole: 'pool' } },
  too_large: { ...turnedAway, item: 'resize' },
  refused: { verdict: 'clean', unreportedUse: 'as_reserved', item: 'ask_another' },
  bad_output: { ...failed, verdict: 'clean' },
  timeout: failed,
  crash: failed,
  transient: failed,
  spawn_failed: { ...failed, unreportedUse: 'nothing' },
  cancelled: { ...failed, item: 'release' },
} as const satisfies Record<OutcomeClass, OutcomeEffect>
