import { expect, test } from 'vitest'

import { createFakeClock } from './fake-clock.ts'

test('sleepers wake in the order of their times, each at its own instant', async () => {
  const clock = createFakeClock(0)
  const woken: number[] = []
  for (const delayMs of [30, 10, 20]) void clock.sleep(delayMs).then(() => woken.push(clock.now()))
  await clock.advance(25)
  expect(woken).toEqual([10, 20])
  expect([clock.now(), clock.sleepers]).toEqual([25, 1])
})

test('setting the wall clock moves no monotonic time and wakes nobody', async () => {
  const clock = createFakeClock(1000)
  const sleeping = clock.sleep(10)
  clock.setWallTime(9_999_999)
  expect([clock.now(), clock.monotonic(), clock.sleepers]).toEqual([9_999_999, 0, 1])
  await clock.advance(10)
  await sleeping
  expect(clock.now()).toBe(10_000_009)
})

test('an aborted sleeper rejects and is gone', async () => {
  const clock = createFakeClock()
  const controller = new AbortController()
  const sleeping = clock.sleep(10, controller.signal)
  controller.abort(new Error('enough'))
  await expect(sleeping).rejects.toThrow('enough')
  expect(clock.sleepers).toBe(0)
})
