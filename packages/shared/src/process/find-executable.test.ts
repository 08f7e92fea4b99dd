import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { isStoreAlias } from './find-executable.ts'
import { findExecutable } from './index.ts'

const directory = mkdtempSync(join(tmpdir(), 'find-'))
for (const [folder, mode] of [
  ['plain', 0o644],
  ['first', 0o755],
  ['second', 0o755],
] as const) {
  mkdirSync(join(directory, folder))
  writeFileSync(join(directory, folder, 'tool'), '')
  chmodSync(join(directory, folder, 'tool'), mode)
}
const PATH = ['plain', 'first', 'second'].map((folder) => join(directory, folder)).join(delimiter)

test('the first executable on PATH is found', () => {
  expect(findExecutable('tool', { PATH })).toBe(join(directory, 'first', 'tool'))
  expect(findExecutable('other', { PATH })).toBeUndefined()
  expect(findExecutable('tool', {})).toBeUndefined()
})

test('an absolute path is taken as it is when it can run', () => {
  expect(findExecutable(join(directory, 'second', 'tool'), { PATH })).toBe(
    join(directory, 'second', 'tool'),
  )
  expect(findExecutable(join(directory, 'plain', 'tool'), { PATH })).toBeUndefined()
})

test('neither a relative entry of PATH nor a relative name can name a program', () => {
  const relative = process.cwd() === '/' ? directory.slice(1) : join('..', '..')
  expect(findExecutable('tool', { PATH: ['.', '', relative].join(delimiter) })).toBeUndefined()
  expect(findExecutable('./tool', { PATH })).toBeUndefined()
  expect(findExecutable('../first/tool', { PATH })).toBeUndefined()
})

test('P11: a stand-in that would open the store of Windows is no program', () => {
  const path = String.raw`C:\Users\me\AppData\Local\Microsoft\WindowsApps\python.exe`
  expect(isStoreAlias(path, () => 0)).toBe(true)
  expect(isStoreAlias(path, () => 100_000)).toBe(false)
  expect(isStoreAlias(String.raw`C:\Python312\python.exe`, () => 0)).toBe(false)
  const folder = join(directory, 'Microsoft', 'WindowsApps')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'python'), '')
  chmodSync(join(folder, 'python'), 0o755)
  expect(findExecutable('python', { PATH: folder })).toBeUndefined()
})
