import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { describeOwner, type OwnerIdentity, parseOwner, probeOwner, renderOwner } from './index.ts'
import { parseProcessStat, readProcessStat } from './process-table.ts'

const onLinux = test.runIf(process.platform === 'linux')

function describeProcess(pid: number): OwnerIdentity {
  const startTime = readProcessStat(pid)?.startTime ?? 'unknown'
  return { ...describeOwner('test'), pid, startTime }
}

async function startSleeper() {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  await once(child, 'spawn')
  return child
}

async function waitForState(pid: number, state: string): Promise<void> {
  while (readProcessStat(pid)?.state !== state)
    await new Promise((resolve) => setImmediate(resolve))
}

test('an owner survives being written and read', () => {
  const owner = describeOwner('registry-1')
  expect(parseOwner(JSON.parse(JSON.stringify(renderOwner(owner))))).toEqual(owner)
})

test.each([0, -1, 1.5, Number.NaN, 2 ** 60, '12', null])(
  'a record with pid %s names no owner',
  (pid) => {
    expect(parseOwner({ ...renderOwner(describeOwner('x')), pid })).toBeUndefined()
    expect(parseOwner(pid)).toBeUndefined()
  },
)

onLinux('a running process is alive and a killed one dead', async () => {
  const child = await startSleeper()
  const owner = describeProcess(child.pid ?? 0)
  expect(probeOwner(owner)).toBe('alive')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(probeOwner(owner)).toBe('dead')
})

onLinux('a stopped process is alive', async () => {
  const child = await startSleeper()
  const owner = describeProcess(child.pid ?? 0)
  child.kill('SIGSTOP')
  await waitForState(owner.pid, 'T')
  expect(probeOwner(owner)).toBe('alive')
  child.kill('SIGKILL')
})

onLinux('a zombie is dead', async () => {
  // The shell becomes a program that never takes note of the child it had.
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  await waitForState(pid, 'Z')
  expect(probeOwner(describeProcess(pid))).toBe('dead')
  parent.kill('SIGKILL')
})

onLinux('a process that got the pid of a former owner is not that owner', () => {
  expect(probeOwner({ ...describeOwner('x'), startTime: '1' })).toBe('dead')
})

test('what cannot be looked at is unknown, except that an earlier boot is over', () => {
  const own = describeOwner('x')
  expect(probeOwner({ ...own, machineId: 'another' })).toBe('unknown')
  expect(probeOwner({ ...own, pidNamespace: 'pid:[1]' })).toBe('unknown')
  expect(probeOwner({ ...own, bootId: 'earlier' })).toBe('dead')
})

test('a process name with blanks and parentheses does not shift the fields', () => {
  const fields = Array.from({ length: 49 }, (_, index) => String(index + 4))
  expect(parseProcessStat(`77 (a) Z (b) S ${fields.join(' ')}`)).toEqual({
    pid: 77,
    state: 'S',
    parentPid: 4,
    groupId: 5,
    sessionId: 6,
    startTime: '22',
  })
})
