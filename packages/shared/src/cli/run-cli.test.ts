import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const bin = fileURLToPath(new URL('fixtures/bin.ts', import.meta.url))
const tsx = import.meta.resolve('tsx')

interface Exit {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

function start(words: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const child = spawn(process.execPath, ['--import', tsx, bin, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], ...options.env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([exitCode, signal]): Exit => ({
    exitCode: exitCode as number | null,
    signal: signal as string | null,
    stdout,
    stderr,
  }))
  const printed = async (text: string): Promise<void> => {
    while (!stdout.includes(text)) await once(child.stdout, 'data')
  }
  return { child, ended, printed }
}

const run = (words: readonly string[], options?: Parameters<typeof start>[1]): Promise<Exit> =>
  start(words, options).ended

test('the version is printed alone', async () => {
  expect(await run(['--version'])).toMatchObject({ exitCode: 0, stdout: '1.2.3\n', stderr: '' })
})

test('the version needs neither zod nor yargs', async () => {
  const logImports = `import { register } from 'node:module'
    const hook = 'export const resolve = (name, context, next) => (process._rawDebug(name), next(name, context))'
    register('data:text/javascript,' + encodeURIComponent(hook))`
  const listImports = async (word: string): Promise<string[]> => {
    const logger = `data:text/javascript,${encodeURIComponent(logImports)}`
    const child = spawn(process.execPath, ['--import', tsx, '--import', logger, bin, word])
    return (await child.stderr.setEncoding('utf8').toArray()).join('').split('\n')
  }
  expect(await listImports('--help')).toEqual(expect.arrayContaining(['yargs', 'zod']))
  const imports = await listImports('--version')
  expect(imports).toContain('./run-cli.ts')
  expect(imports.filter((name) => /yargs|zod|run-command-line/.test(name))).toEqual([])
})

test('a command gets its flags, its arguments and paths from the caller’s directory', async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'cli-')))
  const words = 'echo --depth=deep --lens a here --lens b there --max-packets 5 --root sub/..'
  const { exitCode, stdout, stderr } = await run(words.split(' '), { cwd })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'a note\n' })
  expect(JSON.parse(stdout)).toEqual({
    input: {
      depth: 'deep',
      lens: ['a', 'b'],
      format: ['md'],
      cache: true,
      maxPackets: 5,
      target: 'here',
      rest: ['there'],
    },
    common: { color: true, json: false, quiet: false, yes: false, root: cwd },
  })
})

test('a known error is a message, its code and its page, and its exit code', async () => {
  const { exitCode, stderr } = await run(['fail', '--how', 'known'])
  expect(exitCode).toBe(3)
  expect(stderr).toBe(
    'error: git \\u{1b}[2J2.1 is too old; install 2.40\n' +
      '  git-unusable, explained in docs/errors/git-unusable.md\n',
  )
})

test('an unknown error is a fault of ours with its stack', async () => {
  const { exitCode, stderr } = await run(['fail', '--how', 'unknown'])
  expect(exitCode).toBe(70)
  expect(stderr).toContain('error: x is not a function')
  expect(stderr).toMatch(/TypeError: x is not a function\n\s+at .*fail\.ts/)
})

test.each(['timer', 'rejection'])(
  'an error that no caller sees (%s) is a fault, not the answer no',
  async (how) => {
    const { exitCode, stderr } = await run(['fail', '--how', how])
    expect(exitCode).toBe(70)
    expect(stderr).toContain('internal-fault')
  },
)

test('a wrong flag ends with 2 before the command runs', async () => {
  const { exitCode, stdout, stderr } = await run(['fail', '--hwo', 'known'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('unknown flag --hwo; did you mean --how?')
})

test('SIGINT aborts the command, which ends as not finished', async () => {
  const { child, ended, printed } = start(['wait'])
  await printed('waiting')
  child.kill('SIGINT')
  expect(await ended).toEqual({
    exitCode: 10,
    signal: null,
    stdout: 'waiting\ntold to stop\n',
    stderr: 'stopped by SIGINT\n',
  })
})

test('a command that answers after SIGTERM keeps its own exit code', async () => {
  const { child, ended, printed } = start(['wait', '--answer'])
  await printed('waiting')
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ exitCode: 20, stderr: '' })
})

test('a later second SIGINT ends a command that does not stop', async () => {
  const { child, ended, printed } = start(['wait', '--stubborn'])
  await printed('waiting')
  child.kill('SIGINT')
  await printed('told to stop')
  const repeat = setInterval(() => child.kill('SIGINT'), 100)
  expect(await ended).toMatchObject({ exitCode: null, signal: 'SIGINT' })
  clearInterval(repeat)
})

test('a reader that goes away ends the command quietly', async () => {
  const { child, ended } = start(['print', '--lines', '1000000'])
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await ended).toMatchObject({ exitCode: 10, stderr: '' })
})

test('a command that finishes without a reader keeps its own exit code', async () => {
  const { child, ended } = start(['print', '--lines', '20000', '--stubborn'])
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await ended).toMatchObject({ exitCode: 0, stderr: '' })
})

test.skipIf(process.platform !== 'linux')(
  'an answer that cannot be written is an error',
  async () => {
    const child = spawn(process.execPath, ['--import', tsx, bin, 'print'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    })
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    expect(await once(child, 'close')).toEqual([3, null])
    expect(stderr).toContain('the answer could not be written to standard output: ENOSPC')
  },
)
