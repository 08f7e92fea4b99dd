import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readJsonFile, readOptionalJsonFile, writeJsonFile } from './index.ts'

const Schema = z.strictObject({ version: z.literal(1), names: z.array(z.string()) })
const directory = mkdtempSync(join(tmpdir(), 'json-'))

function writeContent(content: string | Buffer): string {
  const path = join(directory, 'state.json')
  writeFileSync(path, content)
  return path
}

test('a written value is read back, and equal values give equal bytes', () => {
  const path = join(directory, 'a', 'state.json')
  writeJsonFile(path, { version: 1, names: ['b', 'a'] })
  expect(readJsonFile(path, Schema)).toEqual({
    kind: 'ok',
    value: { version: 1, names: ['b', 'a'] },
  })
  const first = readFileSync(path)
  writeJsonFile(path, { names: ['b', 'a'], version: 1 }, { durable: true })
  expect(readFileSync(path)).toEqual(first)
})

test('missing, empty, unreadable and invalid are different answers', () => {
  expect(readJsonFile(join(directory, 'none.json'), Schema)).toEqual({ kind: 'missing' })
  expect(readJsonFile(writeContent(' \n'), Schema)).toEqual({ kind: 'empty' })
  mkdirSync(join(directory, 'folder'))
  expect(readJsonFile(join(directory, 'folder'), Schema)).toMatchObject({
    kind: 'unreadable',
    cause: { code: 'EISDIR' },
  })
  expect(readJsonFile(writeContent('{"version":1,'), Schema)).toMatchObject({
    kind: 'invalid',
    problems: [expect.stringContaining('not JSON')],
    raw: '{"version":1,',
  })
  expect(readJsonFile(writeContent('{"version":1,"names":[1]}'), Schema)).toMatchObject({
    kind: 'invalid',
    problems: [expect.stringContaining('names.0')],
    raw: { version: 1, names: [1] },
  })
  expect(readJsonFile(writeContent(Buffer.from([0xff, 0xfe, 0x7b])), Schema)).toMatchObject({
    kind: 'invalid',
    problems: [expect.stringContaining('not UTF-8')],
  })
})

test('a byte order mark is not a part of the value', () => {
  expect(readJsonFile(writeContent('\u{feff}{"version":1,"names":[]}'), Schema).kind).toBe('ok')
})

test('an optional file is absent only when it is missing; anything else that is not valid stops', () => {
  expect(readOptionalJsonFile(join(directory, 'none.json'), Schema)).toBeUndefined()
  expect(readOptionalJsonFile(writeContent('{"version":1,"names":[]}'), Schema)).toEqual({
    version: 1,
    names: [],
  })
  const thrown = (content: string) => () => readOptionalJsonFile(writeContent(content), Schema)
  expect(thrown('')).toThrow(expect.objectContaining({ code: 'store-corrupt' }))
  expect(thrown('{')).toThrow(expect.objectContaining({ code: 'store-corrupt' }))
  expect(thrown('{}')).toThrow(/state\.json is damaged.*version.*Mend it, or move it away/)
  expect(() => readOptionalJsonFile(directory, Schema)).toThrow(
    expect.objectContaining({
      code: 'store-unreadable',
      details: { path: directory, system_code: 'EISDIR' },
    }),
  )
})
