import { readSystemErrorCode } from '../core/index.ts'
import * as effects from './effects.ts'

/** Codes with which Windows refuses a rename while another process, often a virus scanner, has the file open. */
const busyCodes = new Set(['EPERM', 'EBUSY', 'EACCES'])
const firstDelayMs = 10
const longestDelayMs = 500
const maxAttempts = 15

/** What `renameWithRetry` needs from the system; replaced in tests. */
export interface RenamePort {
  readonly platform: NodeJS.Platform
  rename(from: string, to: string): void
  sleep(delayMs: number): void
}

const systemPort: RenamePort = {
  platform: process.platform,
  rename: effects.rename,
  sleep(delayMs) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs)
  },
}

/**
 * Renames over `to`. On Windows a target that someone has open is tried again for about five seconds; elsewhere those
 * codes mean missing permission, which waiting does not mend.
 */
export function renameWithRetry(from: string, to: string, port: RenamePort = systemPort): void {
  let delayMs = firstDelayMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      port.rename(from, to)
      return
    } catch (error) {
      const busy = port.platform === 'win32' && busyCodes.has(readSystemErrorCode(error) ?? '')
      if (!busy || attempt === maxAttempts) throw error
      port.sleep(delayMs)
      delayMs = Math.min(delayMs * 2, longestDelayMs)
    }
  }
}
