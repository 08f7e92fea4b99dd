import type { Readable, Writable } from 'node:stream'

import type { Clock, Environment, ExitCode } from '../core/index.ts'
import type { CommandEntry } from './define-command.ts'

export interface RunCliOptions {
  /** Name of the tool as typed. */
  readonly name: string
  readonly version: string
  /** One sentence at the top of `--help`. */
  readonly summary: string
  readonly commands: readonly CommandEntry[]
  /** Words after the tool's name; the process's own when absent, like everything below. */
  readonly argv?: readonly string[]
  readonly cwd?: string
  readonly environment?: Environment
  readonly clock?: Clock
  readonly stdin?: Readable
  readonly stdout?: Writable
  readonly stderr?: Writable
}

/**
 * Runs one command line and returns its exit code, which the bin puts into `process.exitCode`. Every error ends here as
 * a message and a code. `--version` is answered before anything else is loaded, so keep this file's imports to types.
 */
export async function runCli(options: RunCliOptions): Promise<ExitCode> {
  const argv = options.argv ?? process.argv.slice(2)
  if (argv.length === 1 && argv[0] === '--version') {
    await writeLine(options.stdout ?? process.stdout, options.version)
    return 0
  }
  const { runCommandLine } = await import('./run-command-line.ts')
  return runCommandLine({ ...options, argv })
}

/** A reader that is gone already is no error: there is nobody to tell. */
async function writeLine(stream: Writable, line: string): Promise<void> {
  stream.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    stream.write(`${line}\n`, () => resolve())
  })
}
