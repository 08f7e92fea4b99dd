import type { Finding } from '../finding.ts'
import type { SarifArtifactLocation, SarifFix, SarifRegion } from './log.ts'

type Fix = NonNullable<Finding['fix']>

/** How columns and characters count in a run: SARIF knows UTF-16 units (the default) and Unicode code points. */
type ColumnKind = 'utf16CodeUnits' | 'unicodeCodePoints'

export interface FixReader {
  readonly columnKind: ColumnKind
  readonly resolve: (location: SarifArtifactLocation) => string | undefined
  readonly readText: (path: string) => string | undefined
}

/** The first repair all of whose replacements can be placed in files of the tree; undefined when there is none. */
export function readFix(fixes: readonly (SarifFix | null)[], reader: FixReader): Fix | undefined {
  for (const fix of fixes) {
    const edits = fix === null ? undefined : readEdits(fix, reader)
    if (edits !== undefined && edits.length > 0) {
      return { description: fix?.description?.text ?? 'Repair given by the tool', edits }
    }
  }
  return undefined
}

function readEdits(fix: SarifFix, reader: FixReader): Fix['edits'] | undefined {
  const edits: Fix['edits'] = []
  for (const change of fix.artifactChanges ?? []) {
    const path = change?.artifactLocation && reader.resolve(change.artifactLocation)
    const text = path === undefined ? undefined : reader.readText(path)
    if (!change || path === undefined || text === undefined) return undefined
    for (const replacement of change.replacements ?? []) {
      const range =
        replacement?.deletedRegion &&
        locateRegion(replacement.deletedRegion, text, reader.columnKind)
      if (range === undefined) return undefined
      edits.push({ path, ...range, text: replacement?.insertedContent?.text ?? '' })
    }
  }
  return edits
}

/** UTF-16 offsets of a region, or undefined when the text has no such place. */
function locateRegion(
  region: SarifRegion,
  text: string,
  columnKind: ColumnKind,
): { start: number; end: number } | undefined {
  if (region.charOffset !== undefined && region.charOffset >= 0) {
    const start = advance(text, 0, region.charOffset, columnKind)
    const end = advance(text, start, region.charLength ?? 0, columnKind)
    return end <= text.length ? { start, end } : undefined
  }
  const { startLine, endLine } = region
  if (typeof startLine !== 'number') return undefined
  const lastLine = typeof endLine === 'number' ? endLine : startLine
  const first = findLineStart(text, startLine)
  const last = findLineStart(text, lastLine)
  if (first === undefined || last === undefined) return undefined
  const start = advance(text, first, (region.startColumn ?? 1) - 1, columnKind)
  const end =
    region.endColumn === undefined
      ? findLineEnd(text, last)
      : advance(text, last, region.endColumn - 1, columnKind)
  return start <= end && end <= text.length ? { start, end } : undefined
}

function advance(text: string, from: number, count: number, columnKind: ColumnKind): number {
  if (columnKind === 'utf16CodeUnits') return from + count
  let at = from
  for (let step = 0; step < count; step += 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  }
  return at
}

function findLineStart(text: string, line: number): number | undefined {
  let start = 0
  for (let number = 1; number < line; number += 1) {
    const newline = text.indexOf('\n', start)
    if (newline < 0) return undefined
    start = newline + 1
  }
  return start
}

function findLineEnd(text: string, lineStart: number): number {
  const newline = text.indexOf('\n', lineStart)
  const end = newline < 0 ? text.length : newline
  return text[end - 1] === '\r' ? end - 1 : end
}
