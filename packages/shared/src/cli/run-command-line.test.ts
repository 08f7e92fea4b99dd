import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'

import { commands } from './fixtures/commands.ts'
import { runCli } from './index.ts'

async function run(line: string, environment: Record<string, string> = {}) {
  const [stdout, stderr, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const exitCode = await runCli({
    name: 'fixture',
    version: '1.2.3',
    summary: 'A small tool',
    commands,
    argv: line.split(' ').filter(Boolean),
    cwd: '/somewhere',
    environment,
    stdin,
    stdout,
    stderr,
  })
  const read = (stream: PassThrough): string => String(stream.read() ?? '')
  return { exitCode, stdout: read(stdout), stderr: read(stderr) }
}

async function readInput(line: string): Promise<unknown> {
  const { exitCode, stdout, stderr } = await run(line)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'a note\n' })
  return (JSON.parse(stdout) as { input: unknown }).input
}

/** The first line of the message. */
async function readUsageError(line: string): Promise<string | undefined> {
  const { exitCode, stdout, stderr } = await run(line)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  return /^error: (.*)$/m.exec(stderr)?.[1]
}

test('a bare line prints help and lists all but hidden commands', async () => {
  const bare = await run('')
  expect(bare).toMatchObject({ exitCode: 0, stderr: '' })
  expect(bare).toEqual(await run('--help'))
  expect(bare.stdout).toMatch(/^Usage: fixture <command> \[flags\]\n\nA small tool\n/)
  for (const { name, summary, hidden } of commands) {
    const isListed = bare.stdout.includes(`fixture ${name} `) && bare.stdout.includes(summary)
    expect({ name, isListed }).toEqual({ name, isListed: !hidden })
  }
  for (const flag of ['root', 'artifacts-dir', 'config', 'json', 'quiet', 'yes', 'no-color']) {
    expect(bare.stdout).toContain(`--${flag} `)
  }
})

test('the first word of nested commands lists them', async () => {
  const { exitCode, stdout } = await run('config')
  expect(exitCode).toBe(0)
  expect(stdout).toContain('fixture config explain')
  expect(stdout).not.toContain('fixture echo')
})

test('help of a command shows arguments, flags, choices, defaults and what is required', async () => {
  const { stdout } = await run('config explain --help')
  expect(stdout).toMatch(/^Usage: fixture config explain <key> \[flags\]\n\nExplain one key\n/)
  expect(stdout).toMatch(/--from +Where to look +\[string\] \[required\]/)
  const echo = await run('echo -h')
  expect(echo.stdout).toContain('fixture echo [target] [rest..] [flags]')
  expect(echo.stdout).toMatch(/\[choices: "quick", "standard", "deep"\] \[default: standard\]/)
  expect(echo.stdout).toMatch(/--no-cache +Review everything again/)
  expect(echo.stdout).toContain('fixture echo --depth deep')
})

test.each<[string, object]>([
  ['echo --host-can-wait', { hostCanWait: true }],
  ['echo --host-can-wait true', { hostCanWait: true }],
  ['echo --host-can-wait false', { hostCanWait: false }],
  ['echo --host-can-wait=false', { hostCanWait: false }],
  ['echo --no-host-can-wait', { hostCanWait: false }],
  ['echo --no-cache', { cache: false }],
  ['echo --budget-usd -0.5', { budgetUsd: -0.5 }],
  ['echo --budget-usd=1e3', { budgetUsd: 1000 }],
  ['echo --depth quick --depth deep', { depth: 'deep' }],
  ['echo --lens a --lens b', { lens: ['a', 'b'] }],
  ['echo --lens a b', { lens: ['a'], target: 'b' }],
  ['echo --run-id 007', { runId: '007' }],
  ['echo --run-id=-x', { runId: '-x' }],
  ['echo --run-id=a=b', { runId: 'a=b' }],
  ['echo -5 1e3 007', { target: '-5', rest: ['1e3', '007'] }],
  ['echo -- --depth -h --help', { target: '--depth', rest: ['-h', '--help'] }],
  ['say there', { target: 'there' }],
  ['--root r --no-color echo x', { target: 'x' }],
  ['echo --json --yes x --config=c', { target: 'x' }],
])('%s', async (line, expected) => {
  const defaults = { depth: 'standard', lens: [], format: ['md'], cache: true, rest: [] }
  expect(await readInput(line)).toEqual({ ...defaults, ...expected })
})

test.each([
  ['ech', 'there is no command "ech"; did you mean "echo"?'],
  ['sya x', 'there is no command "sya"; did you mean "say"?'],
  ['constructor', 'there is no command "constructor"'],
  ['config explian', 'there is no command "config explian"; did you mean "config explain"?'],
  ['--jsn', 'unknown flag --jsn; did you mean --json?'],
  ['config --form', 'unknown flag --form'],
  ['echo --detph x', 'unknown flag --detph; did you mean --depth?'],
  ['echo --runId x', 'unknown flag --runId; did you mean --run-id?'],
  ['echo --no-cahce', 'unknown flag --no-cahce; did you mean --no-cache?'],
  ['echo --constructor', 'unknown flag --constructor'],
  ['echo --__proto__=x', 'unknown flag --__proto__'],
  ['echo --depth.x=1', 'unknown flag --depth.x; did you mean --depth?'],
  ['echo -d', 'unknown flag -d'],
  ['echo --no-depth', '--depth cannot be turned off with --no-'],
  ['echo --no-cache=true', '--no-cache takes no value'],
  ['echo --cache=maybe', '--cache takes true or false, not "maybe"'],
  ['echo --run-id', '--run-id needs a value; one that begins with "-" is written --run-id=VALUE'],
  [
    'echo --run-id --yes',
    '--run-id needs a value; one that begins with "-" is written --run-id=VALUE',
  ],
  ['echo --run-id=', '--run-id needs a value; one that begins with "-" is written --run-id=VALUE'],
  ['echo --depth depe', '--depth takes quick, standard, deep; not "depe"; did you mean "deep"?'],
  ['echo --format html5', '--format takes md, sarif; not "html5"'],
  ['echo --max-packets ten', '--max-packets takes a number, not "ten"'],
  ['echo --max-packets 0x', '--max-packets takes a number, not "0x"'],
  ['echo --max-packets Infinity', '--max-packets takes a number, not "Infinity"'],
  ['echo --max-packets NaN', '--max-packets takes a number, not "NaN"'],
  ['echo --max-packets 0', '--max-packets 0: Too small: expected number to be >0'],
  ['config explain --from x', '<key> is required'],
  ['config explain key', '--from is required'],
  ['config explain key --from x more', 'unexpected argument "more"'],
])('%s is refused: %s', async (line, message) => {
  expect(await readUsageError(line)).toBe(message)
})

test('every wrong value is named at once, with where to find help', async () => {
  const { stderr } = await run('echo --depth depe --max-packets ten')
  expect(stderr).toBe(
    [
      'error: --depth takes quick, standard, deep; not "depe"; did you mean "deep"?',
      '  --max-packets takes a number, not "ten"',
      '  usage-invalid, explained in docs/errors/usage-invalid.md',
      '  help: fixture echo --help',
      '',
    ].join('\n'),
  )
})

test('with --json an error is an object on standard output with the same exit code', async () => {
  const { exitCode, stdout } = await run('ech --json')
  expect(exitCode).toBe(2)
  expect(JSON.parse(stdout)).toEqual({
    error: {
      code: 'usage-invalid',
      message: 'there is no command "ech"; did you mean "echo"?',
      details: {},
    },
  })
})

test('a command with a shape for errors answers wrong flags and faults in it', async () => {
  const wrongFlag = await run('step --max-runs x')
  expect(JSON.parse(wrongFlag.stdout)).toEqual({
    step_kind: 'blocked',
    reason: '--max-runs takes a number, not "x"',
  })
  const fault = await run('step')
  expect(fault).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(fault.stdout)).toEqual({ step_kind: 'blocked', reason: 'no such run' })
})

test('--quiet silences notes and keeps errors', async () => {
  expect((await run('echo --quiet')).stderr).toBe('')
  expect((await run('ech --quiet')).stderr).toContain('there is no command')
})

test('colour follows FORCE_COLOR and NO_COLOR, and --no-color beats both', async () => {
  const colored = '\u001b[32mtrusted\u001b[39m\n'
  expect((await run('config trust')).stdout).toBe('trusted\n')
  expect((await run('config trust', { FORCE_COLOR: '1' })).stdout).toBe(colored)
  expect((await run('config trust', { NO_COLOR: '1' })).stdout).toBe('trusted\n')
  expect((await run('config trust --no-color', { FORCE_COLOR: '1' })).stdout).toBe('trusted\n')
})

test('a list and a module that disagree are a fault', async () => {
  const stderr = new PassThrough()
  const entry = { ...commands[0]!, summary: 'Something else' }
  const exitCode = await runCli({
    name: 'fixture',
    version: '1',
    summary: '',
    commands: [entry],
    argv: ['echo'],
    stdout: new PassThrough(),
    stderr,
  })
  expect(exitCode).toBe(70)
  expect(String(stderr.read())).toContain('the list says "echo: Something else"')
})
