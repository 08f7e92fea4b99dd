import { mkdtempSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRunning } from './fixtures/is-running.ts'
import { superviseProcess, type SuperviseOptions } from './index.ts'

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'process-')))
const onLinux = test.runIf(process.platform === 'linux')

/** Runs a shell script, or JavaScript where `node` is given, with nothing but a PATH. */
function run(script: string, options: Partial<SuperviseOptions> & { node?: true } = {}) {
  const { node, ...rest } = options
  return superviseProcess({
    command: node ? process.execPath : '/bin/sh',
    args: [node ? '-e' : '-c', script],
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '' },
    ...rest,
  })
}

const readPids = (stdout: string): number[] => stdout.trim().split(/\s+/).map(Number)

test('a program that ends tells its exit code, both outputs and how long it ran', async () => {
  const outcome = await run('echo out; echo err >&2; exit 3')
  expect(outcome).toMatchObject({
    kind: 'exited',
    exitCode: 3,
    signal: null,
    stdout: 'out\n',
    stderr: 'err\n',
    stdoutBytes: 4,
    stderrBytes: 4,
    truncated: false,
    durationMs: expect.any(Number),
  })
})

test('a program that a signal ended tells which', async () => {
  expect(await run('kill -SEGV $$')).toMatchObject({
    kind: 'exited',
    exitCode: null,
    signal: 'SIGSEGV',
  })
})

test('a program that prints nothing and succeeds is not mistaken for more', async () => {
  expect(await run('true')).toMatchObject({ kind: 'exited', exitCode: 0, stdout: '', stderr: '' })
})

test('a program that is not there, not executable or has no directory to run in is not started', async () => {
  expect(await run('', { command: 'no-such-program' })).toMatchObject({
    kind: 'spawn_failed',
    code: 'ENOENT',
    message: expect.stringContaining('no-such-program'),
  })
  expect(await run('', { command: directory })).toMatchObject({
    kind: 'spawn_failed',
    code: 'EACCES',
  })
  expect(await run('true', { cwd: join(directory, 'none') })).toMatchObject({
    kind: 'spawn_failed',
    code: 'ENOENT',
    message: expect.stringMatching(/working directory .*none does not exist/),
  })
  expect(await run('nul\0byte')).toMatchObject({
    kind: 'spawn_failed',
    code: 'ERR_INVALID_ARG_VALUE',
  })
})

test('input is given whole and then closed', async () => {
  const stdin = 'x'.repeat(5_000_000)
  expect(await run('wc -c', { stdin })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^\s*5000000\n$/),
  })
  expect(await run('cat', { stdin: Buffer.from('設計') })).toMatchObject({ stdout: '設計' })
  expect(await run('cat')).toMatchObject({ exitCode: 0, stdout: '' })
})

test('a program that never reads a large input ends as it wants', async () => {
  const stdin = 'x'.repeat(5_000_000)
  expect(await run('exit 7', { stdin })).toMatchObject({ kind: 'exited', exitCode: 7 })
  expect(await run('exec <&-; echo deaf', { stdin })).toMatchObject({
    exitCode: 0,
    stdout: 'deaf\n',
  })
})

test('the environment holds what was given and the mark of the tree, nothing else', async () => {
  const outcome = await run('console.log(Object.keys(process.env).sort().join())', {
    node: true,
    env: { GIVEN: '1' },
  })
  expect(outcome).toMatchObject({ stdout: 'AUDIT_TOOLS_PROCESS_TREE,GIVEN\n' })
})

test('it runs in the given directory, without a shell', async () => {
  expect(await run('pwd')).toMatchObject({ stdout: `${directory}\n` })
  expect(await run('', { command: 'echo', args: ['$HOME; *'] })).toMatchObject({
    stdout: '$HOME; *\n',
  })
})

test('output is seen as it comes', async () => {
  const seen: string[] = []
  await run('echo one; sleep 0.05; echo two', { onStdout: (chunk) => seen.push(chunk.toString()) })
  expect(seen.join('')).toBe('one\ntwo\n')
  expect(seen.length).toBeGreaterThan(1)
})

test('of long output the last part is kept, characters stay whole, and files take all of it', async () => {
  const stdoutPath = join(directory, 'logs', 'stdout.log')
  const stderrPath = join(directory, 'logs', 'stderr.log')
  const outcome = await run('process.stdout.write("設".repeat(100_000)); console.error("e")', {
    node: true,
    maxOutputBytes: 1000,
    stdoutPath,
    stderrPath,
  })
  expect(outcome).toMatchObject({
    kind: 'exited',
    stdout: '設'.repeat(333),
    stdoutBytes: 300_000,
    truncated: true,
  })
  expect(statSync(stdoutPath).size).toBe(300_000)
  expect(readFileSync(stderrPath, 'utf8')).toBe('e\n')
})

onLinux('a log that cannot take the output is told and does not stop the program', async () => {
  const outcome = await run('echo out', { stdoutPath: '/dev/full' })
  expect(outcome).toMatchObject({
    kind: 'exited',
    exitCode: 0,
    stdout: 'out\n',
    logProblem: expect.stringContaining('the disk is full'),
  })
})

test('P04: however much a program prints, memory stays bounded and the tail is kept', async () => {
  const megabytes = process.env['FULL'] === '1' ? 600 : 100
  const before = process.memoryUsage().rss
  let peak = before
  const outcome = await run(`head -c ${megabytes * 1_000_000} /dev/zero; echo the end`, {
    onStdout: () => (peak = Math.max(peak, process.memoryUsage.rss())),
  })
  expect(outcome).toMatchObject({
    kind: 'exited',
    exitCode: 0,
    stdoutBytes: megabytes * 1_000_000 + 8,
    stdout: expect.stringMatching(/the end\n$/),
  })
  expect(peak - before).toBeLessThan(80_000_000)
})

test('each clock stops a program that is too slow for it', async () => {
  const slow = { killGraceMs: 200 }
  expect(await run('sleep 100', { ...slow, startTimeoutMs: 100 })).toMatchObject({
    kind: 'timeout',
    clock: 'start',
  })
  expect(
    await run('echo x; sleep 100', { ...slow, startTimeoutMs: 5000, idleTimeoutMs: 100 }),
  ).toMatchObject({
    kind: 'timeout',
    clock: 'idle',
    stdout: 'x\n',
  })
  expect(
    await run('while true; do echo x; sleep 0.02; done', {
      ...slow,
      idleTimeoutMs: 5000,
      totalTimeoutMs: 300,
    }),
  ).toMatchObject({ kind: 'timeout', clock: 'total', stdout: expect.stringContaining('x\nx\n') })
})

test('a program that ignores the request to end is killed after the grace', async () => {
  const outcome = await run('trap "" TERM; echo ready; while true; do sleep 0.05; done', {
    idleTimeoutMs: 150,
    killGraceMs: 150,
  })
  expect(outcome).toMatchObject({
    kind: 'timeout',
    clock: 'idle',
    signal: 'SIGKILL',
    stdout: 'ready\n',
  })
})

test('a program may use the grace to end in order', async () => {
  const script = 'trap "echo saved; exit 5" TERM; echo ready; while true; do sleep 0.05; done'
  expect(await run(script, { totalTimeoutMs: 200, killGraceMs: 5000 })).toMatchObject({
    kind: 'timeout',
    exitCode: 5,
    stdout: 'ready\nsaved\n',
  })
})

test('a cancelled program is stopped, and one that is cancelled beforehand never starts', async () => {
  const controller = new AbortController()
  const outcome = run('echo ready; sleep 100', {
    signal: controller.signal,
    onStdout: () => controller.abort(),
  })
  expect(await outcome).toMatchObject({ kind: 'cancelled', stdout: 'ready\n' })
  expect(await run('touch started', { signal: controller.signal })).toMatchObject({
    kind: 'cancelled',
    stdoutBytes: 0,
  })
  expect(() => statSync(join(directory, 'started'))).toThrow('ENOENT')
})

onLinux(
  'P03: on a timeout the program and its grandchildren are gone within 5 s, also those that left its group',
  async () => {
    const startedAt = performance.now()
    const outcome = await run(
      `echo $$
     sleep 1000 & echo $!
     sh -c 'trap "" TERM; sleep 1000 & echo $!; wait' &
     setsid sh -c 'echo $$; exec sleep 1000' &
     (setsid sh -c 'echo $$; exec sleep 1000' &)
     wait`,
      { totalTimeoutMs: 300, killGraceMs: 300 },
    )
    expect(outcome.kind).toBe('timeout')
    expect(performance.now() - startedAt).toBeLessThan(5300)
    const pids = readPids('stdout' in outcome ? outcome.stdout : '')
    expect(pids).toHaveLength(5)
    expect(pids.filter(isRunning)).toEqual([])
  },
)

onLinux(
  'what a program that ended left running is stopped too, and does not hold its output open',
  async () => {
    const startedAt = performance.now()
    const outcome = await run('sleep 1000 & echo $!; setsid sleep 1000 > /dev/null 2>&1 & echo $!')
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0 })
    expect(performance.now() - startedAt).toBeLessThan(3000)
    const pids = readPids('stdout' in outcome ? outcome.stdout : '')
    expect(pids).toHaveLength(2)
    expect(pids.filter(isRunning)).toEqual([])
  },
)

onLinux('a stopped program is killed all the same', async () => {
  expect(await run('kill -STOP $$', { totalTimeoutMs: 200, killGraceMs: 100 })).toMatchObject({
    kind: 'timeout',
    signal: 'SIGKILL',
  })
})
