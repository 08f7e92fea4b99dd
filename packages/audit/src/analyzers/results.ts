import { compareText } from '@audit-tools/shared/core'

import type { AnalyzerResult } from './analyzer.ts'

/** Results by place, rule and text: the same order whatever order the files came in. */
export function sortResults(results: readonly AnalyzerResult[]): AnalyzerResult[] {
  return results.toSorted(
    (left, right) =>
      compareText(left.path, right.path) ||
      (left.lineStart ?? 0) - (right.lineStart ?? 0) ||
      compareText(left.ruleId, right.ruleId) ||
      compareText(left.summary, right.summary),
  )
}
