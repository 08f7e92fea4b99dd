import type { OutcomeClass } from '@audit-tools/shared/providers'
import type { ProviderReply } from '@audit-tools/shared/testing'

/** What the service behind a client does. */
export const scenarios = [
  'answer',
  'throttle',
  'overload',
  'plan_limit',
  'unauthorized',
  'model_gone',
  'credit',
  'refusal',
  'output_budget',
  'cut',
  'wrong_schema',
  'hang',
] as const

export type Scenario = (typeof scenarios)[number]

/** The findings that a reviewer answers with, and an answer that is none. */
export const FINDINGS = '{"findings": [{"title": "Division by zero", "path": "a.ts", "line": 1}]}'
export const WRONG_SCHEMA = '{"verdict": "looks fine to me"}'

/** What a reviewer is asked; the marker must never be seen in the arguments of a process. */
export const MARKER = 'MARKER-OF-THE-PROMPT'
export const PROMPT = `${MARKER}\nReview a.ts and answer with JSON: {"findings": [...]}.`

export interface Expectation {
  readonly class: OutcomeClass
  /** What the coordinator decides, in order. */
  readonly commands: readonly string[]
}

/** What each scenario means, whichever client it goes through. */
export const expectations: Readonly<Record<Scenario, Expectation>> = {
  answer: { class: 'ok', commands: ['complete'] },
  throttle: { class: 'throttle', commands: ['rest', 'requeue'] },
  overload: { class: 'overload', commands: ['rest', 'requeue'] },
  plan_limit: { class: 'window', commands: ['rest', 'requeue'] },
  unauthorized: { class: 'auth', commands: ['settle_pool', 'requeue'] },
  model_gone: { class: 'model_gone', commands: ['settle_pool', 'requeue'] },
  credit: { class: 'credit', commands: ['settle_pool', 'requeue'] },
  refusal: { class: 'refused', commands: ['give_up', 'release'] },
  output_budget: { class: 'bad_output', commands: ['requeue'] },
  cut: { class: 'transient', commands: ['requeue'] },
  wrong_schema: { class: 'bad_output', commands: ['requeue'] },
  hang: { class: 'timeout', commands: ['requeue'] },
}

export type Replies = Readonly<Record<Scenario, ProviderReply>>
