import { spawnSync } from 'node:child_process'
import { type Clock, readSystemErrorCode } from '../core/index.ts'
import {
  listProcesses,
  type ProcessStat,
  readProcessEnvironment,
  readProcessStat,
} from '../store/index.ts'

/** Carried in the environment of a child and all it starts, so that those that left its group are found again. */
export const TREE_MARK = 'AUDIT_TOOLS_PROCESS_TREE'

export interface ProcessTree {
  readonly rootPid: number
  /** Value of `TREE_MARK`; different for every tree. */
  readonly mark: string
  /** Clock ticks after boot at which the root started: whatever is older does not belong to the tree. */
  readonly startTime: number
}

/** To be called as soon as the root runs, while its start time can still be read. */
export function describeTree(rootPid: number, mark: string): ProcessTree {
  return { rootPid, mark, startTime: Number(readProcessStat(rootPid)?.startTime ?? 0) }
}

const pollMs = 20
/** How long killed processes may take to disappear; one in an uninterruptible call can outlast any wait. */
const giveUpMs = 5000

/** Asks a tree to end, waits up to `graceMs`, then kills what is left and waits until it is gone. */
export async function killTree(tree: ProcessTree, graceMs: number, clock: Clock): Promise<void> {
  if (signalTree(tree, 'SIGTERM') === 0) return
  if (await waitUntilGone(tree, graceMs, clock)) return
  const startedAt = clock.monotonic()
  // Once more each time: a process may start another between the look and the kill.
  while (signalTree(tree, 'SIGKILL') > 0 && clock.monotonic() - startedAt < giveUpMs) {
    await clock.sleep(pollMs)
  }
}

/** Kills a tree, blocking this process until it is gone; for when this process itself is about to end. */
export function killTreeNow(tree: ProcessTree): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let waitedMs = 0; waitedMs < giveUpMs; waitedMs += pollMs) {
    if (signalTree(tree, 'SIGKILL') === 0) return
    Atomics.wait(pause, 0, 0, pollMs)
  }
}

async function waitUntilGone(tree: ProcessTree, limitMs: number, clock: Clock): Promise<boolean> {
  const startedAt = clock.monotonic()
  while (clock.monotonic() - startedAt < limitMs) {
    if (signalTree(tree, 0) === 0) return true
    await clock.sleep(pollMs)
  }
  return false
}

/** Signals everything in a tree that lives and returns how many that were; signal 0 only counts. */
function signalTree(tree: ProcessTree, signal: NodeJS.Signals | 0): number {
  if (process.platform === 'win32') return endWindowsTree(tree, signal)
  if (process.platform !== 'linux') return sendSignal(-tree.rootPid, signal) ? 1 : 0
  return findMembers(tree).filter(({ pid }) => sendSignal(pid, signal)).length
}

/** Windows knows no request to end, and finds the members of a tree only while its root lives. */
function endWindowsTree({ rootPid }: ProcessTree, signal: NodeJS.Signals | 0): number {
  if (!sendSignal(rootPid, 0)) return 0
  if (signal !== 0)
    spawnSync('taskkill', ['/pid', String(rootPid), '/t', '/f'], { stdio: 'ignore' })
  return 1
}

/** Members of the group or session, descendants, and whatever carries the mark. */
function findMembers(tree: ProcessTree): ProcessStat[] {
  const living = listProcesses().filter(
    ({ state, startTime }) => Number(startTime) >= tree.startTime && state !== 'Z' && state !== 'X',
  )
  const mark = `${TREE_MARK}=${tree.mark}`
  const members = new Set<number>([tree.rootPid])
  let grew = true
  while (grew) {
    grew = false
    for (const stat of living) {
      if (members.has(stat.pid) || !belongs(stat)) continue
      members.add(stat.pid)
      grew = true
    }
  }
  return living.filter(({ pid }) => members.has(pid))

  function belongs({ pid, groupId, sessionId, parentPid }: ProcessStat): boolean {
    return (
      groupId === tree.rootPid ||
      sessionId === tree.rootPid ||
      members.has(parentPid) ||
      (readProcessEnvironment(pid)?.split('\0').includes(mark) ?? false)
    )
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    const code = readSystemErrorCode(error)
    if (code === 'ESRCH' || code === 'EPERM') return false
    throw error
  }
}
