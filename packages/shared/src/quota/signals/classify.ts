import type { Confidence } from '../constraint.ts'
import { type Evidence, type FailureInput, gatherEvidence } from './evidence.ts'
import type { ProviderGrammar } from './grammar.ts'
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
import { findGrammar } from './read-rules.ts'
import { pickReading, type Reading } from './readings.ts'
import type { FailureKind, FailureSignal, ObservedLimits, SignalScope } from './signal.ts'
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

/** Kinds that no wait ends. */
const LASTING: ReadonlySet<FailureKind> = new Set([
  'credit',
  'auth',
  'model_gone',
  'too_large',
  'refused',
  'none',
])

/** Stated waits beyond this are windows, to be tested now and then. */
const MAX_SHORT_MS = 35 * DAY_MS

const NO_FAILURE: FailureSignal = {
  kind: 'none',
  until: null,
  scope: 'item',
  source: 'none',
  confidence: 'high',
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
  const signal = describe(pickReading(evidence, input.provider), evidence, input)
  return input.channel === 'log' ? { ...signal, confidence: lower(signal.confidence) } : signal
}

function classifyResult({ text, provider, now, timeZone }: FailureInput): FailureSignal {
  if (!isWholeNotice(text ?? '')) return NO_FAILURE
  return classifyFailure({ text, provider, now, timeZone, channel: 'error' })
}

function describe(reading: Reading, evidence: Evidence, input: FailureInput): FailureSignal {
  const { now } = input
  const rule = reading.match?.rule
  const grammar = reading.match?.grammar ?? findGrammar(input.provider)
  const stated = listStatedEnds(evidence, {
    now,
    timeZone: grammar?.timeZone ?? input.timeZone,
    rule,
  })
  const implied = listWindowEnds(evidence.windows, now)
  const observed = observe(reading, evidence)
  const kind = refineKind(reading, observed, stated.ends.length + implied.length > 0)
  const end = LASTING.has(kind)
    ? findDocumentedEnd(rule, now)
    : mendEnd(pickEnd(kind, stated.ends, implied) ?? findDocumentedEnd(rule, now), {
        kind,
        grammar,
        now,
      })
  const isOver = end === null && stated.hasZeroWait
  return makeSignal(refineByWait(kind, end, { isOver, now, observed }), end, {
    reading,
    observed,
    isAmbiguous: end?.source === 'prose' && isDayless(evidence.text),
  })
}

/** A closed window lasts until the last of its ends; for a rate, what headers imply is only an upper bound. */
function pickEnd(
  kind: FailureKind,
  stated: readonly LimitEnd[],
  implied: readonly LimitEnd[],
): LimitEnd | null {
  if (kind === 'window' || kind === 'day') return pickLatestEnd([...stated, ...implied])
  return pickLatestEnd(stated) ?? pickLatestEnd(implied)
}

/** What figures and times say beyond words: a notice with an end is no bill, a request above the limit never fits. */
function refineKind(reading: Reading, observed: ObservedLimits, hasEnd: boolean): FailureKind {
  const ending = reading.match?.rule.kindWithReset
  if (ending !== undefined && hasEnd) return ending
  const { limit, requested, dimension } = observed
  const isAbove = limit !== undefined && requested !== undefined && requested > limit
  const isSized = dimension !== 'request'
  return reading.kind === 'throttle' && isAbove && isSized ? 'too_large' : reading.kind
}

interface WaitFacts {
  /** Whether a wait of nothing was stated. */
  readonly isOver: boolean
  readonly now: number
  readonly observed: ObservedLimits
}

/** A throttle that lasts is a window; a window of no length is a throttle. */
function refineByWait(
  kind: FailureKind,
  end: LimitEnd | null,
  { isOver, now, observed }: WaitFacts,
): FailureKind {
  if (kind === 'window' && isOver) return 'throttle'
  if (end === null || (kind !== 'throttle' && kind !== 'day')) return kind
  if (end.at - now > MAX_SHORT_MS) return 'window'
  if (kind === 'day' || end.source === 'retry_after' || !isLongWait(end, now)) return kind
  return observed.perSeconds === DAY_MS / 1_000 ? 'day' : 'window'
}

/** Replaces a wait that a provider is known to send by mistake for a limit of a minute. */
function mendEnd(
  end: LimitEnd | null,
  { kind, grammar, now }: { kind: FailureKind; grammar: ProviderGrammar | undefined; now: number },
): LimitEnd | null {
  const mistaken = grammar?.mistakenWait
  if (mistaken === undefined || kind !== 'throttle' || end === null) return end
  if (end.at - now < mistaken.atLeastMs) return end
  return { ...end, at: now + mistaken.insteadMs, confidence: 'low' }
}

/** A weekly limit that names a time of day but no day: the next such time is only worth a probe. */
function isDayless(text: string): boolean {
  return (
    /\b(?:weekly|7-day|monthly)\b/i.test(text) &&
    /\bresets?(?: at)? \d{1,2}(?::\d{2})? ?(?:[ap]\.?m|\(|$)/im.test(text)
  )
}

function makeSignal(
  kind: FailureKind,
  end: LimitEnd | null,
  findings: { reading: Reading; observed: ObservedLimits; isAmbiguous: boolean },
): FailureSignal {
  const { reading, observed, isAmbiguous } = findings
  const scope = kind === 'too_large' ? undefined : reading.scope
  return {
    kind,
    until: end?.at ?? null,
    scope: scope ?? SCOPES[kind],
    source: end?.source ?? reading.source,
    confidence: isAmbiguous ? 'low' : pickLower(reading.confidence, end?.confidence ?? 'high'),
    ...(Object.keys(observed).length === 0 ? {} : { observed }),
  }
}

function observe(reading: Reading, evidence: Evidence): ObservedLimits {
  const windows = [...evidence.windows, ...evidence.events.flatMap((event) => event.windows)]
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
