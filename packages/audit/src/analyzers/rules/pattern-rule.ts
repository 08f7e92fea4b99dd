import type { NapiConfig } from '@ast-grep/napi'

import type { RuleInfo } from './rule.ts'
import type { Verdict } from './verdict.ts'

export type Matcher = NapiConfig['rule']

/** A rule that is an ast-grep matcher, with a verdict per way of matching; the first case that matches a node counts. */
export interface PatternRule extends RuleInfo {
  /** A file whose text does not match this is not parsed for the rule. */
  readonly needs: RegExp
  readonly cases: readonly PatternCase[]
}

export interface PatternCase {
  readonly matcher: Matcher
  readonly verdict: Verdict
  /** The metavariable that holds a string literal with a regular expression: only slow ones match. */
  readonly regexVariable?: string
}

export const sure: Verdict = { standing: 'finding', confidence: 'high', severity: 'high' }
export const likely: Verdict = { standing: 'finding', confidence: 'medium', severity: 'medium' }
export const minor: Verdict = { standing: 'finding', confidence: 'medium', severity: 'low' }
export const hint: Verdict = { standing: 'lead', confidence: 'low', severity: 'low' }
