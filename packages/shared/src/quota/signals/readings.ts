import type { Confidence } from '../constraint.ts'
import type { Evidence } from './evidence.ts'
import { isExhausted } from './headers/index.ts'
import { matchRules, type RuleMatch } from './read-rules.ts'
import type { FailureKind, SignalScope, SignalSource } from './signal.ts'
import { classifyProseStatus, classifyStatus } from './status.ts'
import { DAY_MS } from './time/index.ts'

/** One answer to what a failure is. */
export interface Reading {
  readonly kind: FailureKind
  readonly rank: Rank
  readonly source: SignalSource
  readonly confidence: Confidence
  readonly scope?: SignalScope | undefined
  readonly family?: string | undefined
  /** The rule that gave it, where one did. */
  readonly match?: RuleMatch
}

/**
 * What outweighs what. Evidence that names its limit stands over evidence that only says that there is one; within
 * each, fields stand over headers and headers over prose.
 */
const Rank = {
  Nothing: 0,
  Status: 1,
  GenericProse: 2,
  GenericHeaders: 3,
  GenericBody: 4,
  SpecificProse: 5,
  SpecificHeaders: 6,
  SpecificBody: 7,
  Event: 8,
} as const
type Rank = (typeof Rank)[keyof typeof Rank]

/** The answer that outweighs the others. */
export function pickReading(evidence: Evidence, provider: string | undefined): Reading {
  const readings = [
    ...readEvents(evidence),
    ...readMatches(evidence, provider),
    ...readWindows(evidence),
    ...readStatuses(evidence),
    readNothing(evidence),
  ]
  return readings.reduce((best, reading) => (reading.rank > best.rank ? reading : best))
}

/** Fields of an event are the most trusted; an event about a window that is open says nothing of the failure. */
function readEvents(evidence: Evidence): readonly Reading[] {
  return evidence.events
    .filter(({ kind }) => kind !== 'none')
    .map(({ kind, scope, family }) => ({
      kind,
      scope,
      family,
      rank: kind === 'window' ? Rank.Event : Rank.GenericBody,
      source: 'body',
      confidence: 'high',
    }))
}

function readMatches(evidence: Evidence, provider: string | undefined): readonly Reading[] {
  const { specific, generic } = matchRules(evidence, provider)
  return [specific, generic].flatMap((match) =>
    match === undefined ? [] : [makeReading(match, generic)],
  )
}

function makeReading(match: RuleMatch, generic: RuleMatch | undefined): Reading {
  const { rule, source, family } = match
  const isFirm = source === 'body' || rule.isDecisive === true
  const isGeneric = rule.isGeneric === true
  // A rate's rule that names no scope takes the one that the provider's bare code has.
  const isRate = rule.kind === 'throttle' || rule.kind === 'day'
  const borrowed = isRate && generic?.rule.kind === 'throttle' ? generic.rule.scope : undefined
  return {
    kind: rule.kind,
    rank: isGeneric
      ? isFirm
        ? Rank.GenericBody
        : Rank.GenericProse
      : isFirm
        ? Rank.SpecificBody
        : Rank.SpecificProse,
    source,
    confidence: isFirm && !isGeneric ? 'high' : 'medium',
    scope: rule.scope ?? borrowed,
    family,
    match,
  }
}

/** Headers are evidence of a limit only on a refusal: a success may well use up the last of a window. */
function readWindows({ status, windows }: Evidence): readonly Reading[] {
  if (status !== undefined && (status < 400 || status >= 500)) return []
  const exhausted = windows.filter(isExhausted)
  const plan = exhausted.filter(({ kind }) => kind === 'window')
  if (plan.length > 0) {
    const isDay = plan.every(({ perSeconds }) => perSeconds === DAY_MS / 1_000)
    const isForFamily = plan.every(({ family }) => family !== undefined)
    return [
      {
        kind: isDay ? 'day' : 'window',
        rank: Rank.SpecificHeaders,
        source: 'limit_headers',
        confidence: 'high',
        scope: isForFamily ? 'model' : 'account',
        family: isForFamily ? plan[0]?.family : undefined,
      },
    ]
  }
  const isLimited =
    exhausted.some(({ kind }) => kind === 'rate') ||
    (status === undefined && windows.some(({ kind }) => kind === 'retry_after'))
  return isLimited
    ? [
        {
          kind: 'throttle',
          rank: Rank.GenericHeaders,
          source: 'limit_headers',
          confidence: 'medium',
        },
      ]
    : []
}

function readStatuses({ status, proseStatus }: Evidence): readonly Reading[] {
  const kind = status === undefined ? classifyProseStatus(proseStatus) : classifyStatus(status)
  if (kind === undefined) return []
  const confidence = status === undefined ? 'low' : 'medium'
  return [{ kind, rank: Rank.Status, source: 'status', confidence }]
}

const LIMIT_WORDS = [
  /\b(?:quota|(?:rate|usage|request|token|plan|session|weekly|daily|monthly|hourly)[- _]?limits?)\b[^\n]{0,60}\b(?:reached|exceeded|hit|exhausted|used up|over)\b/i,
  /\b(?:reached|exceeded|hit|exhausted|used up|over)\b[^\n]{0,60}\b(?:quota|(?:rate|usage|request|token|plan|session|weekly|daily|monthly|hourly)[- _]?limits?)\b/i,
  /\byour (?:limit|quota) (?:will )?resets?\b/i,
]
const LIMIT_CODE = /quota|limit_/i

/** Words that look like a limit are kept as unknown; anything else is not about limits. */
function readNothing({ text, codes, proseCodes }: Evidence): Reading {
  const looksLimited =
    LIMIT_WORDS.some((words) => words.test(text)) ||
    [...codes, ...proseCodes].some((code) => LIMIT_CODE.test(code))
  return looksLimited
    ? { kind: 'unknown', rank: Rank.Nothing, source: 'prose', confidence: 'low' }
    : { kind: 'none', rank: Rank.Nothing, source: 'none', confidence: 'medium' }
}
