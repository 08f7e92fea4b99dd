import { PassThrough } from 'node:stream'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createOutput, type OutputOptions } from './output.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function createTerminal(): PassThrough {
  return Object.assign(new PassThrough(), { isTTY: true, columns: 40 })
}

function open(changes: Partial<OutputOptions> = {}) {
  const [stdout, stderr] = [
    changes.stdout ?? new PassThrough(),
    changes.stderr ?? new PassThrough(),
  ]
  const output = createOutput({
    environment: {},
    quiet: false,
    color: true,
    ...changes,
    stdout,
    stderr,
  })
  const read = (stream: unknown): string => String((stream as PassThrough).read() ?? '')
  return { output, readOut: () => read(stdout), readErr: () => read(stderr) }
}

test('text from outside cannot address the terminal', () => {
  const { output, readOut, readErr } = open({ environment: { FORCE_COLOR: '1' } })
  output.write('a\u001b[2Jb\u009b31m\u202ec\rd\te\nf')
  output.warn('\u001b]0;title\u0007')
  expect(readOut()).toBe('a\\u{1b}[2Jb\\u{9b}31m\\u{202e}c\\u{d}d\te\nf\n')
  expect(readErr()).toBe('\\u{1b}]0;title\\u{7}\n')
})

test('JSON stays JSON and carries no raw control character', () => {
  const { output, readOut } = open()
  const value = { 'key\u009b': ['\u001b[2J', '\u202e', '\u2028', 'ä'] }
  output.json(value)
  output.jsonLine(value)
  const text = readOut()
  expect(text).not.toMatch(/[\u001b\u009b\u202e\u2028]/)
  const lines = text.trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual(value)
  expect(JSON.parse(lines.slice(0, -1).join('\n'))).toEqual(value)
})

test('colour is written only to a stream that takes it', () => {
  const { output, readOut, readErr } = open({ stderr: createTerminal() })
  const text = `${output.style('red', output.style('bold', 'bad'))} news`
  output.write(text)
  output.warn(text)
  expect(readOut()).toBe('bad news\n')
  expect(readErr()).toBe('\u001b[31m\u001b[1mbad\u001b[22m\u001b[39m news\n')
})

test.each<[Partial<OutputOptions>, boolean]>([
  [{ environment: {} }, true],
  [{ environment: { NO_COLOR: '1' } }, false],
  [{ environment: { NO_COLOR: '' } }, true],
  [{ environment: { TERM: 'dumb' } }, false],
  [{ environment: { NO_COLOR: '1', FORCE_COLOR: '1' } }, true],
  [{ environment: { FORCE_COLOR: '0' } }, false],
  [{ environment: { FORCE_COLOR: '1' }, color: false }, false],
])('on a terminal %j colours: %s', (changes, isColored) => {
  const { output, readErr } = open({ stderr: createTerminal(), ...changes })
  output.warn(output.style('green', 'x'))
  expect(readErr()).toBe(isColored ? '\u001b[32mx\u001b[39m\n' : 'x\n')
})

test('a newline is added only where it is missing', () => {
  const { output, readOut } = open()
  output.write('one')
  output.write('two\n')
  expect(readOut()).toBe('one\ntwo\n')
})

test('on a terminal progress is redrawn in place and steps aside for other text', () => {
  const { output, readErr } = open({ stderr: createTerminal() })
  output.progress('one\ntwo')
  expect(readErr()).toBe('\u001b[?7lone\ntwo\u001b[?7h')
  output.note('hello')
  expect(readErr()).toBe('\r\u001b[1A\u001b[Jhello\n\u001b[?7lone\ntwo\u001b[?7h')
  output.progress('')
  expect(readErr()).toBe('\r\u001b[1A\u001b[J')
  output.note('done')
  expect(readErr()).toBe('done\n')
})

test('fast updates are drawn a few times, and the last one always', () => {
  const { output, readErr } = open({ stderr: createTerminal() })
  for (let done = 0; done <= 100; done += 1) output.progress(`${done}`)
  expect(readErr()).toBe('\u001b[?7l0\u001b[?7h')
  vi.advanceTimersByTime(50)
  expect(readErr()).toBe('\r\u001b[J\u001b[?7l100\u001b[?7h')
})

test('without a terminal progress is a plain line now and then', () => {
  const { output, readErr } = open()
  for (let done = 0; done <= 100; done += 1) output.progress(`${done} of 100`)
  expect(readErr()).toBe('0 of 100\n')
  vi.advanceTimersByTime(10_000)
  expect(readErr()).toBe('100 of 100\n')
  vi.advanceTimersByTime(60_000)
  output.progress('')
  expect(readErr()).toBe('')
})

test('quiet keeps the answer and warnings only', () => {
  const { output, readOut, readErr } = open({ quiet: true, stderr: createTerminal() })
  output.progress('working')
  output.note('note')
  output.warn('warning')
  output.write('answer')
  expect(readErr()).toBe('warning\n')
  expect(readOut()).toBe('answer\n')
})

test('the width is the terminal’s, else 80', () => {
  expect(open().output.columns).toBe(80)
  expect(open({ stderr: createTerminal() }).output.columns).toBe(40)
  expect(open({ stdout: Object.assign(new PassThrough(), { columns: 0 }) }).output.columns).toBe(80)
})
