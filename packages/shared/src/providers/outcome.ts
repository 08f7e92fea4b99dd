import { classifyFailure, type ConstraintUnit } from '../quota/index.ts'
import type { AnswerFault, Evidence, LaunchOutcome, OutcomeClass, TokenUsage } from './provider.ts'

type Failure = Parameters<typeof classifyFailure>[0]
type FailureKind = ReturnType<typeof classifyFailure>['kind']

/** What is known of an end besides its class. */
export interface OutcomeFacts {
  readonly text?: string | null
  readonly usage?: TokenUsage | null
  readonly answeredModel?: string | null
  readonly until?: number | null
  readonly scope?: string | null
  readonly unit?: ConstraintUnit
  readonly message?: string
  readonly fault?: AnswerFault
  readonly recoveredFrom?: 'stdout'
  readonly evidence?: Evidence | null
  readonly headers?: Readonly<Record<string, string>>
}

export function makeOutcome(outcomeClass: OutcomeClass, facts: OutcomeFacts): LaunchOutcome {
  return {
    class: outcomeClass,
    text: null,
    usage: null,
    answeredModel: null,
    until: null,
    scope: null,
    message: '',
    evidence: null,
    headers: {},
    ...facts,
  }
}

/**
 * The outcome of a call that failed, as its own words say. What no grammar knows is `fallback`: an unknown text never
 * closes a pool.
 */
export function classifyOutcome(
  failure: Failure,
  fallback: OutcomeClass,
  facts: OutcomeFacts,
): LaunchOutcome {
  const reading = classifyFailure(failure)
  const dimension = reading.observed?.dimension
  return makeOutcome(readClass(reading.kind) ?? fallback, {
    ...facts,
    ...(dimension === undefined || dimension === 'context_token' ? {} : { unit: dimension }),
    until: reading.until,
    scope: reading.scope,
  })
}

function readClass(kind: FailureKind): OutcomeClass | null {
  return kind === 'none' || kind === 'unknown' ? null : kind
}
