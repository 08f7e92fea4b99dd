import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { systemClock } from '../core/index.ts'
import { type ProviderReply, replyUnauthorized, startProviderServer } from '../testing/index.ts'
import { type CanaryResult, runCanary } from './canary.ts'

async function send(reply: ProviderReply): Promise<CanaryResult & { calls: number }> {
  const server = await startProviderServer(() => reply)
  const result = await runCanary(
    { provider: 'openai-compatible', endpoint: server.url, model: 'big' },
    {
      directory: mkdtempSync(join(tmpdir(), 'canary-')),
      context: { clock: systemClock, environment: {} },
      signal: new AbortController().signal,
    },
  )
  await server.close()
  return { ...result, calls: server.calls.length }
}

test('the right answer opens a source, and the model that gave it is told', async () => {
  const text = 'Here you are:\n```json\n{"sum": 42}\n```'
  expect(await send({ kind: 'answer', text, model: 'small' })).toMatchObject({
    isUsable: true,
    problem: '',
    modelMatch: 'different',
    calls: 1,
  })
})

test.each([
  ['a wrong number', { kind: 'answer', text: '{"sum": 41}' }, 'it answered 41'],
  ['no JSON', { kind: 'answer', text: 'Forty-two {of course}.' }, 'did not answer with the JSON'],
  ['no access', replyUnauthorized(), 'auth: '],
  ['a refusal', { kind: 'answer', text: "I'm sorry, but I can't help with that." }, 'refused: '],
] as const)('%s keeps it closed after one call', async (_, reply, problem) => {
  const result = await send(reply)
  expect(result).toMatchObject({ isUsable: false, calls: 1 })
  expect(result.problem).toContain(problem)
})
