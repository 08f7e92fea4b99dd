import type { LaunchOutcome } from './provider.ts'

/** What the name of the model that answered says about the one that was asked for. */
export type ModelMatch = 'same' | 'different' | 'unknown'

/**
 * Compares a model's name as it was asked for with the one that answered. Dates, versions and a vendor's prefix may be
 * added; a word may not, unless what was asked for is a bare alias such as `opus`: `gpt-5-mini` is not `gpt-5`.
 */
export function matchModel(asked: string | null | undefined, answered: string | null): ModelMatch {
  if (asked === null || asked === undefined || answered === null) return 'unknown'
  const wanted = splitName(asked)
  const found = splitName(answered)
  const start = found.findIndex((_, at) =>
    wanted.every((word, index) => found[at + index] === word),
  )
  if (start < 0) return 'different'
  const isAlias = wanted.length === 1 && !/\d/.test(asked)
  const added = found.slice(start + wanted.length)
  return isAlias || added.every((word) => isQualifier(word)) ? 'same' : 'different'
}

/** The words of a name without the route to it (`openrouter/vendor/name`) and words that choose nothing. */
function splitName(name: string): string[] {
  const own = name.toLowerCase().split('/').at(-1) ?? ''
  return own.split(/[-_:.@\s[\]]+/).filter((word) => word !== '' && word !== 'latest')
}

/** Dates and version numbers. */
function isQualifier(word: string): boolean {
  return /^v?\d+[a-z]?$/.test(word) || word === 'preview'
}

/** An outcome whose answer comes from another model than asked is no answer where that is not accepted. */
export function refuseDowngrade(
  outcome: LaunchOutcome,
  asked: string | null | undefined,
): LaunchOutcome {
  if (outcome.class !== 'ok' || matchModel(asked, outcome.answeredModel) !== 'different') {
    return outcome
  }
  return {
    ...outcome,
    class: 'bad_output',
    fault: 'downgraded',
    message: `asked for ${asked}, answered by ${outcome.answeredModel}`,
  }
}
