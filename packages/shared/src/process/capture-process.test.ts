import { expect, test } from 'vitest'
import { captureProcess, type CaptureOptions } from './index.ts'

function capture(script: string, options: Partial<CaptureOptions> = {}) {
  return captureProcess({
    command: '/bin/sh',
    args: ['-c', script],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
    maxStdoutBytes: 1_000_000,
    ...options,
  })
}

test('output is given as the bytes it was', async () => {
  expect(await capture(String.raw`printf '\377\000x'; echo problem >&2; exit 4`)).toEqual({
    kind: 'exited',
    exitCode: 4,
    stdout: Buffer.from([0xff, 0x00, 0x78]),
    stderr: 'problem\n',
  })
})

test('output that is too large is never given in part', async () => {
  expect(await capture('head -c 999999 /dev/zero')).toMatchObject({ kind: 'exited' })
  expect(await capture('head -c 1000001 /dev/zero')).toEqual({ kind: 'too_large' })
  expect(await capture('cat /dev/zero')).toEqual({ kind: 'too_large' })
})

test('a stop from outside and a slow program are told apart', async () => {
  expect(await capture('sleep 100', { totalTimeoutMs: 50 })).toEqual({ kind: 'timeout' })
  expect(await capture('sleep 100', { signal: AbortSignal.timeout(50) })).toEqual({
    kind: 'cancelled',
  })
  expect(await capture('', { command: '/no/such/program' })).toMatchObject({
    kind: 'spawn_failed',
    code: 'ENOENT',
  })
})
