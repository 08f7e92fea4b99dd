import { dirname } from 'node:path'
import { readSystemErrorCode } from '../core/index.ts'
import * as effects from './effects.ts'
import { describeWriteFailure } from './failures.ts'
import { inspectPath } from './read-file.ts'
import { renameWithRetry } from './rename-with-retry.ts'
import { createTemporaryFile, discardTemporaryFile } from './temporary-file.ts'

export interface WriteOptions {
  /** Survives a power loss: file and directory are synced before the call returns. Default false. */
  readonly durable?: boolean
}

/**
 * Replaces a file as a whole: a reader sees the old content or the new, never a part. Missing directories are made; a
 * symbolic link at `path` is replaced, not followed. Throws `store-unwritable`.
 */
export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  { durable = false }: WriteOptions = {},
): void {
  let temporary: string | undefined
  try {
    temporary = createTemporaryFile(path, data, durable)
    renameWithRetry(temporary, path)
    if (durable) effects.syncDirectory(dirname(path))
  } catch (error) {
    if (temporary !== undefined) discardTemporaryFile(temporary)
    throw describeWriteFailure(path, error)
  }
}

/**
 * Creates `path` with all of `data` at once, or changes nothing when the name is taken: of any number of processes that
 * link one name, one gets `created`. Needs a file system with hard links. Throws `store-unwritable`.
 */
export function linkExclusive(
  path: string,
  data: string | Uint8Array,
  { durable = false }: WriteOptions = {},
): 'created' | 'exists' {
  // Cheaper than a temporary file for those who come too late; the link decides.
  const found = inspectPath(path).kind
  if (found !== 'missing' && found !== 'unreadable') return 'exists'
  let temporary: string | undefined
  try {
    temporary = createTemporaryFile(path, data, durable)
    effects.link(temporary, path)
    if (durable) effects.syncDirectory(dirname(path))
    return 'created'
  } catch (error) {
    if (readSystemErrorCode(error) === 'EEXIST') return 'exists'
    throw describeWriteFailure(path, error)
  } finally {
    if (temporary !== undefined) discardTemporaryFile(temporary)
  }
}

/** Appends to a file and syncs it before returning. Throws `store-unwritable`. */
export function appendDurable(path: string, data: string | Uint8Array): void {
  appendWhole(path, typeof data === 'string' ? Buffer.from(data) : data, true)
}

/** Appends `data` in one write (making the directory when it is missing); a part that did not fit is an error. */
export function appendWhole(path: string, data: Uint8Array, durable: boolean): void {
  try {
    const written = appendMakingDirectory(path, data, durable)
    if (written < data.byteLength) {
      throw Object.assign(new Error(`${written} of ${data.byteLength} bytes were written`), {
        code: 'ENOSPC',
      })
    }
  } catch (error) {
    throw describeWriteFailure(path, error)
  }
}

function appendMakingDirectory(path: string, data: Uint8Array, durable: boolean): number {
  try {
    return effects.appendToFile(path, data, durable)
  } catch (error) {
    if (readSystemErrorCode(error) !== 'ENOENT') throw error
    effects.mkdirWithParents(dirname(path))
    return effects.appendToFile(path, data, durable)
  }
}
