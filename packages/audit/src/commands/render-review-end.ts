import { ExitCode, formatCount } from '@audit-tools/shared/core'

import type { SessionReview } from '../run/index.ts'

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
        `Waiting until ${new Date(review.end.until).toISOString()}: ${describeWaiting(review.end.waiting)}`,
        `Go on then with \`${tool} run\`, or let it wait with \`${tool} run --wait\`.`,
      ]
    case 'exhausted':
      return [
        ...lines,
        `Stopped: ${review.end.terminal.reason}. Mend that, then go on with \`${tool} run\`; nothing is paid twice.`,
      ]
    case 'stuck':
      return [...lines, `Not every packet can be reviewed: ${describeWaiting(review.end.waiting)}`]
    case 'stopped':
      return [...lines, `The run was cancelled. \`${tool} cancel --undo\` takes that back.`]
    case 'cancelled':
      return [
        ...lines,
        `Stopped. What is reviewed is kept; go on with \`${tool} run\` in the same directory.`,
      ]
  }
}

type Waiting = Extract<NonNullable<SessionReview['end']>, { kind: 'stuck' }>['waiting']

function describeWaiting(waiting: Waiting): string {
  const [first] = waiting
  if (first === undefined) return 'nothing can start'
  const rest = waiting.length > 1 ? `, and ${waiting.length - 1} more` : ''
  return `${JSON.stringify(first)}${rest}`
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
