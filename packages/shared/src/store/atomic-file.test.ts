import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startScript } from './fixtures/start-script.ts'
import { appendDurable, linkExclusive, writeFileAtomic } from './index.ts'

const makeDirectory = (): string => mkdtempSync(join(tmpdir(), 'store-'))

test('a written file has the new content and nothing else is left beside it', () => {
  const directory = makeDirectory()
  const path = join(directory, 'state')
  writeFileAtomic(path, 'old')
  writeFileAtomic(path, Buffer.from('new'), { durable: true })
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(readdirSync(directory)).toEqual(['state'])
})

test('missing directories are made', () => {
  const path = join(makeDirectory(), 'a', 'b', 'state')
  writeFileAtomic(path, 'x')
  expect(readFileSync(path, 'utf8')).toBe('x')
})

test('a symbolic link is replaced and what it leads to is untouched', () => {
  const directory = makeDirectory()
  const victim = join(directory, 'victim')
  writeFileSync(victim, 'precious')
  symlinkSync(victim, join(directory, 'state'))
  writeFileAtomic(join(directory, 'state'), 'x')
  expect(readFileSync(victim, 'utf8')).toBe('precious')
  expect(lstatSync(join(directory, 'state')).isFile()).toBe(true)
})

test('a link is created once and keeps its first content', () => {
  const path = join(makeDirectory(), 'deep', 'record')
  expect(linkExclusive(path, 'first')).toBe('created')
  expect(linkExclusive(path, 'second', { durable: true })).toBe('exists')
  expect(readFileSync(path, 'utf8')).toBe('first')
  expect(readdirSync(join(path, '..'))).toEqual(['record'])
})

test('of several processes that link the same names each name has one winner, with its whole record', async () => {
  const directory = makeDirectory()
  const count = 200
  const racers = Array.from({ length: 4 }, () =>
    startScript(import.meta.resolve('./fixtures/race-for-links.ts'), [directory, String(count)]),
  )
  for (const racer of racers) await racer.readLine()
  for (const racer of racers) racer.child.stdin.write('go\n')
  const won = await Promise.all(
    racers.map(async (racer) => ({
      pid: racer.pid,
      names: JSON.parse(await racer.readLine()) as number[],
    })),
  )
  expect(won.flatMap(({ names }) => names).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: count }, (_, index) => index),
  )
  for (const { pid, names } of won) {
    for (const name of names) {
      expect(readFileSync(join(directory, String(name)), 'utf8')).toBe(`${pid} `.repeat(500))
    }
  }
  expect(readdirSync(directory)).toHaveLength(count)
})

test('a path that cannot be written is an error that names it and says what to do', () => {
  const directory = makeDirectory()
  const file = join(directory, 'file')
  writeFileSync(file, '')
  mkdirSync(join(directory, 'taken', 'full'), { recursive: true })
  const cases: [path: string, code: string, advice: string][] = [
    [join(file, 'state'), 'ENOTDIR', 'is a file, not a directory'],
    [join(directory, 'taken'), 'EISDIR', 'a directory is in its place'],
    [join(directory, 'n'.repeat(300)), 'ENAMETOOLONG', 'too long'],
  ]
  for (const [path, systemCode, advice] of cases) {
    expect(() => writeFileAtomic(path, 'x')).toThrow(
      expect.objectContaining({
        code: 'store-unwritable',
        message: expect.stringMatching(new RegExp(`cannot write .*${systemCode}.*${advice}`)),
        details: { path, system_code: systemCode },
      }),
    )
  }
  expect(readdirSync(directory).toSorted()).toEqual(['file', 'taken'])
})

test.runIf(process.platform === 'linux')('a full device is said in words', () => {
  expect(() => appendDurable('/dev/full', 'x')).toThrow(/ENOSPC.*the disk is full; free some space/)
})

test.runIf(process.platform === 'linux')('missing permission is said in words', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'store-'), { encoding: 'utf8' })
  const script = startScript(import.meta.resolve('./fixtures/perform-steps.ts'), [
    directory,
    'becomeNobody',
    'write',
  ])
  if (process.getuid?.() !== 0) return void script.child.kill()
  expect(await script.readLine()).toBe('done becomeNobody')
  expect(JSON.parse(await script.readLine())).toEqual({
    code: 'store-unwritable',
    message: expect.stringMatching(/EACCES.*this user may not write there/),
  })
})
