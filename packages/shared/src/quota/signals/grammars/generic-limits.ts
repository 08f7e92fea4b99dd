import type { LimitRule } from '../grammar.ts'

/** Shows that a text which counts per minute or per day is about a limit. */
const LIMIT_WORD = /\blimit|\bquota|\btoo many\b|\bexceed/i

export const dayRules: readonly LimitRule[] = [
  {
    text: [
      /(?<![a-z])(?:requests|tokens|queries|calls|messages|models|generations|prompts)(?:_usage_based)?[-_ ]per[-_ ](?:[a-z]{1,20}[-_ ]){0,3}day(?![a-z])/i,
      /\b(?:RPD|TPD)\b/,
      /[a-z]{3,40}ByDay\b/,
      /\bper 86400 ?s\b/i,
    ],
    alsoText: LIMIT_WORD,
    kind: 'day',
  },
  {
    text: [
      /\bdaily (?:[\w-]{1,20} ){0,2}(?:limits?|quota|allowance|allocation|cap)\b[^\n.]{0,40}\b(?:reached|exceeded|hit|exhausted|used up|met)\b/i,
      /\b(?:reached|exceeded|hit|exhausted|used up|over)\b[^\n.]{0,40}\bdaily (?:[\w-]{1,20} ){0,2}(?:limits?|quota|allowance|allocation|cap)\b/i,
    ],
    kind: 'day',
  },
]

/** Words between `your` and `limit` that name a whole plan and not one model family. */
const PLAN_WORDS =
  '(?:usage|session|weekly|monthly|hourly|plan|account|subscription|messages?|conversation|current|quota|pro|max|team|claude|codex|chatgpt|api|overall|total|five|seven|\\d{1,3}-?(?:h|hr|hour|d|day))'
/** Limits that are not plan windows. */
const OTHER_WORDS =
  '(?:rate|spend|spending|credit|billing|budget|context|token|size|concurrency|daily)'

/** Plan and session limits. */
export const windowRules: readonly LimitRule[] = [
  {
    text: new RegExp(
      `\\byou(?:'ve| have) (?:already )?(?:hit|reached|exceeded) your (?!${PLAN_WORDS}\\b|${OTHER_WORDS}\\b)(?<family>[\\w.-]{2,40}(?: \\d[\\w.]{0,5})?) (?:weekly |usage |weekly usage )?limits?\\b`,
      'i',
    ),
    kind: 'window',
    scope: 'model',
  },
  {
    text: new RegExp(
      `\\byou(?:'ve| have)? (?:already )?(?:hit|reached|exceeded|exhausted|used up|used all of) (?:your|the) (?!(?:[\\w'-]{1,20} ){0,2}${OTHER_WORDS}\\b)(?:[\\w.'-]{1,20} ){0,4}limits?\\b`,
      'i',
    ),
    kind: 'window',
  },
  {
    // `Opus weekly limit reached`; a limit of memory or recursion has no week and does not reset.
    text: new RegExp(
      `(?:^|[\\n\u00b7:(]) {0,3}(?!${PLAN_WORDS}\\b|${OTHER_WORDS}\\b)(?<family>[\\w.-]{2,40}) (?:weekly |usage )?limit (?:has been |was |is )?(?:reached|exceeded|hit)\\b`,
      'i',
    ),
    alsoText: /\bresets?\b|\bweekly limit\b/i,
    kind: 'window',
    scope: 'model',
  },
  {
    text: [
      /\b(?:usage|weekly|monthly|hourly|session|plan|subscription|five[- ]hour|seven[- ]day|\d{1,3}[- ]?(?:hours?|hrs?|h|days?|d))(?: [\w-]{1,20}){0,2} (?:limits?|quota|allowance) (?:has been |have been |was |is )?(?:reached|exceeded|hit|exhausted|used up)\b/i,
      /\b(?:reached|exceeded|hit|exhausted|used up|over)\b[^\n.]{0,30}\b(?:weekly|monthly|5-hour|five-hour) (?:[\w-]{1,20} ){0,2}(?:limits?|quota|allowance)\b/i,
    ],
    kind: 'window',
  },
  {
    text: /(?<!\brate[- ])\blimit (?:has been |was |is )?(?:reached|hit)\b/i,
    alsoText: /\bresets?\b/i,
    kind: 'window',
  },
]

/** Limits of an hour or less, and limits of which nothing more is said. */
export const throttleRules: readonly LimitRule[] = [
  {
    text: [
      /(?<![a-z])(?:requests|tokens|queries|calls|messages|generations|prompts|input)[-_ ](?:tokens[-_ ])?per[-_ ](?:[a-z]{1,20}[-_ ]){0,2}(?:second|sec|minute|min|hour)(?![a-z])/i,
      /\b[RT]P[MSH]\b/,
      /[a-z]{3,40}ByMinute\b/,
    ],
    alsoText: LIMIT_WORD,
    exceptStatuses: [400],
    kind: 'throttle',
  },
  {
    code: /rate_?limit|too_?many_?requests|throttl|(?:^|#|\/)quota-exceeded$/i,
    kind: 'throttle',
    isGeneric: true,
  },
  {
    text: [
      /\brate[- _]?limit(?:s|ed|ing)?\b[^\n]{0,60}\b(?:reached|exceed(?:ed|s)?|hit)\b/i,
      /\b(?:hit|reached|exceed(?:s|ed)?|over)\b[^\n]{0,60}\brate[- ]?limits?\b/i,
      /\b(?:being|been|was|were|is|are|got|getting) (?:temporarily )?(?:rate[- ]limited|throttled)\b/i,
      /\brate[- ]limited\b(?=[^\n]{0,40}(?:\bretry|\btry again|\b429\b))/i,
      /^[\s"']{0,4}(?:error:? ?)?rate[- ]limited\b/im,
      /\b429\b[^\n]{0,40}\brate[- ]limited\b/i,
      /\btoo many (?:concurrent |simultaneous |parallel )?(?:requests|connections|calls)\b/i,
      /\bconcurrency limit\b[^\n.]{0,30}\b(?:reached|exceeded|hit)\b/i,
      /\bsending (?:requests|messages) too (?:quickly|fast)\b|\brequests? (?:is |are )?too frequent\b/i,
    ],
    exceptStatuses: [400],
    kind: 'throttle',
    isGeneric: true,
  },
]
