import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  addSettledPool,
  readSettledPoolCauses,
  readSettledPools,
  readSettledPoolsSync,
} from './settled-pools.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settled-'))
  path = join(folder, 'run', 'settled-pools.json')
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('a fresh run has no settled pools', async () => {
  expect(await readSettledPools(path)).toEqual(new Set())
  expect(readSettledPoolsSync(path)).toEqual(new Set())
  expect(readSettledPoolCauses(path)).toEqual([])
  expect(existsSync(path)).toBe(false)
})

test('the file is a sorted array of ids and the causes stand beside it', async () => {
  await addSettledPool(path, 'pool-b', { cause: 'credit', detail: 'no balance', settledAt: 5 })
  await addSettledPool(path, 'pool-a')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(['pool-a', 'pool-b'])
  expect(await readSettledPools(path)).toEqual(new Set(['pool-a', 'pool-b']))
  expect(readSettledPoolCauses(path)).toEqual([
    { pool_id: 'pool-a' },
    { pool_id: 'pool-b', cause: 'credit', detail: 'no balance', settled_at: 5 },
  ])
})

test('settling a pool again changes nothing and the first cause stays', async () => {
  await addSettledPool(path, 'pool', { cause: 'credit' })
  const before = readFileSync(path, 'utf8')
  await addSettledPool(path, 'pool', { cause: 'auth' })
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(readSettledPoolCauses(path)).toEqual([{ pool_id: 'pool', cause: 'credit' }])
})

test('pools that are settled at the same time are all kept', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `pool-${String(index).padStart(2, '0')}`)
  await Promise.all([...ids, ...ids].map((id) => addSettledPool(path, id, { cause: 'auth' })))
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(ids)
  expect(readSettledPoolCauses(path)).toHaveLength(30)
})

test('any text is the id of a pool', async () => {
  const ids = ['', '__proto__', 'a/b', 'ü']
  for (const id of ids) await addSettledPool(path, id, { cause: 'auth' })
  expect(await readSettledPools(path)).toEqual(new Set(ids))
})

test('a list that older tools wrote unsorted and with repeats is read', async () => {
  mkdirSync(join(path, '..'))
  writeFileSync(path, '["b","a","b"]')
  await addSettledPool(path, 'c')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(['a', 'b', 'c'])
})

test('a pool whose cause was written before a crash is settled by the next call', async () => {
  await addSettledPool(path, 'pool', { cause: 'credit' })
  rmSync(path)
  await addSettledPool(path, 'pool', { cause: 'auth' })
  expect(readSettledPoolCauses(path)).toEqual([{ pool_id: 'pool', cause: 'credit' }])
})

test.each([
  ['empty', ''],
  ['cut', '["pool-a","po'],
  ['of another shape', '{"pool-a":true}'],
  ['of other values', '["pool-a",7]'],
])('a list that is %s is an error, never an empty set, and is left as it is', async (_, text) => {
  mkdirSync(join(path, '..'))
  writeFileSync(path, text)
  const corrupt = expect.objectContaining({ code: 'store-corrupt' })
  await expect(readSettledPools(path)).rejects.toEqual(corrupt)
  expect(() => readSettledPoolsSync(path)).toThrow(corrupt)
  await expect(addSettledPool(path, 'pool-b')).rejects.toEqual(corrupt)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('a list that cannot be read is an error, never an empty set', async () => {
  mkdirSync(path, { recursive: true })
  const unreadable = expect.objectContaining({ code: 'store-unreadable' })
  await expect(readSettledPools(path)).rejects.toEqual(unreadable)
  await expect(addSettledPool(path, 'pool')).rejects.toEqual(unreadable)
})
