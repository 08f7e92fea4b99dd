import type { LimitRule, ProviderGrammar } from '../grammar.ts'

/** The item does not fit; must come before rates, whose words it shares. */
const TOO_LARGE: readonly LimitRule[] = [
  {
    text: /\bprompt is too long\b|\binput is too long for\b|\bmaximum context length\b|\binput length and 'max_tokens' exceed\b/i,
    kind: 'too_large',
  },
  {
    text: /\bexceed(?:s|ed|ing)?\b[^\n]{0,60}\b(?:context (?:length|window|size|limit)|maximum (?:number of )?(?:input |prompt |allowed )?tokens)\b/i,
    kind: 'too_large',
  },
  {
    text: /\bcontext (?:length|window|size|limit)\b[^\n]{0,40}\bexceed(?:s|ed|ing)?\b|\binput token count\b[^\n]{0,60}\bexceeds\b/i,
    kind: 'too_large',
  },
  {
    text: /\b(?:request|payload|request entity|request body|prompt|input|context)\b(?: is| was)? too (?:large|long|big)\b|\breduce the length of (?:the|your) (?:messages|prompt|input)\b/i,
    needsApi: true,
    kind: 'too_large',
  },
  {
    code: /^(?:context_(?:length|window)_exceeded|exceed_context_size_error|request_too_large|prompt_too_long)$/,
    kind: 'too_large',
  },
]

/** Money. A notice of a plan that ends by itself is a window instead. */
const CREDIT: readonly LimitRule[] = [
  {
    code: /^(?:insufficient_(?:balance|credits?|funds)|payment_required|credit_(?:limit|balance)_\w{1,30}|exceeded_current_quota_error|insufficient_user_quota)$/,
    kind: 'credit',
  },
  {
    text: /\bcredit balance is too low\b|\bused all (?:of your |your |available )?(?:available )?credits\b|\bno (?:usage |api )?credits (?:left|remaining|available)\b/i,
    kind: 'credit',
  },
  {
    text: /\b(?:insufficient|not enough) (?:account |remaining |available |prepaid |api |usage )?(?:balance|credits?|funds)\b/i,
    needsApi: true,
    kind: 'credit',
  },
  {
    // A whole line of it is a provider's message even where nothing else shows one.
    text: /^[\s"']{0,4}(?:error:? ?)?(?:402:? ?)?(?:insufficient|not enough) (?:account |remaining )?(?:balance|credits?|funds)\b/im,
    kind: 'credit',
  },
  {
    text: /\bout of (?:(?:usage|api|ai|prepaid|premium|flex|your) ){0,2}(?:credits|extra usage)\b/i,
    kind: 'credit',
    kindWithReset: 'window',
  },
  {
    text: /\byou(?:'ve| have)? (?:hit|reached|exceeded) your (?:[\w-]{1,20} ){0,3}spend(?:ing)? (?:cap|limit)\b/i,
    kind: 'credit',
  },
  {
    text: /\b(?:hit|reached|exceeded)\b[^\n.]{0,40}\bspend(?:ing)? (?:cap|limit)\b|\bspend(?:ing)? (?:cap|limit)\b[^\n.]{0,40}\b(?:hit|reached|exceeded)\b/i,
    needsApi: true,
    kind: 'credit',
  },
  {
    text: /\bbilling hard limit\b|\bbilling is (?:not active|not enabled|disabled)\b|\bpayment required\b|\badd a payment method\b|\bsubscription has (?:expired|lapsed|been cancell?ed)\b|\boverdue (?:payment|balance|invoice)\b/i,
    needsApi: true,
    kind: 'credit',
  },
  {
    text: /\bexceeded your current quota, please check your plan and billing\b|\bquota exceeded\. check your plan and billing\b/i,
    kind: 'credit',
    kindWithReset: 'throttle',
  },
]

const DAY: readonly LimitRule[] = [
  {
    text: [
      /\b(?:requests|tokens|queries|calls|messages|models|generations|prompts)[-_ ]per[-_ ](?:\w{1,20}[-_ ]){0,3}day\b|\b(?:RPD|TPD)\b|\bbyday\b|\w{3,40}ByDay\b|\bper 86400 ?s\b/i,
      /\blimit|\bquota|\btoo many\b|\bexceed/i,
    ],
    kind: 'day',
  },
  {
    text: /\bdaily (?:[\w-]{1,20} ){0,2}(?:limits?|quota|allowance|cap)\b[^\n.]{0,40}\b(?:reached|exceeded|hit|exhausted|used up|met)\b/i,
    kind: 'day',
  },
  {
    text: /\b(?:reached|exceeded|hit|exhausted|used up|over)\b[^\n.]{0,40}\bdaily (?:[\w-]{1,20} ){0,2}(?:limits?|quota|allowance|cap)\b/i,
    kind: 'day',
  },
]

/** Words between `your` and `limit` that name a whole plan and not one model family. */
const PLAN_WORDS =
  '(?:usage|session|weekly|monthly|hourly|plan|account|subscription|message|messages|conversation|current|five|seven|pro|max|team|claude|codex|chatgpt|api|overall|total|\\d{1,3}-?(?:h|hr|hour|d|day))'
/** Limits that are not plan windows. */
const OTHER_WORDS =
  '(?:rate|spend|spending|credit|billing|budget|context|token|size|concurrency|daily)'

const WINDOW: readonly LimitRule[] = [
  {
    text: new RegExp(
      `\\byou(?:'ve| have) (?:already )?(?:hit|reached|exceeded) your (?!${PLAN_WORDS}\\b|${OTHER_WORDS}\\b)(?<family>[\\w.-]{2,40}) (?:weekly |usage |weekly usage )?limits?\\b`,
      'i',
    ),
    kind: 'window',
    scope: 'model',
  },
  {
    text: new RegExp(
      `\\byou(?:'ve| have)? (?:already )?(?:hit|reached|exceeded|exhausted|used up|used all of) (?:your|the) (?!(?:[\\w-]{1,20} ){0,2}${OTHER_WORDS}\\b)(?:[\\w.-]{1,20} ){0,4}limits?\\b`,
      'i',
    ),
    kind: 'window',
  },
  {
    text: /\b(?<family>opus|sonnet|haiku) (?:weekly |usage )?limit (?:has been |was |is )?(?:reached|exceeded|hit)\b/i,
    kind: 'window',
    scope: 'model',
  },
  {
    text: /\b(?:usage|weekly|monthly|hourly|session|plan|subscription|\d{1,3}[- ]?(?:hours?|hrs?|h|days?|d)|five[- ]hour|seven[- ]day)(?: [\w-]{1,20}){0,2} (?:limits?|quota|allowance) (?:has been |have been |was |is )?(?:reached|exceeded|hit|exhausted|used up)\b/i,
    kind: 'window',
  },
  {
    text: /\b(?:reached|exceeded|hit|exhausted|used up|over)\b[^\n.]{0,30}\b(?:weekly|monthly|5-hour|five-hour) (?:[\w-]{1,20} ){0,2}(?:limits?|quota|allowance)\b/i,
    kind: 'window',
  },
  {
    text: [/(?<!\brate[- ])\blimit (?:has been |was |is )?(?:reached|hit)\b/i, /\bresets?\b/i],
    kind: 'window',
  },
]

const OVERLOAD: readonly LimitRule[] = [
  { code: /overloaded|(?:^|_)capacity_exceeded$/i, kind: 'overload' },
  { code: /(?:^|#|\/)(?:temporary-reduced-capacity|abnormal-usage-detected)$/, kind: 'overload' },
  {
    text: /^[\s"']{0,4}overloaded[\s.!"']{0,4}$|\b(?:api error|error|http|status):?[ (]{0,2}529\b|\b529\b[^\n]{0,5}\boverloaded\b/im,
    kind: 'overload',
  },
  {
    text: /\b(?:models?|servers?|service|system|engine|api|provider|backend|we|we're|claude|gemini|endpoint)\b[^\n.]{0,40}\b(?:overloaded(?=[\s.,;!)"'-]{0,3}(?:$|right now|at the moment|with|currently|please|due|try|retry|with))|at (?:full |max |maximum )?capacity|too busy|out of capacity)/im,
    kind: 'overload',
  },
  {
    text: /\bexperiencing (?:unusually |very |exceptionally )?(?:high|heavy) (?:demand|load|traffic|volume)\b|\bservice (?:is )?(?:temporarily |currently )?unavailable\b|\bserver is busy\b|\bno (?:available )?capacity (?:is )?(?:available|left|right now)\b|\bcapacity (?:is )?exhausted\b|\btemporary capacity issue\b/i,
    kind: 'overload',
  },
]

/** Limits of a minute or less, and limits of which nothing more is said. */
const THROTTLE: readonly LimitRule[] = [
  {
    text: [
      /\b(?:requests|tokens|queries|calls|messages|input|prompts)[-_ ](?:tokens )?per[-_ ](?:\w{1,20}[-_ ]){0,2}(?:second|sec|minute|min|hour)\b|\b[RT]P[MSH]\b|\w{3,40}ByMinute\b/i,
      /\blimit|\bquota|\btoo many\b|\bexceed/i,
    ],
    exceptStatuses: [400],
    kind: 'throttle',
  },
  {
    code: /rate_?limit|too_?many_?requests|throttl|(?:^|#|\/)quota-exceeded$/i,
    kind: 'throttle',
    isGeneric: true,
  },
  {
    text: /\brate[- _]?limit(?:s|ed|ing)?\b[^\n]{0,60}\b(?:reached|exceed(?:ed|s)?|hit)\b|\b(?:hit|reached|exceed(?:s|ed)?|over)\b[^\n]{0,60}\brate[- ]?limits?\b/i,
    exceptStatuses: [400],
    kind: 'throttle',
    isGeneric: true,
  },
  {
    text: /\b(?:being|been|was|were|is|are|got|getting) (?:temporarily )?(?:rate[- ]limited|throttled)\b|\brate[- ]limited\b(?=[^\n]{0,40}(?:\bretry|\btry again|\b429\b))|\b429\b[^\n]{0,40}\brate[- ]limited\b/i,
    exceptStatuses: [400],
    kind: 'throttle',
    isGeneric: true,
  },
  {
    text: /\btoo many (?:concurrent |simultaneous |parallel )?(?:requests|connections|calls)\b|\bconcurrency limit\b[^\n.]{0,30}\b(?:reached|exceeded|hit)\b/i,
    exceptStatuses: [400],
    kind: 'throttle',
    isGeneric: true,
  },
]

const ACCESS: readonly LimitRule[] = [
  {
    code: /^(?:model_(?:not_found|not_available|deprecated|decommissioned|retired)|unknown_model|invalid_model)$/i,
    kind: 'model_gone',
  },
  {
    text: /\bmodel\b[^\n]{0,100}\b(?:not found|does not exist|doesn't exist|not supported|no longer (?:available|supported)|(?:has been|was|is) (?:deprecated|retired|decommissioned|removed|shut down))\b|\b(?:no such|unknown|invalid) model\b/i,
    needsApi: true,
    exceptStatuses: [429, 500, 502, 503, 529],
    kind: 'model_gone',
  },
  {
    text: /^[\s"']{0,4}(?:error:? ?)?404:? model\b[^\n]{0,100}\bnot found\b/im,
    kind: 'model_gone',
  },
  {
    code: /^(?:invalid_(?:api_key|token|credentials)|authentication_(?:error|failed)|unauthori[sz]ed|permission_denied|access_denied|forbidden)$/i,
    kind: 'auth',
  },
  {
    text: /\b(?:invalid|incorrect|missing|expired|revoked)[^\n.]{0,20}\bapi[- _]?key\b|\bapi key (?:is |not )?(?:invalid|valid|expired|revoked|missing)\b|\bauthentication (?:failed|required)\b|\b(?:organization|account) has been (?:disabled|suspended|deactivated)\b|\bunauthori[sz]ed\b/i,
    needsApi: true,
    exceptStatuses: [429, 500, 502, 503, 529],
    kind: 'auth',
  },
  {
    code: /^(?:content_filter(?:ed)?|content_policy_violation|safety)$/i,
    kind: 'refused',
  },
  {
    text: /\b(?:violat\w{1,6}|flagged|blocked|rejected|refused)\b[^\n.]{0,60}\b(?:usage polic|content polic|content filter|safety|content management polic)/i,
    needsApi: true,
    kind: 'refused',
  },
]

const TRANSPORT: readonly LimitRule[] = [
  {
    text: /\brequest timed out\b|\bconnection timed out\b|\bETIMEDOUT\b|\bdeadline exceeded\b|\bread timeout\b/i,
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
    ...TOO_LARGE,
    ...CREDIT,
    ...DAY,
    ...WINDOW,
    ...OVERLOAD,
    ...THROTTLE,
    ...ACCESS,
    ...TRANSPORT,
  ],
}
