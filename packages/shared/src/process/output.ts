import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { type OutputFile, openOutputFile } from '../store/index.ts'
import type { ProcessRecord } from './outcome.ts'
import { decodeTail, TailBuffer } from './tail-buffer.ts'

export interface OutputOptions {
  /** How much of each output is kept in memory, the last part. Default 8 MiB. */
  readonly maxOutputBytes?: number | undefined
  /** Files that take the whole output. */
  readonly stdoutPath?: string | undefined
  readonly stderrPath?: string | undefined
  /** Sees every chunk of standard output as it comes. */
  readonly onStdout?: ((chunk: Buffer) => void) | undefined
  /** The same of standard error. */
  readonly onStderr?: ((chunk: Buffer) => void) | undefined
}

interface Output {
  readonly tail: TailBuffer
  readonly log: OutputFile | undefined
}

export interface Outputs {
  readonly stdout: Output
  readonly stderr: Output
  readonly onStdout: ((chunk: Buffer) => void) | undefined
  readonly onStderr: ((chunk: Buffer) => void) | undefined
}

const defaultMaxOutputBytes = 8 * 1024 * 1024

/** Prepares to take the output; done first, so that nothing is started when a log cannot be written. */
export function openOutputs(options: OutputOptions): Outputs {
  const { maxOutputBytes = defaultMaxOutputBytes, stdoutPath, stderrPath } = options
  const open = (path: string | undefined): Output => ({
    tail: new TailBuffer(maxOutputBytes),
    log: path === undefined ? undefined : openOutputFile(path),
  })
  return {
    stdout: open(stdoutPath),
    stderr: open(stderrPath),
    onStdout: options.onStdout,
    onStderr: options.onStderr,
  }
}

export function collectOutputs(
  child: ChildProcessWithoutNullStreams,
  { stdout, stderr, onStdout, onStderr }: Outputs,
  onOutput: () => void,
): void {
  child.stdout.on('data', (chunk: Buffer) => {
    take(stdout, chunk)
    onStdout?.(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    take(stderr, chunk)
    onStderr?.(chunk)
  })

  function take({ tail, log }: Output, chunk: Buffer): void {
    tail.push(chunk)
    log?.write(chunk)
    onOutput()
  }
}

export function closeOutputs({ stdout, stderr }: Outputs): void {
  stdout.log?.close()
  stderr.log?.close()
}

export function renderOutputs({
  stdout,
  stderr,
}: Outputs): Omit<ProcessRecord, 'exitCode' | 'signal' | 'durationMs'> {
  const failure = stdout.log?.failure ?? stderr.log?.failure
  return {
    stdout: readText(stdout),
    stderr: readText(stderr),
    stdoutBytes: stdout.tail.totalBytes,
    stderrBytes: stderr.tail.totalBytes,
    truncated: stdout.tail.truncated || stderr.tail.truncated,
    ...(failure === undefined ? {} : { logProblem: failure.message }),
  }
}

function readText({ tail }: Output): string {
  return tail.truncated ? decodeTail(tail.read()) : tail.read().toString('utf8')
}
