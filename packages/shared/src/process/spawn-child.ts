import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readErrorMessage, readSystemErrorCode } from '../core/index.ts'
import { inspectPath } from '../store/index.ts'
import type { SpawnFailure } from './outcome.ts'
import { planCommand } from './windows-command.ts'

export interface SpawnOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment of the child; see `pickEnvironment`. */
  readonly env: Readonly<Record<string, string>>
}

/** Starts a child as the leader of its own process group, without a shell. */
export async function spawnChild(
  options: SpawnOptions,
): Promise<{ kind: 'spawned'; child: ChildProcessWithoutNullStreams; pid: number } | SpawnFailure> {
  try {
    const { file, args, verbatim } = planCommand(options.command, options.args, process.platform)
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env,
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
      stdio: 'pipe',
    })
    await once(child, 'spawn')
    return { kind: 'spawned', child, pid: readPid(child) }
  } catch (error) {
    return describeSpawnFailure(options, error)
  }
}

/** A missing pid must never reach `kill`, where 0 means the caller's own group. */
function readPid({ pid }: ChildProcessWithoutNullStreams): number {
  if (pid === undefined) throw new Error('the system gave it no process id')
  return pid
}

function describeSpawnFailure({ command, cwd }: SpawnOptions, error: unknown): SpawnFailure {
  const code = readSystemErrorCode(error) ?? 'UNKNOWN'
  // Node reports a missing working directory as if the program were missing.
  if (code === 'ENOENT' && inspectPath(cwd).kind === 'missing') {
    const message = `cannot start ${command}: the working directory ${cwd} does not exist`
    return { kind: 'spawn_failed', code, message }
  }
  return {
    kind: 'spawn_failed',
    code,
    message: `cannot start ${command}: ${readErrorMessage(error)}`,
  }
}
