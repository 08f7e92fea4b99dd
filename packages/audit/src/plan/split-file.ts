import type { Cut } from '../graph/index.ts'
import type { SnapshotFile } from '../snapshot/index.ts'
import { estimateTokens, measureShown } from './prompt-cost.ts'

/** Longer files are reviewed in ranges even where they fit. */
const MAX_WHOLE_LINES = 2500

/** What comes before a range is shown again when it is no longer than this. */
const MAX_OVERLAP_BYTES = 4096

/** Parts may be this much larger than equal ones, to end at a better place. */
const BALANCE_SLACK = 1.15

/** 1-based lines, `last` inclusive. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

export interface FilePart {
  /** What this part has to cover. */
  readonly covers: LineRange
  /** What its reader sees: the same, and the end of what comes before. */
  readonly shows: LineRange
  readonly bytes: number
  readonly tokens: number
}

interface UncoveredPart {
  readonly lines: LineRange
  readonly tokens: number
  readonly reason: string
}

export interface FileSplit {
  /** Whether one part is the whole file. */
  readonly whole: boolean
  readonly parts: readonly FilePart[]
  readonly uncovered: readonly UncoveredPart[]
}

/** A file in one part, or in parts of whole symbols that each fit; what fits nowhere is named. */
export function splitFile(
  file: SnapshotFile,
  cuts: readonly Cut[] | undefined,
  roomTokens: number,
): FileSplit {
  const end: Cut = [file.lines + 1, file.bytes, 0]
  const whole = measurePart(file, [[1, 0, 0], end], { from: 0, to: 1 })
  if (whole.tokens <= roomTokens && file.lines <= MAX_WHOLE_LINES) {
    return { whole: true, parts: [whole], uncovered: [] }
  }
  const count = Math.ceil(Math.max(whole.tokens / roomTokens, file.lines / MAX_WHOLE_LINES))
  return splitAtCuts(file, [...(cuts ?? [[1, 0, 0]]), end], {
    roomTokens,
    tokens: Math.min(roomTokens, (whole.tokens / count) * BALANCE_SLACK),
    lines: Math.min(MAX_WHOLE_LINES, (file.lines / count) * BALANCE_SLACK),
  })
}

interface Limits {
  /** What fits at most; the other two are what parts should have. */
  readonly roomTokens: number
  readonly tokens: number
  readonly lines: number
}

function splitAtCuts(file: SnapshotFile, marks: readonly Cut[], limits: Limits): FileSplit {
  const parts: FilePart[] = []
  const uncovered: UncoveredPart[] = []
  for (let from = 0; from < marks.length - 1;) {
    const to = chooseEnd(file, marks, { from, limits })
    const part = measurePart(file, marks, { from, to })
    if (part.tokens <= limits.roomTokens) parts.push(part)
    else {
      const reason = describeTooLarge(part, limits.roomTokens)
      uncovered.push({ lines: part.covers, tokens: part.tokens, reason })
    }
    from = to
  }
  return { whole: false, parts, uncovered }
}

/** The best mark to end a part at: of those in its second half, the last before a symbol, else a paragraph, else a line. */
function chooseEnd(
  file: SnapshotFile,
  marks: readonly Cut[],
  { from, limits }: { readonly from: number; readonly limits: Limits },
): number {
  let furthest = from + 1
  while (furthest + 1 < marks.length) {
    const { tokens, covers } = measurePart(file, marks, { from, to: furthest + 1 })
    if (tokens > limits.tokens || covers.last - covers.first >= limits.lines) break
    furthest += 1
  }
  if (furthest === marks.length - 1) return furthest
  const half = ((marks[from]?.[1] ?? 0) + (marks[furthest]?.[1] ?? 0)) / 2
  let best = furthest
  for (let mark = furthest; mark > from && (marks[mark]?.[1] ?? 0) > half; mark -= 1) {
    if ((marks[mark]?.[2] ?? 2) < (marks[best]?.[2] ?? 2)) best = mark
  }
  return best
}

function measurePart(
  { path }: SnapshotFile,
  marks: readonly Cut[],
  { from, to }: { readonly from: number; readonly to: number },
): FilePart {
  const [line = 1, bytes = 0] = marks[from] ?? []
  const [endLine = 1, endBytes = 0] = marks[to] ?? []
  const [shownLine, shownBytes] = findOverlap(marks, from)
  const covers = { first: line, last: endLine - 1 }
  const shows = { first: shownLine, last: endLine - 1 }
  const shown = measureShown({
    path,
    bytes: endBytes - shownBytes,
    ...shows,
    isRange: marks.length > 2,
  })
  return { covers, shows, bytes: endBytes - bytes, tokens: estimateTokens(shown) }
}

function findOverlap(marks: readonly Cut[], from: number): readonly [number, number] {
  const [line = 1, bytes = 0] = marks[from] ?? []
  const before = marks[from - 1]
  return before && bytes - before[1] <= MAX_OVERLAP_BYTES ? [before[0], before[1]] : [line, bytes]
}

function describeTooLarge({ covers, tokens }: FilePart, roomTokens: number): string {
  const lines =
    covers.first === covers.last
      ? `line ${covers.first} is`
      : `lines ${covers.first} to ${covers.last} are`
  return `${lines} about ${tokens} tokens, cannot be cut further, and a packet has room for ${roomTokens}`
}
