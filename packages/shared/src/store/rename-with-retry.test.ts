import { expect, test } from 'vitest'
import { type RenamePort, renameWithRetry } from './rename-with-retry.ts'

/** A system in which the first renames fail with these codes. */
function failWith(codes: readonly string[], platform: NodeJS.Platform) {
  const left = [...codes]
  const delays: number[] = []
  const renamed: string[] = []
  const port: RenamePort = {
    platform,
    rename(from, to) {
      const code = left.shift()
      if (code !== undefined) throw Object.assign(new Error(code), { code })
      renamed.push(`${from} -> ${to}`)
    },
    sleep: (delayMs) => void delays.push(delayMs),
  }
  return { port, delays, renamed }
}

test('on Windows a rename that is refused because the target is open is tried again, more slowly each time', () => {
  const { port, delays, renamed } = failWith(['EPERM', 'EBUSY', 'EACCES'], 'win32')
  renameWithRetry('a', 'b', port)
  expect(renamed).toEqual(['a -> b'])
  expect(delays).toEqual([10, 20, 40])
})

test('on Windows a target that stays open is given up after about five seconds', () => {
  const { port, delays } = failWith(Array(100).fill('EBUSY'), 'win32')
  expect(() => renameWithRetry('a', 'b', port)).toThrow('EBUSY')
  const waitedMs = delays.reduce((sum, delayMs) => sum + delayMs, 0)
  expect(waitedMs).toBeGreaterThan(4000)
  expect(waitedMs).toBeLessThan(6000)
})

test('elsewhere the same codes mean missing permission and are not waited for', () => {
  const { port, delays } = failWith(['EACCES'], 'linux')
  expect(() => renameWithRetry('a', 'b', port)).toThrow('EACCES')
  expect(delays).toEqual([])
})
