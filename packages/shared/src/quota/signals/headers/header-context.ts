import type { ConstraintUnit } from '../../constraint.ts'
import { addDelay, parseDuration, parseRfc3339, readNumericInstant } from '../time/index.ts'

/** What a reader of headers needs to know beside them. */
export interface HeaderContext {
  /** The provider's name, folded; undefined when unknown. */
  readonly provider: string | undefined
  /** Epoch milliseconds of this machine's clock when the response arrived. */
  readonly receivedAt: number
  /** How far this machine's clock is ahead of the server's. */
  readonly skewMs: number
}

/** A reset as headers write it: a Go duration, RFC 3339, delta seconds, epoch seconds or milliseconds. */
export function readResetAt(text: string | undefined, context: HeaderContext): number | null {
  if (text === undefined) return null
  const { receivedAt, skewMs } = context
  if (/^\d{1,16}(?:\.\d{1,12})?$/.test(text)) {
    const number = Number(text)
    const at = readNumericInstant(number, receivedAt)
    return at === null || number < 1e9 ? at : at + skewMs
  }
  const instant = parseRfc3339(text)
  if (instant !== null) return instant + skewMs
  const durationMs = parseDuration(text)
  return durationMs === null ? null : addDelay(receivedAt, durationMs)
}

export const PERIOD_SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
}

/** Which unit a header's word counts. */
export function readUnit(word: string): ConstraintUnit | null {
  if (/^(?:req|requests?|generations?)$/.test(word)) return 'request'
  if (/^(?:input-tokens?|tokens?-(?:input|prompt)|prompt-tokens)$/.test(word)) return 'input_token'
  if (/^(?:output-tokens?|tokens?-(?:output|generated)|completion-tokens)$/.test(word))
    return 'output_token'
  return /^(?:[a-z]{1,20}-)?tokens?$/.test(word) ? 'token' : null
}
