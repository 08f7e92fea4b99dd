import { afterEach, expect, test } from 'vitest'

import { systemClock } from '../core/index.ts'
import {
  type ProviderReply,
  type ProviderServer,
  replyCreditExhausted,
  replyModelGone,
  replyOverloaded,
  replyRateLimited,
  replyTooLarge,
  replyUnauthorized,
  startProviderServer,
} from '../testing/index.ts'
import { openaiCompatible } from './openai-compatible.ts'
import type { LaunchOutcome } from './provider.ts'

const KEY = 'sk-test-0123456789abcdef'
const context = { clock: systemClock, environment: { TEST_KEY: KEY } }

let server: ProviderServer | undefined
afterEach(async () => {
  await server?.close()
})

interface LaunchSettings {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly parameters?: Readonly<Record<string, boolean | number>>
}

async function launch(reply: ProviderReply, settings: LaunchSettings = {}): Promise<LaunchOutcome> {
  server = await startProviderServer(() => reply)
  return openaiCompatible.launch(
    {
      id: 's',
      provider: 'openai-compatible',
      endpoint: server.url,
      model: 'm-1',
      api_key_env: 'TEST_KEY',
      ...(settings.parameters === undefined ? {} : { parameters: { ...settings.parameters } }),
    },
    {
      prompt: 'Review this.',
      promptPath: '/nowhere/prompt',
      resultPath: '/nowhere/result',
      stdoutPath: '/nowhere/out',
      stderrPath: '/nowhere/err',
      repoRoot: '/',
      maxOutputTokens: 1000,
      timeoutMs: settings.timeoutMs ?? 10_000,
      signal: settings.signal ?? new AbortController().signal,
    },
    context,
  )
}

test('an answer comes back with its text, its usage and the model that answered', async () => {
  const outcome = await launch({
    kind: 'answer',
    text: '{"findings": []}',
    inputTokens: 12,
    outputTokens: 5,
    model: 'm-1-mini',
  })
  expect(outcome).toMatchObject({
    class: 'ok',
    text: '{"findings": []}',
    usage: { inputTokens: 12, outputTokens: 5 },
    answeredModel: 'm-1-mini',
  })
  const [call] = server?.calls ?? []
  expect(call?.path).toBe('/v1/chat/completions')
  expect(call?.headers['authorization']).toBe(`Bearer ${KEY}`)
  expect(call?.body).toMatchObject({ model: 'm-1', max_tokens: 1000, stream: true })
})

test('an answer that is not streamed is read as well', async () => {
  const outcome = await launch({ kind: 'answer', text: 'whole' }, { parameters: { stream: false } })
  expect(outcome).toMatchObject({ class: 'ok', text: 'whole' })
})

test.each([
  ['429 with a stated wait', replyRateLimited(30), 'throttle'],
  ['exhausted credit', replyCreditExhausted(), 'credit'],
  ['529', replyOverloaded(), 'overload'],
  ['401', replyUnauthorized(), 'auth'],
  ['an unknown model', replyModelGone('m-1'), 'model_gone'],
  ['a prompt that does not fit', replyTooLarge(8192, 9000), 'too_large'],
  ['a broken gateway', { kind: 'status', status: 502, body: 'Bad gateway' }, 'transient'],
  ['a dropped connection', { kind: 'reset' }, 'transient'],
  ['an answer that breaks off', { kind: 'cut', text: '{"findings": [' }, 'transient'],
  ['an empty answer', { kind: 'answer', text: '' }, 'bad_output'],
  ['a page instead of an answer', { kind: 'status', status: 200, body: '<html>' }, 'bad_output'],
  ['a filtered answer', { kind: 'answer', text: 'I', finishReason: 'content_filter' }, 'refused'],
] as const)('%s has its own outcome class', async (_, reply, expected) => {
  expect((await launch(reply)).class).toBe(expected)
})

test('a stated wait is an instant, not earlier than stated', async () => {
  const before = Date.now()
  const outcome = await launch(replyRateLimited(30))
  expect(outcome.until ?? 0).toBeGreaterThanOrEqual(before + 30_000)
  expect(outcome.until ?? 0).toBeLessThanOrEqual(Date.now() + 90_000)
})

test('an error inside a successful answer is an error', async () => {
  const outcome = await launch({
    kind: 'status',
    status: 200,
    body: {
      error: {
        message: 'Rate limit reached. Please try again in 20s.',
        code: 'rate_limit_exceeded',
      },
    },
  })
  expect(outcome.class).toBe('throttle')
})

test('what was produced before the connection broke is kept', async () => {
  const outcome = await launch({ kind: 'cut', text: '{"findings": [{"a": 1}, {"b": 2}]}' })
  expect(outcome.text).toContain('{"a": 1}')
})

test('a server that never answers ends by the total clock, and by a cancel at once', async () => {
  expect((await launch({ kind: 'hang' }, { timeoutMs: 150 })).class).toBe('timeout')
  await server?.close()
  const outcome = await launch({ kind: 'hang' }, { signal: AbortSignal.timeout(50) })
  expect(outcome.class).toBe('cancelled')
})

test('talk of limits inside an answer is no limit', async () => {
  const text = '{"findings": [{"title": "HTTP 429 rate limit exceeded is swallowed"}]}'
  expect((await launch({ kind: 'answer', text })).class).toBe('ok')
})

test('a missing key is said before anything is sent, and a sent key is never repeated', async () => {
  const source = {
    id: 's',
    provider: 'openai-compatible',
    endpoint: 'http://127.0.0.1:9',
    model: 'm',
    api_key_env: 'ABSENT',
  } as const
  expect(openaiCompatible.checkSource(source, context)).toContain('ABSENT')
  const outcome = await launch({
    kind: 'status',
    status: 401,
    body: { error: { message: `bad key ${KEY}` } },
  })
  expect(JSON.stringify(outcome)).not.toContain(KEY)
})
