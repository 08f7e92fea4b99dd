import { readEnvironment } from '../core/index.ts'
import { captureProcess, type CaptureOutcome, findExecutable } from '../process/index.ts'

export interface GitCall {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

const defaultTimeoutMs = 5 * 60_000
/** More than this is no listing that anybody could hold in memory. */
const maxStdoutBytes = 1024 * 1024 * 1024

/** Runs git once; the only place that starts it. */
export async function executeGit(call: GitCall): Promise<CaptureOutcome> {
  const command = findExecutable('git', readEnvironment())
  if (command === undefined) {
    return { kind: 'spawn_failed', code: 'ENOENT', message: 'there is no git on PATH' }
  }
  return captureProcess({
    command,
    args: ['--no-pager', ...call.args],
    cwd: call.cwd,
    env: call.env,
    stdin: call.stdin,
    signal: call.signal,
    totalTimeoutMs: call.timeoutMs ?? defaultTimeoutMs,
    maxStdoutBytes,
  })
}
