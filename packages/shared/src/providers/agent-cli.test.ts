import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, expect, test } from 'vitest'

import type { ProviderName, SourceConfig } from '../config/index.ts'
import { readEnvironment, systemClock } from '../core/index.ts'
import { readLimitHeaders } from '../quota/index.ts'
import { type CliWorker, startCliWorker, type WorkerReply } from '../testing/index.ts'
import type { LaunchOutcome } from './provider.ts'
import { agentClis, findProvider } from './registry.ts'

const marks = Object.fromEntries(
  agentClis.flatMap(({ selfMarks }) => selfMarks.map((name) => [name, undefined])),
)
const environment = { ...readEnvironment(), ...marks }
const context = { clock: systemClock, environment }

let worker: CliWorker | undefined
afterEach(async () => {
  await worker?.close()
})

async function launch(
  provider: ProviderName,
  events: readonly object[],
  reply: WorkerReply = {},
): Promise<LaunchOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-'))
  const stdout = events.map((event) => `${JSON.stringify(event)}\n`).join('')
  worker = await startCliWorker(directory, () => ({ stdout, ...reply }))
  const source: SourceConfig = { provider, command: [...worker.command] }
  const outcome = await findProvider(provider)?.launch(
    source,
    {
      prompt: 'Review.',
      promptPath: join(directory, 'prompt.md'),
      resultPath: join(directory, 'result.json'),
      stdoutPath: join(directory, 'out.log'),
      stderrPath: join(directory, 'err.log'),
      repoRoot: directory,
      maxOutputTokens: 1000,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
    },
    context,
  )
  if (outcome === undefined) throw new Error(`no provider ${provider}`)
  return outcome
}

const ANSWER = '{"findings": []}'
const inTwoHours = (): number => Date.now() + 7_200_000

test('a CLI that waits for a far reset is ended at once, and its account rests until then', async () => {
  const next = inTwoHours()
  const status = { type: 'retry', attempt: 1, message: 'Usage limit reached', next }
  const outcome = await launch(
    'opencode',
    [{ type: 'session.status', properties: { sessionID: 's', status } }],
    { hang: true },
  )
  expect(outcome).toMatchObject({ class: 'window', scope: 'account' })
  expect(Math.abs((outcome.until ?? 0) - next)).toBeLessThan(1001)
})

test('a CLI that sits out a long wait inside is ended, and the wait is kept', async () => {
  const retry = { error_status: 429, error: 'rate_limit', attempt: 1, retry_delay_ms: 300_000 }
  const outcome = await launch(
    'claude-code',
    [{ type: 'system', subtype: 'api_retry', ...retry }],
    { hang: true },
  )
  expect(outcome.class).toBe('throttle')
  expect(outcome.until ?? 0).toBeGreaterThan(Date.now() + 250_000)
})

test('a CLI that repeats for ever what fails is ended by the fourth failure in a row', async () => {
  const retry = { type: 'error', message: 'Reconnecting... 1/9 (stream disconnected)' }
  const outcome = await launch('codex', [retry, retry, retry, retry], { hang: true })
  expect(outcome.class).toBe('transient')
})

test('failures with work between them are no loop', async () => {
  const retry = { type: 'error', message: 'Reconnecting... 1/9 (stream disconnected)' }
  const item = { type: 'item.completed', item: { type: 'reasoning', text: 'on it' } }
  const answer = { type: 'item.completed', item: { type: 'agent_message', text: ANSWER } }
  const outcome = await launch('codex', [
    retry,
    retry,
    retry,
    item,
    retry,
    retry,
    answer,
    {
      type: 'turn.completed',
      usage: { input_tokens: 5, cached_input_tokens: 1, output_tokens: 2 },
    },
  ])
  expect(outcome).toMatchObject({
    class: 'ok',
    text: ANSWER,
    usage: { inputTokens: 5, cachedInputTokens: 1, outputTokens: 2, costUsd: null },
  })
})

test('an answer before a limit death is kept beside the limit', async () => {
  const message = { model: 'big-1', content: [{ type: 'text', text: ANSWER }] }
  const limit = { status: 'rejected', resetsAt: Math.ceil(inTwoHours() / 1000) }
  const outcome = await launch(
    'claude-code',
    [
      { type: 'assistant', message },
      { type: 'rate_limit_event', rate_limit_info: { ...limit, rateLimitType: 'five_hour' } },
      {
        type: 'result',
        subtype: 'success',
        is_error: true,
        api_error_status: 429,
        result: "You've hit your 5-hour limit · resets 2:59am (UTC)",
      },
    ],
    { exitCode: 1 },
  )
  expect(outcome).toMatchObject({
    class: 'window',
    text: ANSWER,
    answeredModel: 'big-1',
    until: limit.resetsAt * 1000,
  })
})

test('how full the windows of a plan are is told beside an answer, in the words of the headers', async () => {
  const info = {
    status: 'allowed_warning',
    rateLimitType: 'seven_day_opus',
    utilization: 0.91,
    resetsAt: 1_800_000_000,
    unifiedWindows: { five_hour: { utilization: 1, resetsAt: 1_790_000_000 } },
  }
  const outcome = await launch('claude-code', [
    { type: 'rate_limit_event', rate_limit_info: info },
    { type: 'result', is_error: false, result: ANSWER },
  ])
  expect(outcome.class).toBe('ok')
  const windows = readLimitHeaders(outcome.headers, {
    provider: 'claude-code',
    receivedAt: 1_780_000_000_000,
  })
  expect(windows).toMatchObject([
    { name: '5h', utilization: 1, resetAt: 1_790_000_000_000 },
    { name: '7d_opus', utilization: 0.91, status: 'warning', family: 'opus' },
  ])
})

test.each([
  ['none', null],
  ['ANTHROPIC_API_KEY', 0.25],
])('with a key of %s the price that is told is %s', async (apiKeySource, costUsd) => {
  const usage = { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 }
  const outcome = await launch('claude-code', [
    { type: 'system', subtype: 'init', apiKeySource },
    { type: 'result', is_error: false, result: ANSWER, usage, total_cost_usd: 0.25 },
  ])
  expect(outcome.usage).toEqual({
    inputTokens: 7,
    cachedInputTokens: 4,
    outputTokens: 5,
    costUsd,
  })
})

test('success that says it is an error is an error', async () => {
  const outcome = await launch('claude-code', [
    {
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: 529,
      result: 'API Error: 529 Overloaded',
    },
  ])
  expect(outcome.class).toBe('overload')
})

test('what an agent says about limits in its work is no limit', async () => {
  const text = '{"findings": [{"title": "429 rate limit exceeded is swallowed"}]}'
  const outcome = await launch('codex', [
    { type: 'item.completed', item: { type: 'agent_message', text: 'usage limit reached?' } },
    { type: 'item.completed', item: { type: 'agent_message', text } },
    { type: 'turn.completed', usage: {} },
  ])
  expect(outcome).toMatchObject({ class: 'ok', text })
})

test('parts of one message are one text, and what several steps used is added up', async () => {
  const part = (messageID: string, text: string): object => ({
    type: 'text',
    part: { messageID, text },
  })
  const step = (reason: string): object => ({
    type: 'step_finish',
    part: {
      reason,
      cost: 0.5,
      tokens: { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 0 } },
    },
  })
  const outcome = await launch('opencode', [
    part('one', 'I look at it first.'),
    step('tool-calls'),
    part('two', '{"findings":'),
    part('two', ' []}'),
    step('stop'),
  ])
  expect(outcome).toMatchObject({
    class: 'ok',
    text: ANSWER,
    usage: { inputTokens: 30, outputTokens: 6, cachedInputTokens: 10, costUsd: 1 },
  })
})

test('a CLI that dies without an event is a crash with its last words', async () => {
  const outcome = await launch('codex', [], { stderr: 'panicked at src/main.rs', exitCode: 101 })
  expect(outcome).toMatchObject({ class: 'crash', evidence: { exitCode: 101 } })
  expect(outcome.message).toContain('panicked')
})

test('a CLI that ends well before its turn does has not answered', async () => {
  const item = { type: 'agent_message', text: 'I will now look at' }
  const outcome = await launch('codex', [{ type: 'item.completed', item }])
  expect(outcome).toMatchObject({ class: 'bad_output', fault: 'unfinished' })
})

test('inside a CLI that very CLI is refused with the reason, unless its source insists', async () => {
  for (const cli of agentClis) {
    const [mark = ''] = cli.selfMarks
    const inside = { ...context, environment: { ...environment, [mark]: '1' } }
    const source: SourceConfig = { provider: cli.name, command: [process.execPath] }
    const provider = findProvider(cli.name)
    expect(provider?.checkSource(source, inside)).toContain(mark)
    expect(provider?.checkSource({ ...source, in_process: true }, inside)).toBeNull()
    expect(provider?.checkSource(source, context)).toBeNull()
  }
})

test('a program that is not there is said before anything is started', () => {
  const source: SourceConfig = { provider: 'codex', command: ['no-such-program'] }
  expect(findProvider('codex')?.checkSource(source, context)).toContain('no-such-program')
})
