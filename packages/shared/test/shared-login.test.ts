import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readEnvironment, systemClock } from '@audit-tools/shared/core'
import { findProvider, type LaunchOutcome } from '@audit-tools/shared/providers'
import { expect, test } from 'vitest'

const program = join(
  dirname(fileURLToPath(import.meta.url)),
  'fixtures/workers/refreshing-worker.mjs',
)

test('P14: of workers that find one token run out, one refreshes it and all go on', async () => {
  const refreshes: string[] = []
  const server = createServer((request, response) => {
    let token = ''
    request.on('data', (chunk: Buffer) => (token += chunk.toString()))
    request.on('end', () => {
      // A refresh token is good for one use; after that the login is gone.
      response.statusCode = refreshes.includes(token) ? 401 : 200
      refreshes.push(token)
      response.end(`${token}+`)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const login = mkdtempSync(join(tmpdir(), 'login-'))
  writeFileSync(join(login, 'auth.json'), JSON.stringify({ expired: true, refresh: 'first' }))

  const outcomes = await Promise.all([1, 2, 3].map(() => launch(url, login)))
  await new Promise((resolve) => {
    server.close(resolve)
  })
  expect(outcomes.map((outcome) => outcome.class)).toEqual(['ok', 'ok', 'ok'])
  expect(refreshes).toEqual(['first'])
})

async function launch(url: string, login: string): Promise<LaunchOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'worker-'))
  const provider = findProvider('codex')
  if (provider === undefined) throw new Error('no provider codex')
  return provider.launch(
    { provider: 'codex', command: [process.execPath, program, url], in_process: true },
    {
      prompt: 'Review.',
      promptPath: join(directory, 'prompt.md'),
      resultPath: join(directory, 'result.json'),
      stdoutPath: join(directory, 'out.log'),
      stderrPath: join(directory, 'err.log'),
      repoRoot: directory,
      maxOutputTokens: 1000,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
    },
    { clock: systemClock, environment: { ...readEnvironment(), CODEX_HOME: login } },
  )
}
