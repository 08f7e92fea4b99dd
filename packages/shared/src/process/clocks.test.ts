import { expect, test } from 'vitest'
import { createFakeClock } from '../testing/index.ts'
import { type ClockLimits, startClocks } from './clocks.ts'

async function watch(limits: ClockLimits) {
  const clock = createFakeClock()
  const ended = new AbortController()
  let sleptMs = 0
  const sleepy = { ...clock, monotonic: () => clock.monotonic() + sleptMs }
  const clocks = startClocks(limits, sleepy, ended.signal)
  let expired: string | undefined
  void clocks.expired.then((name) => (expired = name ?? 'ended'))
  await clock.advance(0)
  const sleepThrough = (durationMs: number): void => {
    sleptMs += durationMs
  }
  return { clock, clocks, ended, sleepThrough, readExpired: () => expired }
}

test('a clock runs out at its limit and not before', async () => {
  const { clock, readExpired } = await watch({ totalTimeoutMs: 2_700_000 })
  await clock.advance(2_699_999)
  expect(readExpired()).toBeUndefined()
  await clock.advance(1)
  expect(readExpired()).toBe('total')
})

test('the first output ends the start clock and every output restarts the idle clock', async () => {
  const { clock, clocks, readExpired } = await watch({ startTimeoutMs: 5000, idleTimeoutMs: 1500 })
  await clock.advance(4900)
  for (let round = 0; round < 10; round += 1) {
    clocks.noteOutput()
    await clock.advance(1400)
  }
  expect(readExpired()).toBeUndefined()
  await clock.advance(200)
  expect(readExpired()).toBe('idle')
})

test('L07: time that this machine slept through is not charged; the worker gets its remaining run time', async () => {
  const { clock, sleepThrough, readExpired } = await watch({ totalTimeoutMs: 2_700_000 })
  await clock.advance(60_000)
  sleepThrough(39_000_000)
  await clock.advance(2_600_000)
  expect(readExpired()).toBeUndefined()
  await clock.advance(40_000)
  expect(readExpired()).toBe('total')
})

test('without limits nothing runs out, and the end of the process ends the watch', async () => {
  const { clock, ended, readExpired } = await watch({})
  await clock.advance(1_000_000)
  expect(readExpired()).toBeUndefined()
  ended.abort()
  await clock.advance(0)
  expect(readExpired()).toBe('ended')
})
