import type { analyse } from 'scslre'

import type { RegexJudge, RegexTime } from './regex-backtracking.ts'

/** Longer patterns are tables of words and code points; the analysis of a shorter one takes 20 ms at most. */
const sourceLengthLimit = 5000
const cacheLimit = 20_000

/** One unbounded repetition at least, without which no match can be slow. */
const repetition = /[*+]|\{\d+,\}/

let loaded: RegexJudge | undefined

/** Loads the analysis of matching time (0.1 s the first time) and remembers its verdicts by pattern. */
export async function loadRegexJudge(): Promise<RegexJudge> {
  if (loaded !== undefined) return loaded
  const scslre = await import('scslre')
  loaded = createRegexJudge(scslre.analyse)
  return loaded
}

function createRegexJudge(analyseRegex: typeof analyse): RegexJudge {
  const known = new Map<string, RegexTime | undefined>()
  return (source, flags) => {
    if (source.length > sourceLengthLimit || !repetition.test(source)) return undefined
    const key = `${flags}/${source}`
    if (known.has(key)) return known.get(key)
    if (known.size >= cacheLimit) known.clear()
    const time = judge(analyseRegex, source, flags)
    known.set(key, time)
    return time
  }
}

function judge(analyseRegex: typeof analyse, source: string, flags: string): RegexTime | undefined {
  const { reports } = analyseSafely(analyseRegex, source, flags)
  const worst =
    reports.find((report) => report.exponential) ??
    reports.find((report) => report.type !== 'Move') ??
    reports[0]
  if (worst === undefined) return undefined
  const growth = worst.exponential ? 'exponential' : worst.type === 'Move' ? 'scan' : 'polynomial'
  return { growth, character: worst.character.pick }
}

function analyseSafely(
  analyseRegex: typeof analyse,
  source: string,
  flags: string,
): Pick<ReturnType<typeof analyse>, 'reports'> {
  try {
    return analyseRegex({ source, flags }, {})
  } catch (error) {
    // Syntax of other engines and of newer editions is no statement about time.
    if (error instanceof SyntaxError) return { reports: [] }
    throw error
  }
}
