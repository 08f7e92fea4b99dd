import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startScript } from './fixtures/start-script.ts'
import {
  acquireLock,
  describeOwner,
  openEventLog,
  renderOwner,
  resolveAnchor,
  withFileLock,
  writeFileAtomic,
} from './index.ts'
import { renameWithRetry } from './rename-with-retry.ts'

interface CorpusRow {
  readonly id: string
  readonly input: string
  readonly right: string
}

const corpusUrl = new URL('../../test/fixtures/corpus/state-and-clock.jsonl', import.meta.url)
const rows = readFileSync(corpusUrl, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as CorpusRow)

const makeDirectory = (): string => mkdtempSync(join(tmpdir(), 'corpus-'))

/** The rows that the store answers; what the others need is tested where it lives. */
const checks: Readonly<Record<string, () => unknown>> = {
  async L04() {
    const lockPath = join(makeDirectory(), 'x.lock')
    const holder = startScript(import.meta.resolve('./fixtures/hold-lock.ts'), [
      lockPath,
      'blocked',
    ])
    await holder.readLine()
    ageBy(lockPath, 31_000)
    await expect(acquireLock(lockPath, { timeoutMs: 500 })).rejects.toThrow(`process ${holder.pid}`)
    holder.child.kill('SIGKILL')
  },

  async L05() {
    const lockPath = join(makeDirectory(), 'x.lock')
    const holder = startScript(import.meta.resolve('./fixtures/hold-lock.ts'), [lockPath])
    await holder.readLine()
    holder.child.kill('SIGKILL')
    await holder.ended
    ageBy(lockPath, 5000)
    const startedAt = performance.now()
    await withFileLock(lockPath, () => undefined)
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(readdirSync(join(lockPath, '..'))).toEqual([])
  },

  L09() {
    const directory = makeDirectory()
    writeFileSync(join(directory, 'new'), 'whole content')
    let refusals = 3
    renameWithRetry(join(directory, 'new'), join(directory, 'state'), {
      platform: 'win32',
      rename(from, to) {
        refusals -= 1
        if (refusals >= 0) throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
        renameSync(from, to)
      },
      sleep: () => undefined,
    })
    expect(readFileSync(join(directory, 'state'), 'utf8')).toBe('whole content')
  },

  async L10() {
    const path = join(makeDirectory(), 'state.json')
    writeFileAtomic(path, 'a'.repeat(65_536))
    const writers = ['b', 'c'].map((letter) =>
      startScript(import.meta.resolve('./fixtures/write-repeatedly.ts'), [path, letter, '300']),
    )
    let ended = 0
    for (const writer of writers) void writer.ended.then(() => (ended += 1))
    while (ended < writers.length) {
      expect(readFileSync(path, 'utf8')).toMatch(/^(?:a{65536}|b{65536}|c{65536})$/)
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const writer of writers) expect(await writer.ended).toMatchObject({ exitCode: 0 })
    expect(readdirSync(join(path, '..'))).toEqual(['state.json'])
  },

  L11() {
    const path = join(makeDirectory(), 'events.jsonl')
    const log = openEventLog(path)
    log.append({ text: 'first' })
    const { endByte } = log.read()
    log.append({ text: '設' })
    truncateSync(path, readFileSync(path).indexOf('設') + 1)
    expect(log.read()).toMatchObject({ events: [{ text: 'first' }], endByte, damaged: [] })
    log.append({ text: 'later' })
    expect(log.read()).toMatchObject({
      events: [{ text: 'first' }, { text: 'later' }],
      damaged: [],
    })
  },

  async L12() {
    const lockPath = join(makeDirectory(), 'x.lock')
    const working = withFileLock(
      lockPath,
      async ({ signal }) => {
        removeLock(lockPath)
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        })
      },
      { verifyEveryMs: 1000 },
    )
    await expect(working).rejects.toMatchObject({ code: 'store-corrupt' })
    expect(await withFileLock(lockPath, () => 'the process lives on')).toBe('the process lives on')
  },

  L13() {
    expect(resolveAnchor(join('/repo', '.audit-tools'))).toBe('/repo')
    expect(resolveAnchor(join('/repo', '.audit-tools', 'audit', 'runs'))).toBe('/repo')
  },

  async L17() {
    for (const pid of [0, -1, 1.5]) {
      const lockPath = join(makeDirectory(), 'x.lock')
      mkdirSync(lockPath)
      const owner = { ...renderOwner(describeOwner('x')), pid }
      writeFileSync(`${lockPath}.owner`, JSON.stringify({ version: 1, token: 'a', owner }))
      expect(await withFileLock(lockPath, () => 'taken over', { timeoutMs: 1000 })).toBe(
        'taken over',
      )
    }
  },

  async L18() {
    const directory = makeDirectory()
    const lockPath = join(directory, 'x.lock')
    const log = openEventLog(join(directory, 'events.jsonl'))
    const number = await withFileLock(lockPath, () => {
      log.append({ number: 1 })
      removeLock(lockPath)
      return 1
    })
    expect(number).toBe(1)
    expect(log.read().events).toEqual([{ number: 1 }])
  },
}

const rowsOfStore = rows
  .filter(({ id }) => id in checks)
  .map(({ id, input }) => [id, input] as const)

test.each(rowsOfStore)('%s: %s', async (id) => {
  expect.hasAssertions()
  await checks[id]?.()
})

test('every row that the store answers is in the corpus', () => {
  const ids = new Set(rows.map(({ id }) => id))
  expect(Object.keys(checks).filter((id) => !ids.has(id))).toEqual([])
})

function ageBy(path: string, ageMs: number): void {
  const then = new Date(Date.now() - ageMs)
  utimesSync(path, then, then)
}

function removeLock(lockPath: string): void {
  unlinkSync(`${lockPath}.owner`)
  rmdirSync(lockPath)
}
