import type { AffectedFile } from '../finding.ts'
import {
  countVisible,
  findQuote,
  isWholeLine,
  listReadings,
  type QuoteIndex,
  type QuotePosition,
} from './quote.ts'

/** Fewer visible characters prove nothing, unless they are the whole line. */
const MIN_QUOTE_CHARACTERS = 12

type QuoteSearch =
  | { readonly kind: 'found'; readonly quote: string; readonly position: QuotePosition }
  | { readonly kind: 'absent' | 'weak'; readonly reason: string }

/** The place of the quote that is nearest to the cited line. */
export function locateQuote(
  index: QuoteIndex,
  place: AffectedFile,
  isStrict: boolean,
): QuoteSearch {
  let weak: string | undefined
  for (const quote of listReadings(place.quoted_text ?? '')) {
    const all = findQuote(index, quote)
    const isShort = isStrict && countVisible(quote) < MIN_QUOTE_CHARACTERS
    const eligible = isShort ? all.filter((at) => isWholeLine(index, quote, at.lineStart)) : all
    const cited = eligible.filter((at) => overlapsPlace(at, place))
    if (isShort && eligible.length > 0 && cited.length === 0 && eligible.length > 1) {
      weak = `its quote is short and stands on ${eligible.length} lines, none of them the cited one`
    } else {
      const position = (cited.length > 0 ? cited : eligible).toSorted(
        (left, right) => measureDistance(left, place) - measureDistance(right, place),
      )[0]
      if (position !== undefined) return { kind: 'found', quote, position }
      if (all.length > 0) weak = `its quote has fewer than ${MIN_QUOTE_CHARACTERS} characters`
    }
  }
  if (weak !== undefined) return { kind: 'weak', reason: weak }
  return { kind: 'absent', reason: `its quote does not stand in ${place.path}` }
}

export function overlapsPlace(at: QuotePosition, place: AffectedFile): boolean {
  if (place.line_start === undefined) return false
  return at.lineStart <= (place.line_end ?? place.line_start) && at.lineEnd >= place.line_start
}

function measureDistance(at: QuotePosition, place: AffectedFile): number {
  return Math.abs(at.lineStart - (place.line_start ?? 0))
}
