import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'

import { readErrorMessage, readSystemErrorCode } from '../core/index.ts'
import type { SpawnFailure } from './outcome.ts'
import type { SpawnOptions } from './spawn-child.ts'

export interface DetachedOptions extends SpawnOptions {
  /** What it prints is added to this file, whose directory must exist. */
  readonly logPath: string
}

/** Starts a process that lives on without us: own process group, no input, output to a file. Nobody waits for it. */
export async function spawnDetached(
  options: DetachedOptions,
): Promise<{ readonly kind: 'spawned'; readonly pid: number } | SpawnFailure> {
  const { command, args, cwd, env, logPath } = options
  const log = openSync(logPath, 'a')
  try {
    const stdio = ['ignore', log, log] as const
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      windowsHide: true,
      stdio: [...stdio],
    })
    await once(child, 'spawn')
    child.unref()
    return { kind: 'spawned', pid: child.pid ?? 0 }
  } catch (error) {
    const code = readSystemErrorCode(error) ?? 'UNKNOWN'
    const message = `cannot start ${command}: ${readErrorMessage(error)}`
    return { kind: 'spawn_failed', code, message }
  } finally {
    closeSync(log)
  }
}
