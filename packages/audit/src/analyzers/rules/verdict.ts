import type { Severity } from '@audit-tools/shared/findings'

/** How sure a match is, and what it is worth to a reader. */
export interface Verdict {
  readonly standing: 'finding' | 'lead'
  readonly confidence: 'high' | 'medium' | 'low'
  readonly severity: Severity
}
