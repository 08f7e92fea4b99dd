import { dirname, join } from 'node:path'
import { readSystemErrorCode, systemRandom } from '../core/index.ts'
import * as effects from './effects.ts'

/** Tells apart the temporary files of all processes that write into one directory. */
const processMark = systemRandom.hex(16)
let fileCount = 0

/** Writes `data` to a new private file beside `path` (making the directory when it is missing) and returns its name. */
export function createTemporaryFile(
  path: string,
  data: string | Uint8Array,
  durable: boolean,
): string {
  fileCount += 1
  const directory = dirname(path)
  const temporary = join(directory, `.${processMark}-${fileCount.toString(36)}.tmp`)
  try {
    effects.createFile(temporary, data, durable)
  } catch (error) {
    if (readSystemErrorCode(error) !== 'ENOENT') {
      discardTemporaryFile(temporary)
      throw error
    }
    effects.mkdirWithParents(directory)
    effects.createFile(temporary, data, durable)
  }
  return temporary
}

/** Removes a temporary file that will not be used; a failure here must not hide the failure that led to it. */
export function discardTemporaryFile(temporary: string): void {
  try {
    effects.unlink(temporary)
  } catch {
    // It may never have come to exist; a stray temporary file is read by nobody.
  }
}
