import { dirname } from 'node:path'
import type { AuditToolsError } from '../core/index.ts'
import * as effects from './effects.ts'
import { describeWriteFailure } from './failures.ts'

/** A file that takes the output of a running process as it comes. */
export interface OutputFile {
  /** Writes a chunk. The first failure ends the writing and is kept in `failure`: output must not stop the process. */
  write(chunk: Uint8Array): void
  close(): void
  readonly failure: AuditToolsError | undefined
}

/** Creates or empties the file and its missing directories. Throws `store-unwritable`. */
export function openOutputFile(path: string): OutputFile {
  let descriptor: number | undefined
  let failure: AuditToolsError | undefined
  try {
    effects.mkdirWithParents(dirname(path))
    descriptor = effects.openForStreaming(path)
  } catch (error) {
    throw describeWriteFailure(path, error)
  }
  const attempt = (act: (opened: number) => void): void => {
    if (descriptor === undefined || failure !== undefined) return
    try {
      act(descriptor)
    } catch (error) {
      failure = describeWriteFailure(path, error)
    }
  }
  return {
    write: (chunk) => attempt((opened) => effects.writeChunk(opened, chunk)),
    close() {
      if (descriptor !== undefined) effects.close(descriptor)
      descriptor = undefined
    },
    get failure() {
      return failure
    },
  }
}
