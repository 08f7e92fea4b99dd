import { normaliseText } from './normalise-text.ts'

/** Longest reply that can be a notice and nothing else. */
const MAX_CHARACTERS = 600

/** First clauses of the notices that CLIs give in the place of a reply. */
const OPENINGS: readonly RegExp[] = [
  /^(?:claude (?:ai |code )?)?usage limit reached\.?$/i,
  /^you(?:'ve| have) (?:hit|reached|exceeded) your (?:[\w.-]{1,30} ){0,4}limit(?: for [\w.-]{1,60}?)?\.?$/i,
  /^(?:[\w.-]{1,20} ){0,2}(?:usage|session|weekly|monthly|daily|plan|\d{1,3}-hour) limit (?:reached|exceeded|hit)\.?$/i,
  /^you(?:'re| are) out of (?:extra usage|(?:usage )?credits)\.?$/i,
  /^you have exhausted your (?:capacity|daily quota) on this model\.?$/i,
  /^credit balance is too low\.?$/i,
  /^sorry, you've hit a rate limit that restricts the number of copilot model requests[\w ,'/()-]{0,160}\.?$/i,
  /^api error: (?:request rejected \(429\)|529 overloaded|(?:server|repeated 529)[\w ()]{1,60})\.?$/i,
]

/** The same for one model's limit: a notice only together with its reset. */
const BARE_OPENING = /^(?!rate )[\w.-]{2,20} limit (?:reached|hit)\.?$/i

/** What notices say after that: what to do about it. */
const ADVICE =
  /^(?:\/upgrade|\/extra-usage|upgrade|turn on|or turn on|visit|enable|switch|or switch|run \/|send a request|purchase|contact|to (?:get|continue|increase|request)|rate limited|retrying in|attempt \d|please try again later)\b[^{};=<>[\]]{0,240}$/i

/** Words that a sentence about a reset consists of. */
const RESET_WORD =
  /^(?:your|the|you|can|will|be|is|it|limits?|quota|usage|resets?|reset|available|again|please|try|retry|wait|for|until|at|in|on|after|to|about|approximately|around|and|or|by|a|an|today|tomorrow|tonight|midnight|noon|next|less|than|\d[\d:.,/-]*(?:[a-z]{1,7}[\d.]{0,6}){0,4}|[ap]\.?m|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}|days?|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|weeks?|[a-z_]{1,20}(?:\/[a-z_+-]{1,30}){1,2}|[pmce][sd]?t|cet|cest|bst|ist|jst|kst|msk|utc|gmt)$/i

/**
 * Whether a reply is a limit notice and nothing else. A notice that is quoted, explained or part of an answer is not:
 * every clause must be an opening, a reset or advice.
 */
export function isWholeNotice(reply: string): boolean {
  if (reply.length > MAX_CHARACTERS) return false
  const clauses = normaliseText(reply)
    .split(/[\n\u00b7|]|(?<=[.!?])\s|\sor (?=switch|try|upgrade|visit)/)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
  const [first, ...others] = clauses
  if (first === undefined || !(isOpening(first) || isBareOpening(first, others))) return false
  return others.every((clause) => isResetClause(clause) || ADVICE.test(clause) || isOpening(clause))
}

function isOpening(clause: string): boolean {
  return OPENINGS.some((opening) => opening.test(clause))
}

function isBareOpening(clause: string, others: readonly string[]): boolean {
  return (
    BARE_OPENING.test(clause) &&
    others.some((other) => /^resets? /i.test(other) && isResetClause(other))
  )
}

function isResetClause(clause: string): boolean {
  const words = clause.split(/[\s,()]/).map((word) => word.replace(/[.!]$/, ''))
  return words.every((word) => word === '' || RESET_WORD.test(word))
}
