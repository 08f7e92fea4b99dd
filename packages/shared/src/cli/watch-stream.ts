import type { Writable } from 'node:stream'

import { readSystemErrorCode } from '../core/index.ts'

export interface WatchedStream {
  /** Why writing failed, other than that the reader went away. */
  readFailure(): Error | undefined
  /** Resolves when all that was written has been handed over, or cannot be. */
  flush(): Promise<void>
}

/**
 * Keeps a failing stream from ending the process with a stack. The listener stays for good, since a failure may be told
 * after the last write.
 */
export function watchStream(stream: Writable, onReaderGone: () => void): WatchedStream {
  let failure: Error | undefined
  let isReaderGone = false
  stream.on('error', (error: Error) => {
    if (readSystemErrorCode(error) === 'EPIPE') {
      isReaderGone = true
      onReaderGone()
    } else if (!isReaderGone) failure ??= error
  })
  return {
    readFailure: () => failure,
    flush: () => new Promise((resolve) => stream.write('', () => resolve())),
  }
}
