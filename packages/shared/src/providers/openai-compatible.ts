import type { SourceConfig } from '../config/index.ts'
import { readChatReply } from './chat-reply.ts'
import { exchange, type HttpExchange } from './http-exchange.ts'
import { classifyOutcome, makeOutcome, type OutcomeFacts } from './outcome.ts'
import type {
  LaunchContext,
  LaunchOutcome,
  LaunchRequest,
  OutcomeClass,
  Provider,
} from './provider.ts'
import { renderSnippet } from './redact.ts'

const DEFAULT_IDLE_MS = 300_000

/** Any service with a chat-completions endpoint (`POST {endpoint}/chat/completions`). */
export const openaiCompatible: Provider = {
  name: 'openai-compatible',
  title: 'Chat-completions endpoint',
  kind: 'api',
  inProcess: 'always',
  abilities: { readsFiles: false, structuredOutput: true },
  overheadTokens: 20,

  checkSource(source, { environment }) {
    if (source.endpoint === undefined) return 'it needs an endpoint'
    if (!URL.canParse(source.endpoint)) return `its endpoint ${source.endpoint} is not a URL`
    if (source.model === undefined) return 'it needs a model'
    const { api_key_env: apiKeyEnv } = source
    if (apiKeyEnv !== undefined && !environment[apiKeyEnv]) {
      return `the environment variable ${apiKeyEnv} is not set`
    }
    return null
  },

  async launch(source, request, context) {
    const problem = this.checkSource(source, context)
    if (problem !== null) return makeOutcome('auth', { message: problem })
    const key =
      source.api_key_env === undefined ? undefined : context.environment[source.api_key_env]
    const answer = await exchange({
      url: `${(source.endpoint ?? '').replace(/\/+$/, '')}/chat/completions`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      body: renderBody(source, request),
      timeoutMs: request.timeoutMs,
      idleTimeoutMs: readIdleMs(source),
      signal: request.signal,
    })
    return readAnswer(answer, { source, context, secrets: key === undefined ? [] : [key] })
  },
}

function renderBody(source: SourceConfig, request: LaunchRequest): object {
  const {
    idle_timeout_ms: _idle,
    response_format_json: wantsJson,
    ...parameters
  } = source.parameters ?? {}
  return {
    model: source.model,
    messages: [{ role: 'user', content: request.prompt }],
    max_tokens: request.maxOutputTokens,
    stream: true,
    stream_options: { include_usage: true },
    ...(wantsJson === true ? { response_format: { type: 'json_object' } } : {}),
    ...parameters,
  }
}

function readIdleMs(source: SourceConfig): number {
  const value = source.parameters?.['idle_timeout_ms']
  return typeof value === 'number' && value > 0 ? value : DEFAULT_IDLE_MS
}

interface AnswerContext {
  readonly source: SourceConfig
  readonly context: LaunchContext
  readonly secrets: readonly string[]
}

function readAnswer(answer: HttpExchange, from: AnswerContext): LaunchOutcome {
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
    case 'response':
      return readResponse(answer, from)
  }
}

type HttpResponse = Extract<HttpExchange, { kind: 'response' }>

function readResponse(response: HttpResponse, from: AnswerContext): LaunchOutcome {
  const { status, headers, body } = response
  if (status < 200 || status > 299) {
    const fallback = status >= 500 || status === 408 ? 'transient' : 'crash'
    return fail(response, from, fallback, {})
  }
  const reply = readChatReply(body, headers['content-type'] ?? '')
  if (reply === null) {
    const message = `HTTP ${status} without an answer in it`
    return makeOutcome(response.cut ? 'transient' : 'bad_output', {
      message,
      headers,
      evidence: { channel: 'http', status, snippet: renderSnippet(body, from.secrets) },
    })
  }
  const facts: OutcomeFacts = {
    text: reply.text === '' ? null : reply.text,
    usage: reply.usage,
    answeredModel: reply.model,
    headers,
  }
  if (reply.error !== undefined && reply.error !== null)
    return fail(response, from, 'transient', facts)
  if (reply.finishReason === 'content_filter' || reply.refusal !== null) {
    return makeOutcome('refused', {
      ...facts,
      message: reply.refusal ?? 'the content filter stopped the answer',
    })
  }
  if (reply.finishReason === null && response.cut) {
    return makeOutcome('transient', { ...facts, message: 'the answer was cut off' })
  }
  if (reply.text.trim() === '')
    return makeOutcome('bad_output', { ...facts, message: 'the answer is empty' })
  return makeOutcome('ok', facts)
}

function fail(
  response: HttpResponse,
  { source, context, secrets }: AnswerContext,
  fallback: OutcomeClass,
  facts: OutcomeFacts,
): LaunchOutcome {
  const { status, headers, body } = response
  const snippet = renderSnippet(body, secrets)
  return classifyOutcome(
    {
      status,
      headers,
      body,
      provider: source.provider,
      channel: 'error',
      now: context.clock.now(),
    },
    fallback,
    {
      headers,
      message: `HTTP ${status}: ${snippet.slice(0, 300)}`,
      evidence: { channel: 'http', status, snippet },
      ...facts,
    },
  )
}
