import type { SourceConfig } from '../config/index.ts'
import { checkApiSource, readApiKey, readIdleMs } from './api-source.ts'
import { type ChatReply, readChatReply } from './chat-reply.ts'
import { exchange } from './http-exchange.ts'
import { type ApiReply, readExchange, type ReplyEnd } from './http-outcome.ts'
import { makeOutcome } from './outcome.ts'
import type { LaunchRequest, Provider } from './provider.ts'

/** Any service with a chat-completions endpoint (`POST {endpoint}/chat/completions`). */
export const openaiCompatible: Provider = {
  name: 'openai-compatible',
  title: 'Chat-completions endpoint',
  kind: 'api',
  inProcess: 'always',
  abilities: { readsFiles: false, structuredOutput: true },
  overheadTokens: 20,

  checkSource(source, context) {
    if (source.endpoint === undefined) return 'it needs an endpoint'
    return checkApiSource(source, context)
  },

  async launch(source, request, context) {
    const problem = this.checkSource(source, context)
    if (problem !== null) return makeOutcome('auth', { message: problem })
    const key = readApiKey(source, context)
    const answer = await exchange({
      url: `${(source.endpoint ?? '').replace(/\/+$/, '')}/chat/completions`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      body: renderBody(source, request),
      timeoutMs: request.timeoutMs,
      idleTimeoutMs: readIdleMs(source),
      signal: request.signal,
    })
    return readExchange(answer, { source, context, secrets: key === undefined ? [] : [key] }, read)
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

function read(body: string, contentType: string): ApiReply | null {
  const reply = readChatReply(body, contentType)
  if (reply === null) return null
  const { text, usage, model, error } = reply
  return {
    facts: { text: text === '' ? null : text, usage, answeredModel: model },
    error,
    end: readEnd(reply),
  }
}

function readEnd({ finishReason, refusal }: ChatReply): ReplyEnd {
  if (refusal !== null) return { kind: 'refused', message: refusal }
  switch (finishReason) {
    case null:
      return { kind: 'open' }
    case 'content_filter':
      return { kind: 'refused', message: 'the content filter stopped the answer' }
    case 'length':
      return { kind: 'output_budget' }
    case 'tool_calls':
    case 'function_call':
      return { kind: 'unfinished', message: 'the model asked for tools instead of answering' }
    default:
      return { kind: 'complete' }
  }
}
