import fc from 'fast-check'
import { expect, test } from 'vitest'

import { systemClock } from './clock.ts'
import { AuditToolsError, isAuditToolsError, readSystemErrorCode } from './errors.ts'
import { hashParts } from './hash.ts'
import { createSeededRandom, systemRandom } from './random.ts'

test('lists of parts that differ never share a hash by joining', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (left, right) => {
      const same = JSON.stringify(left) === JSON.stringify(right)
      expect(hashParts(left) === hashParts(right)).toBe(same)
    }),
  )
  expect(hashParts(['ab', 'c'])).not.toBe(hashParts(['a', 'bc']))
})

test('a seeded random repeats itself and stays in range', () => {
  const draws = (seed: number): number[] => {
    const random = createSeededRandom(seed)
    return Array.from({ length: 1000 }, () => random.next())
  }
  expect(draws(7)).toEqual(draws(7))
  expect(draws(7)).not.toEqual(draws(8))
  expect(draws(7).every((draw) => draw >= 0 && draw < 1)).toBe(true)
})

test('ids have the length that was asked for', () => {
  expect([systemRandom.hex(7), createSeededRandom(1).hex(9)].map((id) => id.length)).toEqual([7, 9])
})

test('an error of another copy of the package is recognised by its brand', () => {
  const foreign = { [Symbol.for('@audit-tools/error')]: true, code: 'config-invalid' }
  expect(isAuditToolsError(foreign)).toBe(true)
  expect(isAuditToolsError(new Error('plain'))).toBe(false)
  expect(isAuditToolsError(new AuditToolsError('config-invalid', 'no'))).toBe(true)
})

test('the code of a system error is read and anything else has none', () => {
  expect(readSystemErrorCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT')
  expect([readSystemErrorCode('ENOENT'), readSystemErrorCode({ code: 5 })]).toEqual([
    undefined,
    undefined,
  ])
})

test('a sleep ends at once when it is aborted', async () => {
  const controller = new AbortController()
  const sleeping = systemClock.sleep(3_600_000, controller.signal)
  controller.abort(new Error('stopped by the test'))
  await expect(sleeping).rejects.toThrow(/abort/i)
})

test('a sleep beyond what a timer holds does not fire at once', async () => {
  const controller = new AbortController()
  const sleeping = systemClock.sleep(40 * 24 * 3_600_000, controller.signal)
  const first = await Promise.race([
    sleeping.then(() => 'woke'),
    systemClock.sleep(30).then(() => 'still asleep'),
  ])
  controller.abort()
  await expect(sleeping).rejects.toThrow()
  expect(first).toBe('still asleep')
})
