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
 * Runs one command line and returns the exit code; the bin puts it into `process.exitCode`. The one place that catches
 * every error: never rejects. `--version` is answered before anything heavy is loaded.
 */
export async function runCli(options: RunCliOptions): Promise<ExitCode> {
  throw new Error(`not built yet: ${options.name}`)
}
