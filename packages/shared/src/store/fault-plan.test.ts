import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseFaultPlan } from './fault-plan.ts'
import { startScript } from './fixtures/start-script.ts'
import { openEventLog, withFileLock } from './index.ts'

const effectsOfSteps = {
  write: 'write fsync rename fsync',
  json: 'write mkdir write rename',
  link: 'write link unlink',
  append: 'append fsync',
  event: 'append',
  mkdir: 'mkdir',
  lock: 'write link unlink mkdir utimes write rename rmdir unlink',
}
const allSteps = Object.keys(effectsOfSteps)
const effectNames = Object.values(effectsOfSteps).join(' ').split(' ')

async function perform(env: Record<string, string>, steps: readonly string[] = allSteps) {
  const directory = mkdtempSync(join(tmpdir(), 'faults-'))
  writeFileSync(join(directory, 'state'), 'old'.repeat(1000))
  const script = startScript(
    import.meta.resolve('./fixtures/perform-steps.ts'),
    [directory, ...steps],
    env,
  )
  const lines: string[] = []
  script.child.stdout.on('data', (chunk: Buffer) =>
    lines.push(...chunk.toString().trim().split('\n')),
  )
  const end = await script.ended
  return { directory, lines, end }
}

test('every effect is counted and logged by name and path', async () => {
  const logPath = join(mkdtempSync(join(tmpdir(), 'faults-')), 'effects')
  const { directory, lines } = await perform({ AUDIT_TOOLS_EFFECT_LOG: logPath })
  expect(lines).toEqual(allSteps.map((step) => `done ${step}`))
  const logged = readFileSync(logPath, 'utf8').trim().split('\n')
  expect(logged.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
    effectNames.map((name, index) => `${index + 1} ${name}`),
  )
  expect(logged[2]).toBe(`3 rename ${directory}/state`)
})

test('killed at any effect, no file is ever seen in part and the lock is free again', async () => {
  // After one effect is before the next.
  const every = process.env['FULL'] === '1' ? 1 : 3
  const spots = effectNames.map((_, index) => `before:${index + 1}`)
  spots.push(`after:${effectNames.length}`)
  const check = async (spot: string): Promise<void> => {
    const { directory, end } = await perform({ AUDIT_TOOLS_CRASH_AT: spot })
    expect({ spot, signal: end.signal }).toEqual({ spot, signal: 'SIGKILL' })
    expect(['old', 'new'].map((word) => word.repeat(1000))).toContain(
      readFileSync(join(directory, 'state'), 'utf8'),
    )
    for (const [name, whole] of [
      ['deep/er/state.json', '{\n  "a": 1\n}\n'],
      ['record', 'whole record'],
      ['count', '1'],
    ] as const) {
      const path = join(directory, name)
      if (existsSync(path)) expect(readFileSync(path, 'utf8')).toBe(whole)
    }
    expect(openEventLog(join(directory, 'events.jsonl')).read()).toMatchObject({
      damaged: [],
      tornBytes: 0,
    })
    const isFree = await withFileLock(join(directory, 'x.lock'), () => true, { timeoutMs: 2000 })
    expect(isFree).toBe(true)
  }
  const chosen = spots.filter((_, index) => index % every === 0)
  for (let index = 0; index < chosen.length; index += 4) {
    await Promise.all(chosen.slice(index, index + 4).map(check))
  }
}, 120_000)

test('from the planned write on everything fails as on a full disk, and what was written before stays', async () => {
  const { directory, lines, end } = await perform({ AUDIT_TOOLS_FAIL_WRITES: 'ENOSPC:5' })
  expect(end.exitCode).toBe(0)
  expect(lines.slice(0, 2)).toEqual(['done write', 'done json'])
  for (const line of lines.slice(2)) {
    expect(JSON.parse(line)).toMatchObject({
      code: 'store-unwritable',
      message: expect.stringContaining('the disk is full'),
    })
  }
  expect(lines).toHaveLength(allSteps.length)
  expect(readdirSync(directory).toSorted()).toEqual(['deep', 'state'])
})

test('a fault plan that cannot be read is a usage error, never ignored', () => {
  expect(parseFaultPlan({})).toBeUndefined()
  expect(parseFaultPlan({ AUDIT_TOOLS_CRASH_AT: 'after:3' })).toEqual({
    crash: { when: 'after', effect: 3 },
  })
  expect(() => parseFaultPlan({ AUDIT_TOOLS_CRASH_AT: 'after' })).toThrow(/before:N or after:N/)
  expect(() => parseFaultPlan({ AUDIT_TOOLS_FAIL_WRITES: 'full' })).toThrow(/ENOSPC:3/)
})
