import type { Lens, Severity } from '@audit-tools/shared/findings'

/** What a rule of the pack says about itself; how it matches is added by the kind of rule. */
export interface RuleInfo {
  readonly id: string
  readonly title: string
  readonly category: string
  readonly lens: Lens
  readonly severity: Severity
  /** `CWE-78` form. */
  readonly cwe: string
  readonly languages: readonly RuleLanguage[]
  /** What is wrong and why it matters, in one or two sentences. */
  readonly message: string
  readonly suggestion: string
  /** A file in which the rule finds something. */
  readonly positive: string
  /** A file that looks alike and in which it finds nothing. */
  readonly negative: string
}

export type RuleLanguage = 'javascript' | 'typescript' | 'python' | 'go' | 'java'
