import type { SourceConfig } from '../config/index.ts'
import { type AnthropicReply, readAnthropicReply } from './anthropic-reply.ts'
import { checkApiSource, readApiKey, readIdleMs } from './api-source.ts'
import { exchange } from './http-exchange.ts'
import { type ApiReply, readExchange, type ReplyEnd } from './http-outcome.ts'
import { makeOutcome } from './outcome.ts'
import type { LaunchRequest, Provider } from './provider.ts'

const DEFAULT_ENDPOINT = 'https://api.anthropic.com'
const API_VERSION = '2023-06-01'

/** Anthropic's Messages API (`POST {endpoint}/v1/messages`). */
export const anthropic: Provider = {
  name: 'anthropic',
  title: 'Anthropic Messages API',
  kind: 'api',
  inProcess: 'always',
  abilities: { readsFiles: false, structuredOutput: true },
  overheadTokens: 20,

  checkSource(source, context) {
    if (source.endpoint === undefined && source.api_key_env === undefined) {
      return 'it needs api_key_env, the name of the environment variable that holds the key'
    }
    return checkApiSource(source, context)
  },

  async launch(source, request, context) {
    const problem = this.checkSource(source, context)
    if (problem !== null) return makeOutcome('auth', { message: problem })
    const key = readApiKey(source, context)
    const answer = await exchange({
      url: renderUrl(source),
      headers: {
        'anthropic-version': API_VERSION,
        ...(key === undefined ? {} : { 'x-api-key': key }),
      },
      body: renderBody(source, request),
      timeoutMs: request.timeoutMs,
      idleTimeoutMs: readIdleMs(source),
      signal: request.signal,
    })
    return readExchange(answer, { source, context, secrets: key === undefined ? [] : [key] }, read)
  },
}

/** Endpoints are written with and without the version. */
function renderUrl({ endpoint = DEFAULT_ENDPOINT }: SourceConfig): string {
  return `${endpoint.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/messages`
}

function renderBody(source: SourceConfig, request: LaunchRequest): object {
  const { idle_timeout_ms: _idle, ...parameters } = source.parameters ?? {}
  return {
    model: source.model,
    messages: [{ role: 'user', content: renderContent(request) }],
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...parameters,
  }
}

/** The start that many prompts share is marked, so that only the first of them pays for reading it. */
function renderContent({ prompt, sharedPrefixLength = 0 }: LaunchRequest): object[] {
  if (sharedPrefixLength <= 0 || sharedPrefixLength >= prompt.length) {
    return [{ type: 'text', text: prompt }]
  }
  return [
    {
      type: 'text',
      text: prompt.slice(0, sharedPrefixLength),
      cache_control: { type: 'ephemeral' },
    },
    { type: 'text', text: prompt.slice(sharedPrefixLength) },
  ]
}

function read(body: string, contentType: string): ApiReply | null {
  const reply = readAnthropicReply(body, contentType)
  if (reply === null) return null
  const { text, usage, model, error } = reply
  return {
    facts: { text: text === '' ? null : text, usage, answeredModel: model },
    error,
    end: readEnd(reply),
  }
}

function readEnd({ stopReason, explanation }: AnthropicReply): ReplyEnd {
  switch (stopReason) {
    case null:
      return { kind: 'open' }
    case 'refusal':
      return { kind: 'refused', message: explanation ?? 'the model declined to answer' }
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return { kind: 'output_budget' }
    case 'tool_use':
    case 'pause_turn':
      return { kind: 'unfinished', message: `the model stopped with ${stopReason}` }
    default:
      return { kind: 'complete' }
  }
}
