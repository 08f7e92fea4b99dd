import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, expect, test } from 'vitest'

import { readEnvironment, systemClock } from '../core/index.ts'
import { type CliWorker, startCliWorker, type WorkerReply } from '../testing/index.ts'
import type { LaunchOutcome } from './provider.ts'
import { subprocessTemplate } from './subprocess-template.ts'

const context = { clock: systemClock, environment: readEnvironment() }

let worker: CliWorker | undefined
afterEach(async () => {
  await worker?.close()
})

interface LaunchSettings {
  readonly extraArgs?: readonly string[]
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly result?: string
}

async function launch(reply: WorkerReply, settings: LaunchSettings = {}): Promise<LaunchOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'template-'))
  const files = {
    promptPath: join(directory, 'prompt.md'),
    resultPath: join(directory, 'result.json'),
  }
  writeFileSync(files.promptPath, 'by file')
  worker = await startCliWorker(directory, () => {
    if (settings.result !== undefined) writeFileSync(files.resultPath, settings.result)
    return reply
  })
  return subprocessTemplate.launch(
    {
      id: 's',
      provider: 'subprocess-template',
      model: 'm-1',
      command: [...worker.command, ...(settings.extraArgs ?? [])],
    },
    {
      ...files,
      prompt: 'by standard input; $(touch /tmp/owned)',
      stdoutPath: join(directory, 'out.log'),
      stderrPath: join(directory, 'err.log'),
      repoRoot: directory,
      maxOutputTokens: 1000,
      timeoutMs: settings.timeoutMs ?? 20_000,
      signal: settings.signal ?? new AbortController().signal,
    },
    context,
  )
}

test('the prompt goes in by standard input, never by argument, and standard output is the answer', async () => {
  const outcome = await launch(
    { stdout: '{"findings": []}' },
    { extraArgs: ['--model', '{model}'] },
  )
  expect(outcome).toMatchObject({ class: 'ok', text: '{"findings": []}' })
  expect(worker?.calls[0]).toMatchObject({
    prompt: 'by standard input; $(touch /tmp/owned)',
    argv: ['--model', 'm-1'],
  })
})

test('a program that takes a path gets one and nothing on standard input', async () => {
  await launch({ stdout: 'ok' }, { extraArgs: ['{prompt_path}', '{result_path}'] })
  expect(worker?.calls[0]?.prompt).toBe('')
  expect(worker?.calls[0]?.argv[0]).toMatch(/prompt\.md$/)
})

test('the result file beats standard output', async () => {
  const outcome = await launch({ stdout: 'chatter' }, { result: '{"findings": []}' })
  expect(outcome.text).toBe('{"findings": []}')
})

test.each([
  ['exit 1 without a word', { exitCode: 1 }, 'crash'],
  ['a signal', { signal: 'SIGKILL' }, 'crash'],
  ['exit 0 without a word', { exitCode: 0 }, 'bad_output'],
  [
    'a plan limit on standard error',
    { exitCode: 1, stderr: "You've hit your session limit · resets 11pm (UTC)" },
    'window',
  ],
  [
    'a plan limit as the whole answer',
    { stdout: "You've hit your session limit · resets 11pm (UTC)" },
    'window',
  ],
  [
    'an empty balance',
    { exitCode: 1, stderr: 'Your credit balance is too low to access the API.' },
    'credit',
  ],
] as const)('%s has its own outcome class', async (_, reply, expected) => {
  expect((await launch(reply)).class).toBe(expected)
})

test('a valid result before a limit death is kept beside the limit', async () => {
  const outcome = await launch(
    { exitCode: 1, stderr: "You've hit your session limit · resets 11pm (UTC)" },
    { result: '{"findings": []}' },
  )
  expect(outcome).toMatchObject({ class: 'window', text: '{"findings": []}' })
})

test('a hang ends by the total clock, a cancel ends it at once, and a missing program is said', async () => {
  expect((await launch({ hang: true }, { timeoutMs: 1500 })).class).toBe('timeout')
  await worker?.close()
  expect((await launch({ hang: true }, { signal: AbortSignal.timeout(700) })).class).toBe(
    'cancelled',
  )
  const source = {
    id: 's',
    provider: 'subprocess-template',
    command: ['/nowhere/program'],
  } as const
  expect(
    subprocessTemplate.checkSource({ ...source, command: ['x', '{prompt}'] }, context),
  ).toContain('{prompt}')
})
