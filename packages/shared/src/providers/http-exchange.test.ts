import { afterEach, expect, test, vi } from 'vitest'

import { startProviderServer } from '../testing/index.ts'
import { exchange } from './http-exchange.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('P05: a first header that comes after 400 s is taken, inside a declared 20 minutes', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
  const server = await startProviderServer(async () => {
    // The request waits at the server while 400 s pass for every timer of this process.
    await vi.advanceTimersByTimeAsync(400_000)
    return { kind: 'answer', text: 'late' }
  })
  const answer = await exchange({
    url: `${server.url}/chat/completions`,
    headers: {},
    body: { model: 'm' },
    timeoutMs: 20 * 60_000,
    idleTimeoutMs: 300_000,
    signal: new AbortController().signal,
  })
  vi.useRealTimers()
  await server.close()
  expect(answer).toMatchObject({ kind: 'response', status: 200, cut: false })
})

test('an answer that falls silent ends by the idle clock, and comments that keep it alive are progress', async () => {
  const send = async (idleTimeoutMs: number): Promise<string> => {
    const { createServer } = await import('node:http')
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let beats = 0
      const timer = setInterval(() => {
        beats += 1
        response.write(': keep-alive\n\n')
        if (beats === 8) {
          clearInterval(timer)
          response.end('data: {"choices":[]}\n\n')
        }
      }, 100)
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const answer = await exchange({
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      body: {},
      timeoutMs: 10_000,
      idleTimeoutMs,
      signal: new AbortController().signal,
    })
    server.closeAllConnections()
    server.close()
    return answer.kind
  }
  expect(await send(600)).toBe('response')
  expect(await send(40)).toBe('timeout')
})
