import type { SourceConfig } from '../config/index.ts'
import type { HttpExchange } from './http-exchange.ts'
import { judgeText } from './judge-text.ts'
import { classifyOutcome, makeOutcome, type OutcomeFacts } from './outcome.ts'
import type { LaunchContext, LaunchOutcome, OutcomeClass } from './provider.ts'
import { renderSnippet } from './redact.ts'

export type HttpResponse = Extract<HttpExchange, { kind: 'response' }>

/** What every reading of an answer needs beside the answer. */
export interface AnswerContext {
  readonly source: SourceConfig
  readonly context: LaunchContext
  /** Values that must not come back in a message. */
  readonly secrets: readonly string[]
}

/** An answer as its API words it, whole or as far as it came. */
export interface ApiReply {
  readonly facts: OutcomeFacts
  /** An error object inside a successful answer. */
  readonly error: unknown
  /** How the answer itself says that it ended. */
  readonly end: ReplyEnd
}

/** `open`: it does not say; a stream that is not cut may leave it out. */
export type ReplyEnd =
  | { readonly kind: 'open' | 'complete' | 'output_budget' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unfinished'; readonly message: string }

/**
 * The outcome of one exchange: its own end, or what `readReply` finds in a successful response (null: nothing that this
 * API says).
 */
export function readExchange(
  answer: HttpExchange,
  from: AnswerContext,
  readReply: (body: string, contentType: string) => ApiReply | null,
): LaunchOutcome {
  switch (answer.kind) {
    case 'cancelled':
      return makeOutcome('cancelled', { message: 'cancelled' })
    case 'timeout':
      return makeOutcome('timeout', { message: answer.message })
    case 'network':
      return makeOutcome('transient', {
        message: answer.message,
        evidence: { channel: 'network', snippet: renderSnippet(answer.message, from.secrets) },
      })
    case 'response': {
      const { status, headers, body } = answer
      if (status < 200 || status > 299) {
        return failResponse(answer, from, status >= 500 || status === 408 ? 'transient' : 'crash')
      }
      const reply = readReply(body, headers['content-type'] ?? '')
      return reply === null ? describeNoReply(answer, from) : judgeReply(answer, from, reply)
    }
  }
}

function describeNoReply(response: HttpResponse, { secrets }: AnswerContext): LaunchOutcome {
  const { status, headers, body, cut } = response
  return makeOutcome(cut ? 'transient' : 'bad_output', {
    message: `HTTP ${status} (${headers['content-type'] ?? 'no content type'}) without an answer in it`,
    headers,
    evidence: { channel: 'http', status, snippet: renderSnippet(body, secrets) },
    ...(cut ? {} : { fault: 'not_an_answer' }),
  })
}

function judgeReply(response: HttpResponse, from: AnswerContext, reply: ApiReply): LaunchOutcome {
  const facts = { ...reply.facts, headers: response.headers }
  if (reply.error !== undefined && reply.error !== null) {
    return failResponse(response, from, 'transient', facts)
  }
  switch (reply.end.kind) {
    case 'refused':
      return makeOutcome('refused', { ...facts, message: reply.end.message })
    case 'output_budget':
      return makeOutcome('bad_output', {
        ...facts,
        fault: 'output_budget',
        message: 'the answer is longer than the limit on output and was cut off there',
      })
    case 'unfinished':
      return makeOutcome('bad_output', {
        ...facts,
        fault: 'unfinished',
        message: reply.end.message,
      })
    case 'open':
    case 'complete':
      if (reply.end.kind === 'open' && response.cut) {
        return makeOutcome('transient', { ...facts, message: 'the answer was cut off' })
      }
      return judgeText(reply.facts.text ?? null, facts, from)
  }
}

function failResponse(
  response: HttpResponse,
  { source, context, secrets }: AnswerContext,
  fallback: OutcomeClass,
  facts: OutcomeFacts = {},
): LaunchOutcome {
  const { status, headers, body } = response
  const snippet = renderSnippet(body, secrets)
  const now = context.clock.now()
  return classifyOutcome(
    { status, headers, body, provider: source.provider, channel: 'error', now },
    fallback,
    {
      headers,
      message: `HTTP ${status}: ${snippet.slice(0, 300)}`,
      evidence: { channel: 'http', status, snippet },
      ...facts,
    },
  )
}
