import type { SourceConfig } from '../config/index.ts'
import { classifyOutcome, makeOutcome, type OutcomeFacts } from './outcome.ts'
import type { LaunchContext, LaunchOutcome } from './provider.ts'

export interface TextContext {
  readonly source: SourceConfig
  readonly context: LaunchContext
}

/** Longest reply that can be a refusal and nothing else. */
const MAX_REFUSAL_CHARACTERS = 1200

/** First words of replies that decline; a worker that answers begins with its answer. */
const REFUSALS: readonly RegExp[] = [
  /^(?:i'?m |i am )?(?:really |very |so )?sorry,? (?:but )?(?:i|this|that|your request)\b[^.]{0,60}\b(?:can(?:no|')?t|unable|won'?t|not able|not allowed)\b/,
  /^(?:unfortunately,? )?(?:i|we) (?:can(?:no|')?t|won'?t|must decline|am unable|'?m unable|am not able|'?m not able|decline)\b[^.]{0,20}\b(?:help|assist|comply|continue|fulfil|complete|provide|support|engage|discuss|answer|respond|do that|do this|to)\b/,
  /^(?:this|your) (?:request|prompt|message|content) (?:was|has been|is|may be|might be)\b[^.]{0,40}\b(?:flagged|blocked|refused|rejected|violat\w+|against)\b/,
  /^(?:this|your) (?:request|prompt|message|content) (?:appears to )?violates?\b/,
]

/** Whether a reply declines and does nothing else. */
export function isRefusal(reply: string): boolean {
  if (reply.length > MAX_REFUSAL_CHARACTERS || /[{[]\s*["\]}]/.test(reply)) return false
  const text = reply
    .normalize('NFKC')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .trim()
    .toLowerCase()
  return REFUSALS.some((refusal) => refusal.test(text))
}

/**
 * The outcome of a worker that ended well and handed back this text. Nothing, a refusal and a limit notice in the place
 * of an answer are no answers.
 */
export function judgeText(
  text: string | null,
  facts: OutcomeFacts,
  { source, context }: TextContext,
): LaunchOutcome {
  if (text === null || text.trim() === '') {
    const message = 'it ended well and answered nothing'
    return makeOutcome('bad_output', { ...facts, text: null, fault: 'empty_reply', message })
  }
  if (isRefusal(text)) {
    return makeOutcome('refused', { ...facts, text: null, message: text.trim().slice(0, 300) })
  }
  const outcome = classifyOutcome(
    { text, provider: source.provider, channel: 'result', now: context.clock.now() },
    'ok',
    { ...facts, text },
  )
  // A notice is no work: it is told, and never stored as a result.
  return outcome.class === 'ok' ? outcome : { ...outcome, text: null, message: text.trim() }
}
