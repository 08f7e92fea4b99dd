import type { Evidence } from './evidence.ts'
import type { LimitRule, ProviderGrammar } from './grammar.ts'
import { commonGrammars, providerGrammars } from './grammars/index.ts'

/** A rule that holds for some evidence. */
export interface RuleMatch {
  readonly rule: LimitRule
  readonly grammar: ProviderGrammar
  /** Whether a field of an error body decided, or words. */
  readonly source: 'body' | 'prose'
  readonly family?: string
}

/** The rules that hold: the best that says which limit it is, and the best that only says that there is one. */
interface RuleMatches {
  readonly specific: RuleMatch | undefined
  readonly generic: RuleMatch | undefined
}

/** The grammar of a provider's name; undefined for a name that has none. */
export function findGrammar(provider: string | undefined): ProviderGrammar | undefined {
  const name = provider?.toLowerCase().replaceAll('_', '-')
  return providerGrammars.find(({ names }) => name !== undefined && names.includes(name))
}

/**
 * Tries rules in the order of their grammars. Fields are read before words, save for words that hold whatever the
 * fields say.
 */
export function matchRules(evidence: Evidence, provider: string | undefined): RuleMatches {
  const matches = listMatches(evidence, selectGrammars(evidence, provider))
  const specific = matches.filter(({ rule }) => rule.isGeneric !== true)
  const generic = matches.filter(({ rule }) => rule.isGeneric === true)
  return { specific: pickFirst(specific), generic: pickFirst(generic) }
}

function pickFirst(matches: readonly RuleMatch[]): RuleMatch | undefined {
  return matches.find(({ rule, source }) => source === 'body' || rule.isDecisive) ?? matches[0]
}

function listMatches(
  evidence: Evidence,
  grammars: readonly ProviderGrammar[],
): readonly RuleMatch[] {
  return grammars.flatMap((grammar) =>
    grammar.rules.flatMap((rule) => matchRule(rule, grammar, evidence) ?? []),
  )
}

/** A known provider's own grammar and those it may pass on; every grammar for an unknown one. Common ones come last. */
function selectGrammars(
  evidence: Evidence,
  provider: string | undefined,
): readonly ProviderGrammar[] {
  const own = findGrammar(provider)
  const speaks = own === undefined ? 'every' : own.speaks
  const others = providerGrammars.filter(
    (grammar) => grammar !== own && isSpoken(grammar, speaks) && isRecognised(grammar, evidence),
  )
  return own === undefined ? [...others, ...commonGrammars] : [own, ...others, ...commonGrammars]
}

function isSpoken(grammar: ProviderGrammar, speaks: ProviderGrammar['speaks']): boolean {
  if (speaks === 'every') return true
  return grammar.names.some((name) => speaks?.includes(name) === true)
}

function isRecognised({ onlyIf }: ProviderGrammar, evidence: Evidence): boolean {
  if (onlyIf === undefined) return true
  return onlyIf.test(evidence.text) || evidence.codes.some((code) => onlyIf.test(code))
}

function matchRule(
  rule: LimitRule,
  grammar: ProviderGrammar,
  evidence: Evidence,
): RuleMatch | undefined {
  const status = evidence.status ?? evidence.proseStatus
  if (rule.needsApi === true && !evidence.hasApi) return undefined
  if (rule.statuses !== undefined && !rule.statuses.includes(status ?? 0)) return undefined
  if (rule.exceptStatuses?.includes(status ?? 0) === true) return undefined
  const words = matchWords(rule, evidence.text)
  if (words === undefined) return undefined
  const source = rule.code === undefined ? 'prose' : matchCode(rule.code, evidence)
  if (source === undefined) return undefined
  return { rule, grammar, source, ...words }
}

function matchCode(code: RegExp, evidence: Evidence): RuleMatch['source'] | undefined {
  if (evidence.codes.some((value) => code.test(value))) return 'body'
  return evidence.proseCodes.some((value) => code.test(value)) ? 'prose' : undefined
}

/** Undefined when the rule's words are not there; the model family where they name one. */
function matchWords(rule: LimitRule, text: string): { family?: string } | undefined {
  if (rule.alsoText !== undefined && !rule.alsoText.test(text)) return undefined
  if (rule.text === undefined) return {}
  for (const pattern of [rule.text].flat()) {
    const match = pattern.exec(text)
    if (match === null) continue
    const family = match.groups?.['family']?.toLowerCase()
    return family === undefined ? {} : { family }
  }
  return undefined
}
