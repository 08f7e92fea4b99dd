import { lstat, realpath, type StatOptions, type Stats } from 'node:fs'
import lockfile from 'proper-lockfile'
import { readSystemErrorCode } from '../core/index.ts'
import * as effects from './effects.ts'
import { describeWriteFailure } from './failures.ts'

/** So long that proper-lockfile never takes a lock over by its age; small enough for its arithmetic on timers. */
const neverStaleMs = 2 ** 40

type Callback = (error: NodeJS.ErrnoException | null) => void

/** What proper-lockfile changes goes through the effect layer too. It keeps a cache on this object: one for all locks. */
const lockFileSystem = {
  lstat,
  realpath,
  stat: (path: string, callback: (error: Error | null, stats: Stats) => void): void =>
    lstat(path, {} as StatOptions & { bigint?: false }, callback),
  mkdir: (path: string, callback: Callback): void => settle(callback, () => effects.mkdir(path)),
  rmdir: (path: string, callback: Callback): void => settle(callback, () => effects.rmdir(path)),
  rmdirSync: effects.rmdir,
  utimes: (path: string, accessedAt: Date, modifiedAt: Date, callback: Callback): void =>
    // eslint-disable-next-line max-params -- the shape of Node's own function
    settle(callback, () => effects.setTimes(path, accessedAt, modifiedAt)),
}

function settle(callback: Callback, act: () => void): void {
  try {
    act()
  } catch (error) {
    callback(error as NodeJS.ErrnoException)
    return
  }
  callback(null)
}

export interface LockDirectoryOptions {
  /** How often the holder looks whether its directory is still as it left it; at least 1000. */
  readonly verifyEveryMs: number
  /** Called at most once, when it is not. */
  readonly onCompromised: () => void
}

/** Makes the lock directory at `path` and returns the function that removes it; undefined when someone else has it. */
export async function makeLockDirectory(
  path: string,
  { verifyEveryMs, onCompromised }: LockDirectoryOptions,
): Promise<(() => Promise<void>) | undefined> {
  let unlock: () => Promise<void>
  try {
    unlock = await lockfile.lock(path, {
      lockfilePath: path,
      realpath: false,
      retries: 0,
      stale: neverStaleMs,
      update: verifyEveryMs,
      fs: lockFileSystem,
      onCompromised,
    })
  } catch (error) {
    if (readSystemErrorCode(error) === 'ELOCKED') return undefined
    throw describeWriteFailure(path, error)
  }
  return async () => {
    try {
      await unlock()
    } catch (error) {
      if (readSystemErrorCode(error) !== 'ERELEASED') throw describeWriteFailure(path, error)
      removeLockDirectory(path)
    }
  }
}

/** Removes the lock directory that a dead holder left. */
export function removeLockDirectory(path: string): void {
  try {
    effects.rmdir(path)
  } catch (error) {
    if (readSystemErrorCode(error) !== 'ENOENT') throw describeWriteFailure(path, error)
  }
}
