import type { LimitRule } from '../grammar.ts'

/** Statuses under which words about access or a model are said of something else. */
const OTHER_STATUSES = [429, 500, 502, 503, 529]

/** Money. A notice of a plan that ends by itself is a window instead. */
export const creditRules: readonly LimitRule[] = [
  {
    code: /^(?:insufficient_(?:balance|credits?|funds|user_quota)|payment_required|credit_(?:limit|balance)_\w{1,30})$/,
    kind: 'credit',
  },
  {
    text: [
      /\bcredit balance is too low\b/i,
      /\bused all (?:of your |your )?(?:available )?credits\b/i,
      /\bno (?:usage |api )?credits (?:left|remaining|available)\b/i,
      /\byou(?:'ve| have)\b[^\n.]{0,40}\b(?:exceeded|used up|exhausted|depleted)\b[^\n.]{0,30}\bcredits\b/i,
      /\byou(?:'ve| have)? (?:hit|reached|exceeded) your (?:[\w-]{1,20} ){0,3}spend(?:ing)? (?:cap|limit)\b/i,
      // A whole line of it is a provider's message even where nothing else shows one.
      /^[\s"']{0,4}(?:error:? ?)?(?:402:? ?)?(?:insufficient|not enough) (?:account |remaining )?(?:balance|credits?|funds)\b/im,
    ],
    kind: 'credit',
  },
  {
    text: [
      /\b(?:insufficient|not enough) (?:account |remaining |available |prepaid |api |usage )?(?:balance|credits?|funds)\b/i,
      /\b(?:hit|reached|exceeded)\b[^\n.]{0,40}\bspend(?:ing)? (?:cap|limit)\b/i,
      /\bspend(?:ing)? (?:cap|limit)\b[^\n.]{0,40}\b(?:hit|reached|exceeded)\b/i,
      /\bbilling hard limit\b|\bbilling is (?:not active|not enabled|disabled)\b/i,
      /\bpayment required\b|\badd a payment method\b|\boverdue (?:payment|balance|invoice)\b/i,
      /\bsubscription has (?:expired|lapsed|been cancell?ed)\b/i,
    ],
    needsApi: true,
    kind: 'credit',
  },
  {
    text: /\b(?:out of|run out of|ran out of) (?:(?:usage|api|ai|prepaid|premium|flex|your) ){0,2}(?:credits|extra usage)\b/i,
    kind: 'credit',
    kindWithReset: 'window',
  },
  {
    text: [
      /\bexceeded your current quota, please check your plan and billing\b/i,
      /\bquota exceeded\. check your plan and billing\b/i,
    ],
    kind: 'credit',
    kindWithReset: 'throttle',
  },
]

/** A key, a model or a content that the provider does not take. */
export const accessRules: readonly LimitRule[] = [
  {
    code: /^(?:model_(?:not_found|not_available|deprecated|decommissioned|retired)|unknown_model|invalid_model)$/i,
    kind: 'model_gone',
  },
  {
    text: [
      /\bmodel\b[^\n]{0,100}\b(?:not found|does not exist|doesn't exist|not supported|no longer (?:available|supported))\b/i,
      /\bmodel\b[^\n]{0,100}\b(?:has been|was|is) (?:deprecated|retired|decommissioned|removed|shut down)\b/i,
      /\b(?:no such|unknown|invalid) model\b/i,
    ],
    needsApi: true,
    exceptStatuses: OTHER_STATUSES,
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
    text: [
      /\b(?:invalid|incorrect|missing|expired|revoked)[^\n.]{0,20}\bapi[- _]?key\b/i,
      /\bapi key (?:is |not )?(?:invalid|valid|expired|revoked|missing)\b/i,
      /\bauthentication (?:failed|required)\b|\bunauthori[sz]ed\b/i,
      /\b(?:organization|account) has been (?:disabled|suspended|deactivated)\b/i,
    ],
    needsApi: true,
    exceptStatuses: OTHER_STATUSES,
    kind: 'auth',
  },
  { code: /^(?:content_filter(?:ed)?|content_policy_violation|safety)$/i, kind: 'refused' },
  {
    text: /\b(?:violat\w{1,6}|flagged|blocked|rejected|refused)\b[^\n.]{0,60}\b(?:usage polic|content polic|content filter|safety|content management polic)/i,
    needsApi: true,
    kind: 'refused',
  },
]
