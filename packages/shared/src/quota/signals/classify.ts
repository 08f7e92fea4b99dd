import type { Confidence } from '../constraint.ts'
import { type Evidence, type FailureInput, gatherEvidence } from './evidence.ts'
import { isExhausted, type LimitWindow } from './headers/index.ts'
import { isWholeNotice } from './notice.ts'
import { observeLimits } from './observe.ts'
import {
  findDocumentedEnd,
  isLongWait,
  type LimitEnd,
  listStatedEnds,
  listWindowEnds,
  pickLatestEnd,
} from './pick-end.ts'
import { findGrammar, matchRules, type RuleMatch } from './read-rules.ts'
import type {
  FailureKind,
  FailureSignal,
  ObservedLimits,
  SignalScope,
  SignalSource,
} from './signal.ts'
import { classifyProseStatus, classifyStatus } from './status.ts'
import { DAY_MS } from './time/index.ts'

/** What a kind is usually about. */
const SCOPES: Readonly<Record<FailureKind, SignalScope>> = {
  throttle: 'pool',
  window: 'account',
  day: 'account',
  credit: 'account',
  auth: 'account',
  model_gone: 'model',
  overload: 'endpoint',
  too_large: 'item',
  refused: 'item',
  timeout: 'endpoint',
  transient: 'endpoint',
  none: 'item',
  unknown: 'pool',
}

/** Kinds that waiting can end. */
const WAITING: ReadonlySet<FailureKind> = new Set([
  'throttle',
  'window',
  'day',
  'overload',
  'timeout',
  'transient',
  'unknown',
])

/** Stated waits beyond this are windows, to be tested now and then. */
const MAX_SHORT_MS = 35 * DAY_MS

/** One answer to what the failure is; of several, the one of the highest rank stands. */
interface Reading {
  readonly kind: FailureKind
  readonly rank: number
  readonly source: SignalSource
  readonly confidence: Confidence
  readonly scope?: SignalScope | undefined
  readonly family?: string | undefined
  readonly match?: RuleMatch
}

/**
 * Says which limit, if any, a failure shows, when it ends and whom it concerns. Fields of bodies and events beat
 * headers, headers beat prose, and whatever names its limit beats what only says that there is one. Of several stated
 * times the latest counts, exactly as stated. Unknown wording never becomes `credit`, `auth` or `model_gone`. What a
 * worker handed back (`result`) is read only when it is a limit notice and nothing else. Pure; never throws.
 */
export function classifyFailure(input: FailureInput): FailureSignal {
  if (input.channel === 'result') return classifyResult(input)
  const evidence = gatherEvidence(input)
  const signal = describe(pickReading(evidence, input), evidence, input)
  return input.channel === 'log' ? { ...signal, confidence: lower(signal.confidence) } : signal
}

function classifyResult(input: FailureInput): FailureSignal {
  if (!isWholeNotice(input.text ?? '')) return NO_FAILURE
  const { text, provider, now, timeZone } = input
  return classifyFailure({ text, provider, now, timeZone, channel: 'error' })
}

const NO_FAILURE: FailureSignal = {
  kind: 'none',
  until: null,
  scope: 'item',
  source: 'none',
  confidence: 'high',
}

function pickReading(evidence: Evidence, input: FailureInput): Reading {
  const readings = [
    ...readEvents(evidence),
    ...readMatches(evidence, input.provider),
    ...readWindows(evidence),
    ...readStatuses(evidence),
  ]
  let best: Reading | undefined
  for (const reading of readings) {
    if (best === undefined || reading.rank > best.rank) best = reading
  }
  return best ?? readNothing(evidence)
}

/** Fields of an event are the most trusted; that a window is open settles nothing by itself. */
function readEvents(evidence: Evidence): readonly Reading[] {
  return evidence.events.flatMap(({ kind, scope, family }) =>
    kind === 'none'
      ? []
      : [
          {
            kind,
            scope,
            family,
            rank: kind === 'window' ? 8 : 4,
            source: 'body',
            confidence: 'high',
          },
        ],
  )
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
  // A rate's rule that names no scope takes the one that the provider's bare code has.
  const isRate = rule.kind === 'throttle' || rule.kind === 'day'
  const borrowed = isRate && generic?.rule.kind === 'throttle' ? generic.rule.scope : undefined
  return {
    kind: rule.kind,
    rank: (rule.isGeneric === true ? 1 : 5) + (isFirm ? 2 : 0),
    source,
    confidence: isFirm && rule.isGeneric !== true ? 'high' : 'medium',
    scope: rule.scope ?? borrowed,
    family,
    match,
  }
}

/** Headers are evidence of a limit only on a refusal: a success may well use up the last of a window. */
function readWindows(evidence: Evidence): readonly Reading[] {
  const { status, windows } = evidence
  if (status !== undefined && (status < 400 || status >= 500)) return []
  const exhausted = windows.filter(isExhausted)
  const plan = exhausted.filter(({ kind }) => kind === 'window')
  if (plan.length > 0) {
    const isDay = plan.every(({ perSeconds }) => perSeconds === DAY_MS / 1_000)
    const scope = plan.every(({ family }) => family !== undefined) ? 'model' : 'account'
    const family = scope === 'model' ? plan[0]?.family : undefined
    const kind = isDay ? 'day' : 'window'
    return [{ kind, rank: 6, source: 'limit_headers', confidence: 'high', scope, family }]
  }
  const isLimited =
    exhausted.some(({ kind }) => kind === 'rate') ||
    (status === undefined && windows.some(({ kind }) => kind === 'retry_after'))
  return isLimited
    ? [{ kind: 'throttle', rank: 2, source: 'limit_headers', confidence: 'medium' }]
    : []
}

function readStatuses({ status, proseStatus }: Evidence): readonly Reading[] {
  const kind = status === undefined ? classifyProseStatus(proseStatus) : classifyStatus(status)
  if (kind === undefined) return []
  return [{ kind, rank: 0, source: 'status', confidence: status === undefined ? 'low' : 'medium' }]
}

const LIMIT_WORDS =
  /\byour (?:limit|quota) (?:will )?resets?\b|\b(?:quota|(?:rate|usage|request|token|plan|session|weekly|daily|monthly|hourly)[- _]?limits?)\b[^\n]{0,60}\b(?:reached|exceeded|hit|exhausted|used up|over)\b|\b(?:reached|exceeded|hit|exhausted|used up|over)\b[^\n]{0,60}\b(?:quota|(?:rate|usage|request|token|plan|session|weekly|daily|monthly|hourly)[- _]?limits?)\b/i

/** Words that look like a limit are kept as unknown; anything else is not about limits. */
function readNothing({ text, codes, proseCodes }: Evidence): Reading {
  const looksLimited =
    LIMIT_WORDS.test(text) || [...codes, ...proseCodes].some((code) => /quota|limit_/i.test(code))
  return looksLimited
    ? { kind: 'unknown', rank: 0, source: 'prose', confidence: 'low' }
    : { kind: 'none', rank: 0, source: 'none', confidence: 'medium' }
}

function describe(reading: Reading, evidence: Evidence, input: FailureInput): FailureSignal {
  const { now } = input
  const rule = reading.match?.rule
  const grammar = reading.match?.grammar ?? findGrammar(input.provider)
  const timeZone = grammar?.timeZone ?? input.timeZone
  const stated = listStatedEnds(evidence, { now, timeZone, rule })
  const windowEnds = listWindowEnds(evidence.windows, now)
  const observed = observe(reading, evidence)
  const kind = refineKind(reading, observed, stated.ends.length + windowEnds.length > 0)
  if (!WAITING.has(kind))
    return finish(kind, findDocumentedEnd(rule, now), { reading, observed, evidence })
  const isPlan = kind === 'window' || kind === 'day'
  const end =
    pickLatestEnd(isPlan ? [...stated.ends, ...windowEnds] : stated.ends) ??
    pickLatestEnd(windowEnds) ??
    findDocumentedEnd(rule, now)
  const sane = mendEnd(end, kind, grammar?.mistakenWait, now)
  return finish(refineByWait(kind, sane, stated.hasZeroWait, { now, observed }), sane, {
    reading,
    observed,
    evidence,
  })
}

/** What the words and figures say beyond the kind: a notice with an end is no bill, a request above the limit never fits. */
function refineKind(reading: Reading, observed: ObservedLimits, hasEnd: boolean): FailureKind {
  const later = reading.match?.rule.kindWithReset
  if (later !== undefined && hasEnd) return later
  const { limit, requested, dimension } = observed
  const isAbove = limit !== undefined && requested !== undefined && requested > limit
  return reading.kind === 'throttle' && isAbove && dimension !== 'request'
    ? 'too_large'
    : reading.kind
}

/** A throttle that lasts is a window; a window of no length is a throttle. */
function refineByWait(
  kind: FailureKind,
  end: LimitEnd | null,
  hasZeroWait: boolean,
  { now, observed }: { now: number; observed: ObservedLimits },
): FailureKind {
  if (kind === 'window' && end === null && hasZeroWait) return 'throttle'
  if (end === null || (kind !== 'throttle' && kind !== 'day')) return kind
  if (end.at - now > MAX_SHORT_MS) return 'window'
  if (kind === 'day' || end.source === 'retry_after' || !isLongWait(end, now)) return kind
  return observed.perSeconds === DAY_MS / 1_000 ? 'day' : 'window'
}

/** Replaces a wait that a provider is known to send by mistake for a limit of a minute. */
function mendEnd(
  end: LimitEnd | null,
  kind: FailureKind,
  mistaken: { atLeastMs: number; insteadMs: number } | undefined,
  now: number,
): LimitEnd | null {
  const isMistake =
    mistaken !== undefined &&
    kind === 'throttle' &&
    end !== null &&
    end.at - now >= mistaken.atLeastMs
  return isMistake ? { ...end, at: now + mistaken.insteadMs, confidence: 'low' } : end
}

interface Findings {
  readonly reading: Reading
  readonly observed: ObservedLimits
  readonly evidence: Evidence
}

function finish(kind: FailureKind, end: LimitEnd | null, findings: Findings): FailureSignal {
  const { reading, observed, evidence } = findings
  const scope = kind === 'too_large' ? undefined : reading.scope
  const isAmbiguous = end?.source === 'prose' && isDayless(evidence.text)
  return {
    kind,
    until: end?.at ?? null,
    scope: scope ?? SCOPES[kind],
    source: end?.source ?? reading.source,
    confidence: isAmbiguous ? 'low' : pickLower(reading.confidence, end?.confidence ?? 'high'),
    ...(Object.keys(observed).length === 0 ? {} : { observed }),
  }
}

/** A weekly limit that names a time of day but no day: the next such time is only worth a probe. */
function isDayless(text: string): boolean {
  return (
    /\b(?:weekly|7-day|monthly)\b/i.test(text) &&
    /\bresets?(?: at)? \d{1,2}(?::\d{2})? ?(?:[ap]\.?m|\(|$)/im.test(text)
  )
}

function observe(reading: Reading, evidence: Evidence): ObservedLimits {
  const windows: readonly LimitWindow[] = [
    ...evidence.windows,
    ...evidence.events.flatMap((event) => event.windows),
  ]
  return {
    ...(reading.kind === 'none' ? {} : observeLimits(evidence.text)),
    ...(reading.family === undefined ? {} : { family: reading.family }),
    ...(windows.length === 0 ? {} : { windows }),
  }
}

const ORDER: readonly Confidence[] = ['low', 'medium', 'high']

function pickLower(left: Confidence, right: Confidence): Confidence {
  return ORDER.indexOf(left) < ORDER.indexOf(right) ? left : right
}

function lower(confidence: Confidence): Confidence {
  return ORDER[Math.max(0, ORDER.indexOf(confidence) - 1)] ?? 'low'
}
