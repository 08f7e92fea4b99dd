import type { SpawnFailure } from './outcome.ts'
import { superviseProcess, type SuperviseOptions } from './supervise-process.ts'

export type CaptureOutcome =
  | {
      readonly kind: 'exited'
      readonly exitCode: number | null
      /** Everything that was printed. */
      readonly stdout: Buffer
      /** The last part, as text. */
      readonly stderr: string
    }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'too_large' }
  | SpawnFailure

export interface CaptureOptions extends Pick<
  SuperviseOptions,
  'command' | 'args' | 'cwd' | 'env' | 'stdin' | 'totalTimeoutMs' | 'signal'
> {
  /** More than this stops the process: a part of the output would be mistaken for all of it. */
  readonly maxStdoutBytes: number
}

/** Runs a program whose output is wanted whole, as bytes. */
export async function captureProcess(options: CaptureOptions): Promise<CaptureOutcome> {
  const { maxStdoutBytes, signal } = options
  const overflow = new AbortController()
  const chunks: Buffer[] = []
  let bytes = 0
  const outcome = await superviseProcess({
    ...options,
    signal: signal ? AbortSignal.any([signal, overflow.signal]) : overflow.signal,
    maxOutputBytes: 64 * 1024,
    onStdout(chunk) {
      bytes += chunk.byteLength
      if (bytes > maxStdoutBytes) overflow.abort()
      else chunks.push(chunk)
    },
  })
  if (overflow.signal.aborted) return { kind: 'too_large' }
  if (outcome.kind === 'spawn_failed') return outcome
  if (outcome.kind !== 'exited') return { kind: outcome.kind }
  const { exitCode, stderr } = outcome
  return { kind: 'exited', exitCode, stdout: Buffer.concat(chunks), stderr }
}
