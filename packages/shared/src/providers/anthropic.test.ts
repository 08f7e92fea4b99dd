import { afterEach, expect, test } from 'vitest'

import { systemClock } from '../core/index.ts'
import {
  type ProviderReply,
  type ProviderServer,
  replyAnthropicError,
  replyOverloaded,
  replyPlanLimit,
  startProviderServer,
} from '../testing/index.ts'
import { anthropic } from './anthropic.ts'
import type { LaunchOutcome, LaunchRequest } from './provider.ts'

const KEY = 'sk-ant-test-0123456789abcdef'
const context = { clock: systemClock, environment: { TEST_KEY: KEY } }

let server: ProviderServer | undefined
afterEach(async () => {
  await server?.close()
})

async function launch(
  reply: ProviderReply,
  request: Partial<LaunchRequest> = {},
  parameters: Readonly<Record<string, boolean>> = {},
): Promise<LaunchOutcome> {
  server = await startProviderServer(() => reply)
  return anthropic.launch(
    {
      id: 's',
      provider: 'anthropic',
      endpoint: server.url,
      model: 'm-1',
      api_key_env: 'TEST_KEY',
      parameters: { ...parameters },
    },
    {
      prompt: 'Review this.',
      promptPath: '/nowhere/prompt',
      resultPath: '/nowhere/result',
      stdoutPath: '/nowhere/out',
      stderrPath: '/nowhere/err',
      repoRoot: '/',
      maxOutputTokens: 1000,
      timeoutMs: 10_000,
      signal: new AbortController().signal,
      ...request,
    },
    context,
  )
}

test.each([
  ['streamed', {}],
  ['whole', { stream: false }],
])('an answer that comes %s has its text, model and all tokens that went in', async (_, extra) => {
  const outcome = await launch(
    {
      kind: 'answer',
      text: '{"findings": []}',
      inputTokens: 1200,
      cachedInputTokens: 900,
      outputTokens: 7,
      model: 'm-1-20260101',
      headers: { 'anthropic-ratelimit-requests-remaining': '41' },
    },
    {},
    extra,
  )
  expect(outcome).toMatchObject({
    class: 'ok',
    text: '{"findings": []}',
    answeredModel: 'm-1-20260101',
    usage: { inputTokens: 1200, outputTokens: 7, cachedInputTokens: 900 },
    headers: { 'anthropic-ratelimit-requests-remaining': '41' },
  })
  const [call] = server?.calls ?? []
  expect(call?.path).toBe('/v1/messages')
  expect(call?.headers).toMatchObject({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01' })
  expect(call?.body).toMatchObject({ model: 'm-1', max_tokens: 1000 })
})

test('the start that prompts share is marked for the cache, and the text stays the same', async () => {
  await launch({ kind: 'answer', text: 'x' }, { prompt: 'fixed|own', sharedPrefixLength: 6 })
  expect(server?.calls[0]?.body).toMatchObject({
    messages: [
      {
        content: [{ text: 'fixed|', cache_control: { type: 'ephemeral' } }, { text: 'own' }],
      },
    ],
  })
})

test('without a shared start nothing is marked', async () => {
  await launch({ kind: 'answer', text: 'x' }, { prompt: 'own' })
  expect(JSON.stringify(server?.calls[0]?.body)).not.toContain('cache_control')
})

test.each([
  [
    '429 with a stated wait',
    replyAnthropicError(429, 'rate_limit_error', 'slow down', { 'retry-after': '30' }),
    'throttle',
  ],
  ['a closed plan window', replyPlanLimit(Date.now() + 7_200_000, Date.now()), 'window'],
  [
    'an empty balance',
    replyAnthropicError(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API.',
    ),
    'credit',
  ],
  ['529', replyOverloaded(), 'overload'],
  ['401', replyAnthropicError(401, 'authentication_error', 'invalid x-api-key'), 'auth'],
  ['an unknown model', replyAnthropicError(404, 'not_found_error', 'model: m-1'), 'model_gone'],
  [
    'a prompt that does not fit',
    replyAnthropicError(
      400,
      'invalid_request_error',
      'prompt is too long: 210000 tokens > 200000 maximum',
    ),
    'too_large',
  ],
  ['500', replyAnthropicError(500, 'api_error', 'Internal server error'), 'transient'],
  ['a refusal', { kind: 'answer', text: '', refusal: 'I cannot help with that.' }, 'refused'],
  ['an answer that breaks off', { kind: 'cut', text: '{"findings": [' }, 'transient'],
  ['an empty answer', { kind: 'answer', text: '' }, 'bad_output'],
  ['a dropped connection', { kind: 'reset' }, 'transient'],
] as const)('%s has its own outcome class', async (_, reply, expected) => {
  expect((await launch(reply)).class).toBe(expected)
})

test('an answer cut off by the output limit says so and keeps what there is', async () => {
  expect(await launch({ kind: 'answer', text: '{"fin', finishReason: 'max_tokens' })).toMatchObject(
    {
      class: 'bad_output',
      fault: 'output_budget',
      text: '{"fin',
    },
  )
})

test('an answer that asks for tools is unfinished', async () => {
  const toolCalls = [{ name: 'Read', input: { path: 'a' } }]
  expect(await launch({ kind: 'answer', text: '', toolCalls })).toMatchObject({
    class: 'bad_output',
    fault: 'unfinished',
  })
})

test('an overload in the middle of a stream is an overload', async () => {
  const body = [
    'event: message_start\ndata: {"type":"message_start","message":{"type":"message","content":[]}}',
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    '',
  ].join('\n\n')
  const headers = { 'content-type': 'text/event-stream' }
  const outcome = await launch({ kind: 'status', status: 200, body, headers })
  expect(outcome.class).toBe('overload')
})

test('without an endpoint of its own it needs the name of a key', () => {
  const source = { id: 's', provider: 'anthropic', model: 'm' } as const
  expect(anthropic.checkSource(source, context)).toContain('api_key_env')
  expect(anthropic.checkSource({ ...source, api_key_env: 'TEST_KEY' }, context)).toBeNull()
})
