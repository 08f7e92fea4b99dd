import type { LimitRule, ProviderGrammar } from '../grammar.ts'
import { accessRules, creditRules } from './generic-access.ts'
import { dayRules, throttleRules, windowRules } from './generic-limits.ts'

/** The item does not fit; comes before rates, whose words it shares. */
const tooLargeRules: readonly LimitRule[] = [
  {
    code: /^(?:context_(?:length|window)_exceeded|exceed_context_size_error|request_too_large|prompt_too_long)$/,
    kind: 'too_large',
  },
  {
    text: [
      /\bprompt is too long\b|\binput is too long for\b|\bprompt exceeds (?:the )?max/i,
      /\bmaximum (?:context|prompt|input) length\b/i,
      /\binput length and 'max_tokens' exceed\b/i,
      /\binput tokens exceed\b|\btoken count\b[^\n]{0,60}\bexceeds\b/i,
      /\bexceed(?:s|ed|ing)?\b[^\n]{0,60}\bcontext (?:length|window|size|limit)\b/i,
      /\bexceed(?:s|ed|ing)?\b[^\n]{0,60}\bmaximum (?:number of )?(?:input |prompt |allowed )?tokens\b/i,
      /\bcontext (?:length|window|size|limit)\b[^\n]{0,40}\bexceed(?:s|ed|ing)?\b/i,
      /\brange of input length should be\b/i,
    ],
    kind: 'too_large',
  },
  {
    text: [
      /\b(?:request|payload|entity|body|prompt|input|context|conversation)\b(?: is| was)? too (?:large|long|big)\b/i,
      /\breduce the length of (?:the|your) (?:messages|prompt|input)\b/i,
    ],
    needsApi: true,
    kind: 'too_large',
  },
]

/** The service is full or slow; nobody's account is short. */
const overloadRules: readonly LimitRule[] = [
  { code: /overloaded|(?:^|_)capacity_exceeded$/i, kind: 'overload' },
  { code: /(?:^|#|\/)(?:temporary-reduced-capacity|abnormal-usage-detected)$/, kind: 'overload' },
  {
    text: [
      /^[\s"']{0,4}overloaded[\s.!"']{0,4}$/im,
      /\b(?:api error|error|http|status):?[ (]{0,2}529\b/i,
      /\b529\b[^\n]{0,5}\boverloaded\b/i,
      // Followed by a noun the word is one of a programming language.
      /\b(?:models?|servers?|service|system|engine|api|provider|backend|we|we're|endpoint)\b[^\n.]{0,40}\boverloaded(?=[\s.,;!)"'-]{0,3}(?:$|or\b|right now|at the moment|with|currently|please|due|try|retry))/im,
      /\b(?:models?|servers?|service|system|engine|api|provider|backend|we|we're|endpoint)\b[^\n.]{0,40}\b(?:at (?:full |max |maximum )?capacity|too busy|out of capacity)/i,
      /\bexperiencing (?:unusually |very |exceptionally )?(?:high|heavy) (?:demand|load|traffic|volume)\b/i,
      /\bservice (?:is )?(?:temporarily |currently )?unavailable\b|\bmodel\b[^\n.]{0,60}\btemporarily unavailable\b/i,
      /\b(?:server|system|service) (?:is )?(?:currently |too )?busy\b/i,
      /\bno (?:available )?capacity (?:is )?(?:available|left|right now)\b|\binsufficient capacity\b/i,
      /\bcapacity (?:is )?exhausted\b|\btemporary capacity issue\b/i,
    ],
    kind: 'overload',
  },
]

/** The way to the provider. */
const transportRules: readonly LimitRule[] = [
  {
    text: [
      /\brequest timed out\b|\bconnection timed out\b|\bread timeout\b/i,
      /\bETIMEDOUT\b|\bdeadline exceeded\b/i,
    ],
    needsApi: true,
    exceptStatuses: [429],
    kind: 'timeout',
    isGeneric: true,
  },
  {
    text: /\bECONNRESET\b|\bECONNREFUSED\b|\bENOTFOUND\b|\bEAI_AGAIN\b|\bsocket hang up\b|\bfetch failed\b/,
    exceptStatuses: [429],
    kind: 'transient',
    isGeneric: true,
  },
  {
    text: /\bconnection error\b|\bbad gateway\b|\binternal server error\b/i,
    needsApi: true,
    exceptStatuses: [429],
    kind: 'transient',
    isGeneric: true,
  },
]

/** What everybody says, tried after a provider's own grammar. */
export const generic: ProviderGrammar = {
  names: ['generic'],
  rules: [
    ...tooLargeRules,
    ...creditRules,
    ...dayRules,
    ...windowRules,
    ...overloadRules,
    ...throttleRules,
    ...accessRules,
    ...transportRules,
  ],
}
