import { ExitCode, formatCount } from '@audit-tools/shared/core'

import { describeRunnerEnd, type SessionReview } from '../run/index.ts'

/** How the review ended and what a person can do about it. */
export function renderReviewEnd(review: SessionReview | undefined, tool: string): string[] {
  if (review === undefined) return []
  const lines = review.unusable.map(({ id, problem }) => `Pool ${id} is not used: ${problem}`)
  if (review.end === null) return lines
  if (review.items !== null) lines.push(renderSums(review.items))
  switch (review.end.kind) {
    case 'done':
      return lines
    case 'waiting':
      return [
        ...lines,
        `Waiting until ${new Date(review.end.until).toISOString()}: ${describeReasons(review.end)}`,
        `Go on then with \`${tool} run\`, or let it wait with \`${tool} run --wait\`.`,
      ]
    case 'exhausted':
      return [
        ...lines,
        `Stopped: ${review.end.terminal.reason}. Mend that, then go on with \`${tool} run\`; nothing is paid twice.`,
      ]
    case 'stuck':
      return [...lines, `Not every packet can be reviewed: ${describeReasons(review.end)}`]
    case 'stopped':
      return [...lines, `The run was cancelled. \`${tool} cancel --undo\` takes that back.`]
    case 'cancelled':
      return [
        ...lines,
        `Stopped. What is reviewed is kept; go on with \`${tool} run\` in the same directory.`,
      ]
  }
}

function describeReasons(end: NonNullable<SessionReview['end']>): string {
  return describeRunnerEnd(end).reasons.join('; ') || 'nothing can start'
}

function renderSums(items: NonNullable<SessionReview['items']>): string {
  const { packets, remainders, reviewed, failed, split, open } = items
  return (
    `Review: ${formatCount(packets, 'packet')} + ${formatCount(remainders, 'remainder')} = ` +
    `${reviewed} reviewed + ${failed} failed + ${split} split + ${open} open`
  )
}

export function chooseReviewExit(
  review: SessionReview | undefined,
  failedPackets: number,
): ExitCode {
  switch (review?.end?.kind) {
    case 'cancelled':
      return ExitCode.InProgress
    case 'waiting':
      return ExitCode.Waiting
    case 'exhausted':
      return ExitCode.NeedsPerson
    case 'stuck':
    case 'stopped':
      return ExitCode.Incomplete
    case 'done':
    case undefined:
      return failedPackets > 0 ? ExitCode.Incomplete : ExitCode.Done
  }
}
