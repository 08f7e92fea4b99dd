import { parseSync } from 'oxc-parser'

import { type FileKind, isNestedTooDeep, type SnapshotFile } from '../snapshot/index.ts'
import type { Cut } from './facts.ts'
import { createLineIndex, listLineStarts } from './line-index.ts'

/** Smaller files are never cut: they fit into a packet at the lowest ceiling. */
const MIN_BYTES = 16 * 1024
const MIN_LINES = 400

/** Ranges are made of pieces of about this size. */
const PIECE_BYTES = 1500

/** Above this, the syntax tree costs more than better cuts are worth. */
const MAX_PARSED_BYTES = 1024 * 1024

/** Longer comments above a symbol are cut off from it. */
const MAX_COMMENT_LINES = 40

const script = /\.[cm]?[jt]sx?$/
const closing = /^\s*(?:[)\]}]|end\b|else\b|fi\b|done\b|esac\b)/
const comment = /^\s*(?:\/\/|\/\*|\*|#|--|"""|@)/

/** Kinds that a reviewer reads. */
const reviewedKinds = new Set<FileKind>(['source', 'test', 'config'])

export function mayNeedCuts({ kind, bytes, lines }: SnapshotFile): boolean {
  return reviewedKinds.has(kind) && (bytes >= MIN_BYTES || lines >= MIN_LINES)
}

/**
 * Where a long file may be cut: before top-level symbols, else before paragraphs, else between any lines. Line 1 is the
 * first cut; a line that is long by itself stands alone.
 */
export function listCuts(path: string, text: string): Cut[] {
  const starts = listLineStarts(text)
  const lines = starts.map((start, index) => text.slice(start, starts[index + 1]))
  const symbols = listSymbolLines(path, text, lines)
  const cuts: Cut[] = [[1, 0, 0]]
  let bytes = 0
  let best: Cut | undefined
  let beforeBytes = 0
  for (const [index, line] of lines.entries()) {
    const sinceLast = bytes - (cuts.at(-1)?.[1] ?? 0)
    const lineBytes = Buffer.byteLength(line)
    const cut: Cut = [index + 1, bytes, judgeCut(lines, index, symbols)]
    if (sinceLast >= PIECE_BYTES / 2 && (best === undefined || cut[2] <= best[2])) best = cut
    const isLong = Math.max(lineBytes, beforeBytes) >= PIECE_BYTES
    const isGood = cut[2] === 0 && sinceLast >= PIECE_BYTES / 4
    const kept = isLong || isGood ? cut : sinceLast >= PIECE_BYTES ? best : undefined
    if (kept && index > 0) {
      cuts.push(kept)
      best = undefined
    }
    bytes += lineBytes
    beforeBytes = lineBytes
  }
  return cuts
}

function judgeCut(
  lines: readonly string[],
  index: number,
  symbols: ReadonlySet<number>,
): 0 | 1 | 2 {
  if (symbols.has(index + 1)) return 0
  const line = lines[index] ?? ''
  const before = lines[index - 1] ?? ''
  return line.trim() !== '' && before.trim() === '' && !closing.test(line) ? 1 : 2
}

/** Lines at which top-level symbols start, the comments right above them included. */
function listSymbolLines(path: string, text: string, lines: readonly string[]): Set<number> {
  const declared = script.test(path) ? parseSymbolLines(path, text) : undefined
  const symbols = declared ?? guessSymbolLines(lines)
  return new Set(
    symbols.map((line) => {
      let first = line
      const limit = Math.max(1, line - MAX_COMMENT_LINES)
      while (first > limit && comment.test(lines[first - 2] ?? '')) first -= 1
      return first
    }),
  )
}

function parseSymbolLines(path: string, text: string): number[] | undefined {
  if (text.length > MAX_PARSED_BYTES || isNestedTooDeep(text)) return undefined
  const { errors, program } = parseSync(path, text)
  if (errors.length > 0) return undefined
  const lineOf = createLineIndex(text)
  return program.body.map((statement) => lineOf(statement.start))
}

/** A line at the left margin that follows an indented, a closing or an empty line. */
function guessSymbolLines(lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => {
    const before = lines[index - 1] ?? ''
    const isStart = /^\S/.test(line) && !closing.test(line)
    return isStart && (/^\s|^$/.test(before) || closing.test(before)) ? [index + 1] : []
  })
}
