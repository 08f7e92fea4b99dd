import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Clock } from '../core/index.ts'

export interface ExitStatus {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * Writes the input and closes it. A child that ends or closes its input without reading it all is no error: what it did is
 * judged by its output.
 */
export function feedStdin(
  child: ChildProcessWithoutNullStreams,
  input: string | Uint8Array | undefined,
): void {
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
}

export function waitForExit(child: ChildProcessWithoutNullStreams): Promise<ExitStatus> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
}

/** Resolves when the child has ended and its output has been read to the end. */
export function waitForClose(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
  })
}

/** Waits for `event`, but no longer than `limitMs`; undefined when that was too short. */
export async function waitAtMost<Value>(
  event: Promise<Value>,
  limitMs: number,
  clock: Clock,
): Promise<Value | undefined> {
  const done = new AbortController()
  const limit = clock.sleep(limitMs, done.signal).catch((error: unknown) => {
    if (!done.signal.aborted) throw error
  })
  try {
    return (await Promise.race([event, limit])) ?? undefined
  } finally {
    done.abort()
  }
}

/** Lets go of streams that someone else still holds open. */
export function destroyStreams(child: ChildProcessWithoutNullStreams): void {
  child.stdin.destroy()
  child.stdout.destroy()
  child.stderr.destroy()
}
