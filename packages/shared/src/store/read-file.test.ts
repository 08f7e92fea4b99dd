import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  inspectPath,
  isExecutableFile,
  listDirectory,
  makeDirectory,
  openOutputFile,
  readFileBytes,
  readFileText,
  removeDirectory,
  removeFile,
  renameFile,
} from './index.ts'

const directory = mkdtempSync(join(tmpdir(), 'read-'))
writeFileSync(join(directory, 'text'), '\u{feff}設計')
writeFileSync(join(directory, 'bytes'), Buffer.from([0xff, 0x00]))
mkdirSync(join(directory, 'folder'))
symlinkSync('nowhere', join(directory, 'link'))

test('text is read without its byte order mark, and bytes that are no text are unreadable as text', () => {
  expect(readFileText(join(directory, 'text'))).toEqual({ kind: 'ok', text: '設計' })
  expect(readFileText(join(directory, 'bytes'))).toMatchObject({ kind: 'unreadable' })
  expect(readFileBytes(join(directory, 'bytes'))).toEqual({
    kind: 'ok',
    bytes: Buffer.from([0xff, 0x00]),
  })
})

test('missing and unreadable are different, also below a file', () => {
  expect(readFileText(join(directory, 'none'))).toEqual({ kind: 'missing' })
  expect(readFileBytes(join(directory, 'text', 'below'))).toEqual({ kind: 'missing' })
  expect(readFileBytes(join(directory, 'folder'))).toMatchObject({
    kind: 'unreadable',
    cause: { code: 'EISDIR' },
  })
  expect(listDirectory(join(directory, 'none'))).toEqual({ kind: 'missing' })
  expect(listDirectory(join(directory, 'none', 'below'))).toEqual({ kind: 'missing' })
})

test('a directory is listed by name with the kind of each entry, links not followed', () => {
  expect(listDirectory(directory)).toEqual({
    kind: 'ok',
    entries: [
      { name: 'bytes', kind: 'file' },
      { name: 'folder', kind: 'directory' },
      { name: 'link', kind: 'symlink' },
      { name: 'text', kind: 'file' },
    ],
  })
  expect(inspectPath(join(directory, 'bytes'))).toMatchObject({
    kind: 'file',
    bytes: 2,
    executable: false,
  })
  expect(inspectPath(join(directory, 'link'))).toMatchObject({ kind: 'symlink' })
})

test('what is missing needs no removing, and directories go with all they hold', () => {
  const path = join(directory, 'folder', 'a', 'b')
  makeDirectory(path)
  makeDirectory(path)
  removeFile(join(path, 'none'))
  renameFile(path, join(directory, 'folder', 'c'))
  removeDirectory(join(directory, 'folder'))
  removeDirectory(join(directory, 'folder'))
  expect(inspectPath(join(directory, 'folder'))).toEqual({ kind: 'missing' })
  expect(() => removeFile(directory)).toThrow(expect.objectContaining({ code: 'store-unwritable' }))
})

test('only a file with permission to run is executable', () => {
  const path = join(directory, 'program')
  writeFileSync(path, '')
  expect(isExecutableFile(path)).toBe(false)
  chmodSync(path, 0o755)
  expect(isExecutableFile(path)).toBe(true)
  expect(isExecutableFile(tmpdir())).toBe(false)
  expect(isExecutableFile(join(directory, 'absent'))).toBe(false)
})

test('the first failure ends the writing of an output file and is kept', () => {
  const good = openOutputFile(join(directory, 'logs', 'out'))
  good.write(Buffer.from('one '))
  good.write(Buffer.from('two'))
  good.close()
  good.write(Buffer.from('too late'))
  good.close()
  expect(readFileText(join(directory, 'logs', 'out'))).toEqual({ kind: 'ok', text: 'one two' })
  expect(good.failure).toBeUndefined()
  expect(() => openOutputFile(directory)).toThrow(
    expect.objectContaining({ code: 'store-unwritable' }),
  )
})

test.runIf(process.platform === 'linux')('output goes on when its file cannot take it', () => {
  const full = openOutputFile('/dev/full')
  full.write(Buffer.from('x'))
  full.write(Buffer.from('y'))
  full.close()
  expect(full.failure?.message).toContain('the disk is full')
})
