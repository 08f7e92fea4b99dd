import { resolve } from 'node:path'
import { AuditToolsError, type Clock, systemClock, systemRandom } from '../core/index.ts'
import { removeFile } from './change-files.ts'
import { makeLockDirectory, removeLockDirectory } from './lock-directory.ts'
import { enterQueue, leaveQueue } from './lock-queue.ts'
import {
  holdsLockRecord,
  locateLockRecord,
  renderLockRecord,
  takeLockRecord,
} from './lock-record.ts'
import type { OwnerIdentity } from './owner.ts'
import { inspectPath } from './read-file.ts'

/**
 * Age after which a lock directory without any owner record, which only another program can have made, counts as
 * abandoned. Locks with an owner are never judged by age.
 */
export const STALE_LOCK_MS = 30_000

const defaultTimeoutMs = 60_000
const defaultVerifyEveryMs = 30_000
const firstPollMs = 4
const longestPollMs = 50

export interface LockOptions {
  /** How long to wait for the lock. Default 60 s. */
  readonly timeoutMs?: number
  /** Ends the wait; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
  /** How often a holder looks whether its lock is still there. Default 30 s, at least 1 s. */
  readonly verifyEveryMs?: number
}

/** A lock that this process holds. */
export interface FileLock {
  readonly path: string
  /** Aborted when someone removed the lock while it was held. */
  readonly signal: AbortSignal
}

/** Thrown when a lock was not free in time; names who holds it, as far as that can be told. */
export class FileLockTimeoutError extends AuditToolsError {
  constructor(lockPath: string, timeoutMs: number, holder: string) {
    super(
      'lock-timeout',
      `the lock ${lockPath} was not free within ${timeoutMs / 1000} s; ${holder} holds it. ` +
        `If that does not run any more, remove ${locateLockRecord(lockPath)} and ${lockPath}`,
      { details: { path: lockPath, timeout_ms: timeoutMs, holder } },
    )
    this.name = 'FileLockTimeoutError'
  }
}

interface HeldLock extends FileLock {
  readonly record: Buffer
  readonly removeDirectory: () => Promise<void>
}

const heldLocks = new Map<string, HeldLock>()

/**
 * Runs `act` while holding the lock at `lockPath` (a directory that appears there, with the holder's record beside it).
 * Callers inside one process take turns in order; a holder that died is proved dead and replaced at once, one that is
 * stopped, asleep or slow is waited for. What `act` returned stands, also when the lock was lost meanwhile. Throws
 * `FileLockTimeoutError`, the reason of `signal`, or what `act` throws.
 */
export async function withFileLock<Result>(
  lockPath: string,
  act: (lock: FileLock) => Promise<Result> | Result,
  options: LockOptions = {},
): Promise<Result> {
  const lock = await acquireLock(lockPath, options)
  try {
    return await act(lock)
  } finally {
    await releaseLock(lock).catch((error: Error) => {
      // The result of `act` is on disk by now: throwing would make the caller do it again.
      process.emitWarning(error)
    })
  }
}

/** Takes the lock at `lockPath`; `releaseLock` gives it back, and so does the end of this process. */
export async function acquireLock(lockPath: string, options: LockOptions = {}): Promise<FileLock> {
  options.signal?.throwIfAborted()
  const path = resolve(lockPath)
  const wait = startWait(path, options)
  try {
    await enterQueue(path, wait.signal)
    try {
      const lock = await takeLock(path, wait, options)
      heldLocks.set(path, lock)
      return lock
    } catch (error) {
      leaveQueue(path)
      throw error
    }
  } finally {
    wait.stop()
  }
}

/** Gives a lock back. One that this process does not hold, or lost, is left alone. Throws `store-unwritable`. */
export async function releaseLock(lock: FileLock | string): Promise<void> {
  const path = resolve(typeof lock === 'string' ? lock : lock.path)
  const held = heldLocks.get(path)
  if (held === undefined || (typeof lock !== 'string' && lock !== held)) return
  heldLocks.delete(path)
  try {
    if (!holdsLockRecord(path, held.record)) return
    await held.removeDirectory()
    removeFile(locateLockRecord(path))
  } finally {
    leaveQueue(path)
  }
}

interface Wait {
  readonly clock: Clock
  /** Aborted by the caller's signal or when the time is up. */
  readonly signal: AbortSignal
  /** Who was last seen to hold the lock. */
  holder: OwnerIdentity | undefined
  stop(): void
}

function startWait(path: string, options: LockOptions): Wait {
  const { timeoutMs = defaultTimeoutMs, signal, clock = systemClock } = options
  const timeout = new AbortController()
  const ended = new AbortController()
  const wait: Wait = {
    clock,
    signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    holder: undefined,
    stop: () => ended.abort(),
  }
  clock.sleep(timeoutMs, ended.signal).then(
    () =>
      timeout.abort(new FileLockTimeoutError(path, timeoutMs, describeHolder(path, wait.holder))),
    () => undefined,
  )
  return wait
}

function describeHolder(path: string, holder: OwnerIdentity | undefined): string {
  if (heldLocks.has(path)) return `this process (${process.pid})`
  if (holder === undefined) return 'another program'
  return `process ${holder.pid} on machine ${holder.machineId}`
}

async function takeLock(path: string, wait: Wait, options: LockOptions): Promise<HeldLock> {
  const { verifyEveryMs = defaultVerifyEveryMs } = options
  const record = renderLockRecord()
  const inherited = await poll(wait, () => {
    const result = takeLockRecord(path, record)
    if (result.kind === 'taken') return { done: result.inherited }
    wait.holder = result.holder
    return undefined
  })
  const lost = new AbortController()
  const onCompromised = (): void => {
    if (!holdsLockRecord(path, record)) lost.abort(describeLoss(path))
  }
  try {
    if (inherited) removeLockDirectory(path)
    const removeDirectory = await poll(wait, async () => {
      const done = await makeLockDirectory(path, { verifyEveryMs, onCompromised })
      if (done !== undefined) return { done }
      if (isAbandonedDirectory(path, wait.clock)) removeLockDirectory(path)
      return undefined
    })
    return { path, signal: lost.signal, record, removeDirectory }
  } catch (error) {
    removeFile(locateLockRecord(path))
    throw error
  }
}

function describeLoss(path: string): AuditToolsError {
  return new AuditToolsError(
    'store-corrupt',
    `the lock ${path} was removed by someone else while this process held it; run the command again`,
    { details: { path } },
  )
}

function isAbandonedDirectory(path: string, clock: Clock): boolean {
  const facts = inspectPath(path)
  return facts.kind === 'directory' && clock.now() - facts.modifiedAt > STALE_LOCK_MS
}

/** Calls `attempt` until it is done, more slowly each time, or until the wait ends. */
async function poll<Result>(
  { clock, signal }: Wait,
  attempt: () => Promise<{ done: Result } | undefined> | { done: Result } | undefined,
): Promise<Result> {
  for (let delayMs = firstPollMs; ; delayMs = Math.min(delayMs * 1.5, longestPollMs)) {
    signal.throwIfAborted()
    const result = await attempt()
    if (result !== undefined) return result.done
    try {
      await clock.sleep(delayMs * (0.5 + systemRandom.next()), signal)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    }
  }
}
