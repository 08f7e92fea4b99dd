import { readSystemErrorCode } from '../core/index.ts'
import * as effects from './effects.ts'
import { describeWriteFailure } from './failures.ts'
import { renameWithRetry } from './rename-with-retry.ts'

/** Makes a directory and its missing parents; one that exists is left alone. Throws `store-unwritable`. */
export function makeDirectory(path: string): void {
  attemptChange(path, () => effects.mkdirWithParents(path))
}

/** Removes a file; one that is missing is no error. Throws `store-unwritable`. */
export function removeFile(path: string): void {
  attemptChange(path, () => {
    try {
      effects.unlink(path)
    } catch (error) {
      if (readSystemErrorCode(error) !== 'ENOENT') throw error
    }
  })
}

/** Removes a directory with everything in it; one that is missing is no error. Throws `store-unwritable`. */
export function removeDirectory(path: string): void {
  attemptChange(path, () => effects.removeTree(path))
}

/** Moves a file or directory within one file system, over a file that is there. Throws `store-unwritable`. */
export function renameFile(from: string, to: string): void {
  attemptChange(to, () => renameWithRetry(from, to))
}

function attemptChange(path: string, change: () => void): void {
  try {
    change()
  } catch (error) {
    throw describeWriteFailure(path, error)
  }
}
