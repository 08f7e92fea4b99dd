import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startScript } from '../store/fixtures/start-script.ts'
import { isRunning } from './fixtures/is-running.ts'

const onLinux = test.runIf(process.platform === 'linux')

/** Starts a process that supervises three others, and returns their pids too. */
async function startSupervisor(mode: string) {
  const script = startScript(import.meta.resolve('./fixtures/supervise-sleepers.ts'), [mode])
  const pids = [await script.readLine(), await script.readLine(), await script.readLine()].map(
    Number,
  )
  return { script, pids }
}

async function waitUntilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await delay(10)
}

onLinux.each([
  ['ends by itself', 'exit', { exitCode: 0, signal: null }],
  ['dies of an unforeseen error', 'throw', { exitCode: 1, signal: null }],
])('when this process %s, its children are gone before it is', async (_, mode, end) => {
  const { script, pids } = await startSupervisor(mode)
  expect(await script.ended).toEqual(end)
  expect(pids.filter(isRunning)).toEqual([])
})

onLinux.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a %s that nobody handles ends the children first and then this process',
  async (signal) => {
    const { script, pids } = await startSupervisor('wait')
    script.child.kill(signal)
    expect(await script.ended).toEqual({ exitCode: null, signal })
    expect(pids.filter(isRunning)).toEqual([])
  },
)

onLinux(
  'a signal that someone handles is left to the handler, and the children end with the process',
  async () => {
    const { script, pids } = await startSupervisor('polite')
    script.child.kill('SIGTERM')
    expect(await script.readLine()).toBe('handled')
    expect(await script.ended).toEqual({ exitCode: 5, signal: null })
    expect(pids.filter(isRunning)).toEqual([])
  },
)

onLinux(
  'when this process is killed outright its children, also those that left their group, end soon after',
  async () => {
    const { script, pids } = await startSupervisor('wait')
    script.child.kill('SIGKILL')
    await script.ended
    await waitUntilGone(pids)
    expect(pids.filter(isRunning)).toEqual([])
  },
)
