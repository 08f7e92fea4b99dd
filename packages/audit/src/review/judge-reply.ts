import { parseReply } from './parse-reply.ts'
import type { ReviewScope } from './review-scope.ts'
import { type RepairTicket, type ValidatedResult, validateResult } from './validate-result.ts'

/** What an answer is worth. `answered`: at least one assigned file is covered. */
export type ReplyJudgement =
  | { readonly kind: 'answered'; readonly result: ValidatedResult }
  | {
      readonly kind: 'bad_output'
      /** One sentence for the next reviewer and for people. */
      readonly problem: string
      /** How whoever wrote it can repair it. */
      readonly repair: string
      /** Where the text stops being JSON; null when it is JSON, or there is none. */
      readonly byteOffset: number | null
      /** Whole elements that stand on their own although nothing is covered. */
      readonly result: ValidatedResult | null
    }

/** Reads and checks an answer. Never throws for what it says. */
export function judgeReply(text: string, scope: ReviewScope, reporter: string): ReplyJudgement {
  const reply = parseReply(text)
  if (reply.kind === 'empty') {
    const repair = 'Write one JSON object with files_reviewed and findings.'
    return bad({ problem: 'the answer is empty', repair })
  }
  if (reply.kind === 'unparsable') {
    const { byteOffset, problem } = reply
    const repair = `Mend the JSON at byte ${byteOffset} and submit the whole object again.`
    return bad({
      problem: `the answer is not JSON: ${problem} at byte ${byteOffset}`,
      repair,
      byteOffset,
    })
  }
  const result = validateResult(reply, scope, reporter)
  if (result.covered.length > 0) return { kind: 'answered', result }
  return bad({ ...explainNoCoverage(result), result })
}

function bad(
  judgement: Partial<Extract<ReplyJudgement, { kind: 'bad_output' }>> & {
    problem: string
    repair: string
  },
): ReplyJudgement {
  return { kind: 'bad_output', byteOffset: null, result: null, ...judgement }
}

function explainNoCoverage({ uncovered, truncated, tickets }: ValidatedResult): {
  problem: string
  repair: string
} {
  const total = uncovered.length
  const repair = `List in files_reviewed the files that you read to their end: ${uncovered.join(', ')}`
  if (truncated) return { problem: 'the answer was cut off before its end', repair }
  const [ticket] = tickets
  if (ticket !== undefined) {
    const { element, problem } = ticket satisfies RepairTicket
    return { problem: `0 of ${total} files covered; ${element}: ${problem}`, repair }
  }
  return { problem: `0 of ${total} files covered`, repair }
}
