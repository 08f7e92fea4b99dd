/** A stretch of a text that must not be shown. */
export interface HiddenRange {
  readonly start: number
  readonly end: number
}

const mask = '****'

/** A part of a text with every hidden stretch replaced by four asterisks, whatever its length. */
export function maskRanges(
  text: string,
  part: HiddenRange,
  hidden: readonly HiddenRange[],
): string {
  let shown = ''
  let at = part.start
  for (const { start, end } of hidden.toSorted((left, right) => left.start - right.start)) {
    if (end <= at || start >= part.end) continue
    shown += text.slice(at, Math.max(at, start)) + mask
    at = Math.min(end, part.end)
  }
  return shown + text.slice(at, part.end)
}
