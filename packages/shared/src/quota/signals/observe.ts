import type { ObservedLimits } from './signal.ts'

type Mutable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] }

/** Sizes against a context window; the groups tell which number is which. */
const CONTEXT_SIZES: readonly RegExp[] = [
  /(?<requested>\d[\d,]{0,14}) tokens > (?<limit>\d[\d,]{0,14}) maximum/i,
  /maximum context length (?:is|of) (?<limit>\d[\d,]{0,14}) tokens(?:[^\n]{0,80}?(?:requested|resulted in|contains?|has) (?:about )?(?<requested>\d[\d,]{0,14}) )?/i,
  /token count \(?(?<requested>\d[\d,]{0,14})\)? exceeds[^\n]{0,60}?\(?(?<limit>\d[\d,]{1,14})\)?/i,
  /\((?<requested>\d[\d,]{0,14}) tokens?\) exceeds[^\n]{0,60}?\((?<limit>\d[\d,]{0,14}) tokens?\)/i,
  /\bcontains (?<requested>\d[\d,]{0,14}) tokens[^\n]{0,80}?\b(?<limit>\d[\d,]{0,14}) maximum context length/i,
  /maximum prompt length is (?<limit>\d[\d,]{0,14})(?: but the request contains (?<requested>\d[\d,]{0,14}) )?/i,
  /token count of (?<requested>\d[\d,]{0,14}) exceeds the limit of (?<limit>\d[\d,]{0,14})/i,
  /exceed the configured limit of (?<limit>\d[\d,]{0,14}) tokens(?:[^\n]{0,40}?resulted in (?<requested>\d[\d,]{0,14}) )?/i,
  /exceed context limit: (?<requested>\d[\d,]{0,14}) \+ \d[\d,]{0,14} > (?<limit>\d[\d,]{0,14})/i,
]

/** `limit of 40,000 input tokens per minute`, `on tokens per min (TPM): Limit 30000`. */
const DIMENSION =
  /(?:\bof (?<limit>\d[\d,]{0,14}) )?\b(?<unit>(?:input |output |prompt |completion )?tokens|requests)(?:_usage_based)?[ _]per[ _](?:\w{1,20}[ _]){0,2}(?<period>second|sec|minute|min|hour|day|month)\b/i

const AMOUNTS: Readonly<Record<'limit' | 'used' | 'requested', RegExp>> = {
  limit: /\blimit:? (?<amount>\d[\d,]{0,14})(?!\.\d)/i,
  used: /\bused:? (?<amount>\d[\d,]{0,14})(?!\.\d|%)/i,
  requested: /\brequested:? (?<amount>\d[\d,]{0,14})(?!\.\d)/i,
}

const UNITS: Readonly<Record<string, NonNullable<ObservedLimits['dimension']>>> = {
  requests: 'request',
  tokens: 'token',
  'input tokens': 'input_token',
  'prompt tokens': 'input_token',
  'output tokens': 'output_token',
  'completion tokens': 'output_token',
}
const PERIOD_SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  sec: 1,
  minute: 60,
  min: 60,
  hour: 3_600,
  day: 86_400,
  month: 30 * 86_400,
}

/** What an error's words say about a limit: its unit, period and size, what was used and what was asked for. */
export function observeLimits(text: string): ObservedLimits {
  for (const pattern of CONTEXT_SIZES) {
    const groups = pattern.exec(text)?.groups
    if (groups === undefined) continue
    return {
      dimension: 'context_token',
      ...pickAmount('limit', groups['limit']),
      ...pickAmount('requested', groups['requested']),
    }
  }
  const observed: Mutable<ObservedLimits> = {}
  const dimension = DIMENSION.exec(text)?.groups
  if (dimension !== undefined) {
    const unit = UNITS[dimension['unit']?.toLowerCase() ?? '']
    const perSeconds = PERIOD_SECONDS[dimension['period']?.toLowerCase() ?? '']
    if (unit !== undefined) observed.dimension = unit
    if (perSeconds !== undefined) observed.perSeconds = perSeconds
  }
  for (const [name, pattern] of Object.entries(AMOUNTS)) {
    Object.assign(observed, pickAmount(name, pattern.exec(text)?.groups?.['amount']))
  }
  return { ...observed, ...pickAmount('limit', dimension?.['limit']) }
}

function pickAmount(name: string, digits: string | undefined): Partial<Record<string, number>> {
  return digits === undefined ? {} : { [name]: Number(digits.replaceAll(',', '')) }
}
