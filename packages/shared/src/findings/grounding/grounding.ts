import type { AffectedFile, FindingDraft, Grounding } from '../finding.ts'
import type { LocatedDraft } from '../identity/identity.ts'
import { findEnclosingSymbol } from '../identity/symbol.ts'
import { formatWindow } from '../identity/tokens.ts'
import { findContradictedAbsence, holdsTruncationMarker } from './absence.ts'
import { parseLineRange } from './lines.ts'
import { parseTreePath } from './path.ts'
import { locateQuote, overlapsPlace } from './locate-quote.ts'
import {
  findQuote,
  indexText,
  listEarlierCopies,
  type QuoteIndex,
  type QuotePosition,
} from './quote.ts'

/** Files as the snapshot holds them. Only paths of `listFiles` are ever read. */
export interface FileTree {
  /** Absolute root, so that absolute paths below it can be read as relative ones. */
  readonly root?: string
  /** Paths in scope. */
  listFiles(): readonly string[]
  /** Text at the snapshot's hash, or undefined: not in scope, changed since, or not text. */
  readText(path: string): string | undefined
}

export type GroundingResult =
  | { readonly kind: 'located'; readonly located: LocatedDraft }
  /** Names nothing inside the root; nothing was read. */
  | { readonly kind: 'rejected'; readonly reason: string }

/** Indexed files that are kept: drafts come file by file, and a large tree does not fit into memory. */
const MAX_INDEXES = 4

/** More places of one quote than this are counted without looking at what encloses each. */
const MAX_SYMBOLS_PER_QUOTE = 200

/**
 * Makes a function that checks drafts against the files: a reviewer's quote must stand in the file it cites; a wrong
 * line is corrected; what analyzers and outside tools report needs an existing file and is trusted about the rest. What
 * does not hold is `ungrounded` or `refuted` with the reason and keeps its text.
 */
export function createGrounder(tree: FileTree): (draft: FindingDraft) => GroundingResult {
  const files = tree.listFiles()
  const known = new Set(files)
  const readIndex = createIndexReader(tree)

  const checkPlaces = (draft: FindingDraft): CheckedPlaces => {
    const places: AffectedFile[] = []
    const notes: string[] = []
    let outside = 0
    for (const place of draft.affected_files) {
      const parsed = parseTreePath(place.path, tree.root)
      if (parsed.kind === 'outside') {
        outside += 1
        continue
      }
      if (!known.has(parsed.path)) {
        notes.push(explainAbsence(parsed.path, files))
        continue
      }
      const { place: clean, note } = cleanPlace(
        { ...place, path: parsed.path },
        readIndex(parsed.path),
      )
      places.push(clean)
      if (note !== undefined) notes.push(note)
    }
    if (outside > 0) notes.push(`${outside} of the named paths lead outside the root`)
    return { places, notes, outside }
  }

  return (draft) => {
    const { places, notes, outside } = checkPlaces(draft)
    if (outside > 0 && outside === draft.affected_files.length) {
      return { kind: 'rejected', reason: 'every path it names leads outside the root' }
    }
    const main = places[0]
    if (draft.source === 'reviewer') {
      const claim = `${draft.title}\n${draft.summary}`
      const path = findContradictedAbsence(claim, files, main?.path)
      if (path !== undefined) {
        return settle(draft, places, 'refuted', `it says that ${path} is missing, but it exists`)
      }
    }
    if (main === undefined) {
      const reason = notes.join('; ') || 'it names no file'
      return settle(draft, draft.affected_files, 'ungrounded', reason)
    }
    const index = readIndex(main.path)
    if (index === undefined) {
      return settle(draft, places, 'ungrounded', `${main.path} cannot be read as text`)
    }
    return groundMain({ draft, places, main, index, note: notes.join('; ') })
  }
}

function createIndexReader(tree: FileTree): (path: string) => QuoteIndex | undefined {
  const indexes = new Map<string, QuoteIndex | undefined>()
  return (path) => {
    if (!indexes.has(path)) {
      const text = tree.readText(path)
      const [oldest] = indexes.keys()
      if (oldest !== undefined && indexes.size >= MAX_INDEXES) indexes.delete(oldest)
      indexes.set(path, text === undefined ? undefined : indexText(text))
    }
    return indexes.get(path)
  }
}

interface CheckedPlaces {
  readonly places: readonly AffectedFile[]
  readonly notes: readonly string[]
  readonly outside: number
}

interface MainPlace {
  readonly draft: FindingDraft
  readonly places: readonly AffectedFile[]
  readonly main: AffectedFile
  readonly index: QuoteIndex
  /** What was adjusted so far, empty for nothing. */
  readonly note: string
}

function groundMain(input: MainPlace): GroundingResult {
  const { draft, main, index, places } = input
  const isStrict = draft.source === 'reviewer'
  const quote = main.quoted_text?.trim() ?? ''
  if (quote === '') {
    return isStrict ? settle(draft, places, 'ungrounded', 'it has no quote') : trustLines(input)
  }
  const invented = isStrict ? findInventedSymbol(index, main) : undefined
  if (invented !== undefined) {
    return settle(draft, places, 'ungrounded', `${invented} does not occur in ${main.path}`)
  }
  const found = locateQuote(index, main, isStrict)
  if (found.kind === 'found') return anchor(input, found)
  // An analyzer of ours read this very file; it masks secrets in its quotes.
  if (draft.source === 'analyzer') return trustLines(input)
  if (found.kind === 'absent' && holdsTruncationMarker(quote)) {
    return settle(draft, places, 'refuted', 'its quote is a mark of the prompt, not file content')
  }
  return settle(draft, places, 'ungrounded', found.reason)
}

/** The last name of a symbol (`get` of `Cache.get()`) when the file does not hold it. */
function findInventedSymbol(index: QuoteIndex, place: AffectedFile): string | undefined {
  const name = place.symbol?.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)?.at(-1)
  return name === undefined || index.text.includes(name) ? undefined : name
}

function anchor(
  { draft, places, main, index, note }: MainPlace,
  { quote, position }: { quote: string; position: QuotePosition },
): GroundingResult {
  const isCited = overlapsPlace(position, main)
  const { line_start: cited } = main
  const symbol = findEnclosingSymbol(index.lines, position.lineStart)
  const place: AffectedFile = {
    ...replaceSymbol(main, symbol),
    quoted_text: quote,
    line_start: position.lineStart,
    line_end: position.lineEnd,
  }
  const moved = cited === undefined || isCited ? {} : { moved_from: cited }
  return {
    kind: 'located',
    located: {
      draft: { ...draft, affected_files: [place, ...places.slice(1)] },
      grounding: { status: 'grounded', ...moved, ...(note === '' ? {} : { reason: note }) },
      place: describePlace(index, quote, position, symbol),
    },
  }
}

/** What identity rests on. Only copies in the same named part count, so that copies elsewhere may come and go. */
function describePlace(
  index: QuoteIndex,
  quote: string,
  position: QuotePosition,
  symbol: string | undefined,
): NonNullable<LocatedDraft['place']> {
  const window = formatWindow(quote)
  const copies = listEarlierCopies(index, window, position.offset)
  const near =
    copies.length > MAX_SYMBOLS_PER_QUOTE
      ? copies
      : copies.filter((line) => findEnclosingSymbol(index.lines, line) === symbol)
  return { window, occurrence: near.length + 1 }
}

/** For reporters that read the file themselves. The cited lines give identity but are not stored: they may hold a secret. */
function trustLines({ draft, places, main, index, note }: MainPlace): GroundingResult {
  const grounding: Grounding = { status: 'grounded', ...(note === '' ? {} : { reason: note }) }
  const line = main.line_start
  if (line === undefined) {
    return {
      kind: 'located',
      located: { draft: { ...draft, affected_files: [...places] }, grounding },
    }
  }
  const symbol = findEnclosingSymbol(index.lines, line)
  const place: AffectedFile = replaceSymbol(main, symbol)
  const affected = { ...draft, affected_files: [place, ...places.slice(1)] }
  const cited = index.lines.slice(line - 1, main.line_end ?? line).join('\n')
  const at = findQuote(index, cited).find((position) => position.lineStart >= line)
  if (at === undefined) return { kind: 'located', located: { draft: affected, grounding } }
  const identity = describePlace(index, cited, at, symbol)
  return { kind: 'located', located: { draft: affected, grounding, place: identity } }
}

/** Identity rests on the tool's own reading of the symbol, never on the reporter's. */
function replaceSymbol(place: AffectedFile, symbol: string | undefined): AffectedFile {
  const { symbol: _, ...rest } = place
  return symbol === undefined ? rest : { ...rest, symbol }
}

/** Lines that exist, or none with a note. */
function cleanPlace(
  place: AffectedFile,
  index: QuoteIndex | undefined,
): { place: AffectedFile; note?: string } {
  const { line_start: start, line_end: end, ...rest } = place
  const range = parseLineRange(start, end)
  const count = index?.lines.length ?? 0
  if (range.line_start === undefined || index === undefined) return { place: { ...rest, ...range } }
  if (range.line_start > count) {
    return {
      place: rest,
      note: `line ${range.line_start} is past the end of ${place.path} (${count} lines)`,
    }
  }
  const lineEnd = Math.min(range.line_end ?? range.line_start, count)
  return { place: { ...rest, line_start: range.line_start, line_end: lineEnd } }
}

function explainAbsence(path: string, files: readonly string[]): string {
  const isDirectory = path === '' || files.some((file) => file.startsWith(`${path}/`))
  return isDirectory
    ? `${path === '' ? 'the root' : path} is a directory; a finding needs a file`
    : `${path} is not among the files in scope`
}

function settle(
  draft: FindingDraft,
  places: readonly AffectedFile[],
  status: 'ungrounded' | 'refuted',
  reason: string,
): GroundingResult {
  return {
    kind: 'located',
    located: {
      draft: { ...draft, affected_files: [...places] },
      grounding: { status, reason },
    },
  }
}
