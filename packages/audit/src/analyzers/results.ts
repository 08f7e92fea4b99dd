import { compareText } from '@audit-tools/shared/core'

import type { AnalyzerResult } from './analyzer.ts'
import { mayHoldSecret } from './secret-marks.ts'

/**
 * Results as an analyzer gives them: in one order whatever order the files came in, and without what may be a secret
 * on a line that was quoted for another reason.
 */
export function finishResults(results: readonly AnalyzerResult[]): AnalyzerResult[] {
  return results
    .map(hideSecrets)
    .toSorted(
      (left, right) =>
        compareText(left.path, right.path) ||
        (left.lineStart ?? 0) - (right.lineStart ?? 0) ||
        compareText(left.ruleId, right.ruleId) ||
        compareText(left.summary, right.summary),
    )
}

function hideSecrets(result: AnalyzerResult): AnalyzerResult {
  const { quote, summary } = result
  const holdsInQuote = quote !== undefined && mayHoldSecret(quote)
  if (!holdsInQuote && !mayHoldSecret(summary)) return result
  return {
    ...result,
    summary: maskTokens(summary),
    ...(quote === undefined ? {} : { quote: maskTokens(quote) }),
    ...(holdsInQuote ? { isRedacted: true } : {}),
  }
}

/** Runs of characters that only keys have, and the password of a URL. */
const token = /[\w+/=.-]{20,}/g
const urlPassword = /(?<=:\/\/[^\s:@/]{1,256}:)[^\s@/]{1,256}(?=@)/g

function maskTokens(text: string): string {
  return text.replace(urlPassword, '****').replace(token, '****')
}
