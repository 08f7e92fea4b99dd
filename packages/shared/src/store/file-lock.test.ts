import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lockfile from 'proper-lockfile'
import { expect, test } from 'vitest'
import { systemClock } from '../core/index.ts'
import { startScript } from './fixtures/start-script.ts'
import {
  acquireLock,
  describeOwner,
  FileLockTimeoutError,
  releaseLock,
  renderOwner,
  STALE_LOCK_MS,
  withFileLock,
} from './index.ts'

const makeLockPath = (): string => join(mkdtempSync(join(tmpdir(), 'lock-')), 'state.lock')
const startHolder = (lockPath: string) =>
  startScript(import.meta.resolve('./fixtures/hold-lock.ts'), [lockPath])
const onLinux = test.runIf(process.platform === 'linux')

test('the lock exists while the work runs and is gone afterwards, and the result is passed on', async () => {
  const lockPath = makeLockPath()
  const result = await withFileLock(lockPath, () => {
    expect(statSync(lockPath).isDirectory()).toBe(true)
    return 42
  })
  expect(result).toBe(42)
  expect(readdirSync(join(lockPath, '..'))).toEqual([])
})

test('the lock is free again after work that threw', async () => {
  const lockPath = makeLockPath()
  const failing = withFileLock(lockPath, () => Promise.reject(new Error('the work failed')))
  await expect(failing).rejects.toThrow('the work failed')
  expect(await withFileLock(lockPath, () => 'free')).toBe('free')
})

test('callers in one process run one at a time, in the order in which they came', async () => {
  const lockPath = makeLockPath()
  const order: number[] = []
  let inside = 0
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      withFileLock(lockPath, async () => {
        inside += 1
        expect(inside).toBe(1)
        order.push(index)
        await systemClock.sleep(1)
        inside -= 1
      }),
    ),
  )
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
})

test('a wait that is too long is an error that names who holds the lock and what to remove', async () => {
  const lockPath = makeLockPath()
  const holder = startHolder(lockPath)
  await holder.readLine()
  const waiting = withFileLock(lockPath, () => undefined, { timeoutMs: 50 })
  await expect(waiting).rejects.toSatisfy((error) => error instanceof FileLockTimeoutError)
  await expect(waiting).rejects.toMatchObject({
    code: 'lock-timeout',
    message: expect.stringMatching(
      `process ${holder.pid} on machine .* holds it.*remove .*state.lock.owner`,
    ),
  })
  holder.child.kill('SIGKILL')
})

test('a caller that gives up leaves the queue, and those behind it go on', async () => {
  const lockPath = makeLockPath()
  const lock = await acquireLock(lockPath)
  const controller = new AbortController()
  const givesUp = withFileLock(lockPath, () => 'never', { signal: controller.signal })
  const tooLate = withFileLock(lockPath, () => 'never', { timeoutMs: 10 })
  const behind = withFileLock(lockPath, () => 'done')
  controller.abort(new Error('not needed any more'))
  await expect(givesUp).rejects.toThrow('not needed any more')
  await expect(tooLate).rejects.toThrow(`this process (${process.pid}) holds it`)
  await releaseLock(lock)
  expect(await behind).toBe('done')
  await expect(
    withFileLock(lockPath, () => 'never', { signal: controller.signal }),
  ).rejects.toThrow('not needed')
})

test('a caller that waits for another process gives up at once when told to', async () => {
  const lockPath = makeLockPath()
  const holder = startHolder(lockPath)
  await holder.readLine()
  const controller = new AbortController()
  const waiting = acquireLock(lockPath, { signal: controller.signal })
  controller.abort(new Error('stop'))
  await expect(waiting).rejects.toThrow('stop')
  holder.child.kill('SIGKILL')
})

onLinux('a lock whose holder is stopped is not free', async () => {
  const lockPath = makeLockPath()
  const holder = startHolder(lockPath)
  await holder.readLine()
  holder.child.kill('SIGSTOP')
  makeOld(lockPath)
  await expect(acquireLock(lockPath, { timeoutMs: 300 })).rejects.toThrow(/lock/)
  holder.child.kill('SIGKILL')
})

test('a process that ends by itself leaves no lock behind that anyone waits for', async () => {
  const lockPath = makeLockPath()
  const holder = startHolder(lockPath)
  await holder.readLine()
  holder.child.kill('SIGTERM')
  await holder.ended
  expect(await withFileLock(lockPath, () => 'mine', { timeoutMs: 2000 })).toBe('mine')
})

test('a process on another machine keeps its lock however old it is', async () => {
  const lockPath = makeLockPath()
  writeOwner(lockPath, { machine_id: 'another' })
  mkdirSync(lockPath)
  makeOld(lockPath)
  await expect(acquireLock(lockPath, { timeoutMs: 200 })).rejects.toThrow(
    'on machine another holds it',
  )
})

test('a plain proper-lockfile lock is respected, and taken only when it has not been renewed for long', async () => {
  const lockPath = makeLockPath()
  const target = lockPath.replace(/\.lock$/, '')
  const unlock = await lockfile.lock(target, { realpath: false })
  await expect(acquireLock(lockPath, { timeoutMs: 200 })).rejects.toThrow(
    'another program holds it',
  )
  await unlock()
  expect(await withFileLock(lockPath, () => 'free', { timeoutMs: 200 })).toBe('free')
  mkdirSync(lockPath)
  makeOld(lockPath)
  expect(await withFileLock(lockPath, () => 'mine', { timeoutMs: 200 })).toBe('mine')
})

test('a lock that cannot be given back is a warning, and the result of the work stands', async () => {
  const lockPath = makeLockPath()
  const warned = once(process, 'warning')
  const result = await withFileLock(lockPath, () => {
    unlinkSync(`${lockPath}.owner`)
    mkdirSync(`${lockPath}.owner`)
    return 'written'
  })
  expect(result).toBe('written')
  expect(await warned).toEqual([expect.objectContaining({ code: 'store-unreadable' })])
})

test('a holder that lost its lock does not release the lock of the next holder', async () => {
  const lockPath = makeLockPath()
  const lost = await acquireLock(lockPath)
  writeOwner(lockPath, { machine_id: 'another' })
  const next = readFileSync(`${lockPath}.owner`)
  await releaseLock(lost)
  expect(readFileSync(`${lockPath}.owner`)).toEqual(next)
  await releaseLock(lost)
  await releaseLock(lockPath)
})

test.runIf(process.platform === 'linux').each([
  ['8 processes go through 150 locks of the dead', { processes: 8, locks: 150, deaths: 0 }],
  ['they die while holding locks', { processes: 8, locks: 40, deaths: 0.03 }],
])(
  'never two are inside when %s',
  async (_, { processes, locks, deaths }) => {
    const directory = mkdtempSync(join(tmpdir(), 'stress-'))
    for (let index = 0; index < locks; index += 1) abandonLock(join(directory, `${index}.lock`))
    const scripts = Array.from({ length: processes }, () =>
      startScript(import.meta.resolve('./fixtures/contend-for-lock.ts'), [
        directory,
        String(locks),
        String(deaths),
      ]),
    )
    for (const script of scripts) await script.readLine()
    let output = ''
    for (const { child } of scripts)
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    for (const script of scripts) script.child.stdin.write('go\n')
    const ends = await Promise.all(scripts.map(({ ended }) => ended))
    const finished = ends.filter(({ exitCode }) => exitCode === 0).length
    expect(output).toBe('done\n'.repeat(finished))
    if (deaths > 0) return
    expect(finished).toBe(processes)
    expect(readdirSync(directory)).toEqual([])
  },
  60_000,
)

function abandonLock(lockPath: string): void {
  mkdirSync(lockPath)
  writeOwner(lockPath, { start_time: '1' })
}

function makeOld(path: string): void {
  const longAgo = new Date(Date.now() - STALE_LOCK_MS - 60_000)
  utimesSync(path, longAgo, longAgo)
}

function writeOwner(lockPath: string, changes: object): void {
  const owner = { ...renderOwner(describeOwner('test')), ...changes }
  writeFileSync(`${lockPath}.owner`, JSON.stringify({ version: 1, token: 'a', owner }))
}
