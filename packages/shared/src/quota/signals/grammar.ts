import type { FailureKind, SignalScope } from './signal.ts'

/** One way in which a provider says one thing. */
export interface LimitRule {
  readonly kind: FailureKind
  /** Must match one of the error's codes, case included. */
  readonly code?: RegExp
  /** One of them must match the messages or the prose of the failure. A group `family` names a model family. */
  readonly text?: RegExp | readonly RegExp[]
  /** Must match too. */
  readonly alsoText?: RegExp
  /** Holds only with one of these HTTP statuses. */
  readonly statuses?: readonly number[]
  /** Does not hold with any of these HTTP statuses. */
  readonly exceptStatuses?: readonly number[]
  /** Defaults to what the kind usually is about. */
  readonly scope?: SignalScope
  /** Says that there is a limit but not which: gives way to any rule that says more. */
  readonly isGeneric?: true
  /** A text that holds whatever the codes say. */
  readonly isDecisive?: true
  /** Holds only where something else shows that a provider speaks: a status, an error body, a named API error. */
  readonly needsApi?: true
  /** The kind when a reset is stated: a billing notice that ends by itself is a window. */
  readonly kindWithReset?: FailureKind
  /** The end by the provider's calendar, where nothing else states one. */
  readonly endsWith?: { readonly period: 'day' | 'month'; readonly timeZone: string }
  /** Waits shorter than this, stated beside the notice, are not its end. */
  readonly minWaitMs?: number
}

/** How one provider or CLI reports limits. */
export interface ProviderGrammar {
  /** The provider names that speak it. */
  readonly names: readonly string[]
  /** Rules in order: the first that says which limit it is decides. */
  readonly rules: readonly LimitRule[]
  /** Other grammars that this one's failures may be written in, by name; every one where it passes failures through. */
  readonly speaks?: readonly string[] | 'every'
  /** Words mean something else here than everywhere, so the rules hold only if the provider is known or this matches. */
  readonly onlyIf?: RegExp
  /** Where the provider's clocks stand, for times without a zone. */
  readonly timeZone?: string
  /** A wait that this provider sends for limits of a minute by mistake, and what to do instead, in milliseconds. */
  readonly mistakenWait?: { readonly atLeastMs: number; readonly insteadMs: number }
}
