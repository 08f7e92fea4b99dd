import type { z } from 'zod'

import type { Clock, Environment, ExitCode } from '../core/index.ts'
import type { CommonFlags } from './common-flags.ts'
import type { Output } from './output.ts'

/** What a command may use of the world. Everything in it is injected, so a command runs the same in a test. */
export interface CommandContext {
  /** Name of the tool (`audit-code`), for commands that are printed for a person or a host to run. */
  readonly name: string
  readonly version: string
  /** The caller's directory, absolute; relative paths on the command line start here. */
  readonly cwd: string
  readonly environment: Environment
  readonly output: Output
  readonly clock: Clock
  /** Aborted by SIGINT, SIGTERM and a reader of standard output that went away. */
  readonly signal: AbortSignal
  /** True when a person can be asked: a terminal on both sides and no `--json`. */
  readonly interactive: boolean
  /** Flags that every command takes. Paths are absolute already. */
  readonly common: CommonFlags
  /** A path from the command line, made absolute from the caller's directory. */
  resolvePath(path: string): string
}

/** One command: its flags and arguments are zod objects, from which parsing, help and types come. */
export interface CommandDefinition<
  Flags extends z.ZodObject,
  Arguments extends z.ZodObject | undefined,
> {
  /** Words as typed; a nested command has a space: `config explain`. */
  readonly name: string
  readonly summary: string
  /** Keys are camelCase and become kebab-case flags; each key is described. */
  readonly flags: Flags
  /** Positional arguments in order; optional ones and one array come last. */
  readonly args?: Arguments
  /** Whole command lines without the tool's name, shown at the end of `--help`. */
  readonly examples?: readonly string[]
  /** `input` holds flags and arguments together. Throws AuditToolsError when it cannot go on. */
  run(input: CommandInput<Flags, Arguments>, context: CommandContext): Promise<ExitCode>
  /**
   * Answers in place of the usual error message, for commands whose protocol has a shape for errors. Called with wrong
   * flags too, then before `run`.
   */
  answerError?(error: unknown, context: CommandContext): Promise<ExitCode>
}

type CommandInput<Flags extends z.ZodObject, Arguments> = z.output<Flags> &
  (Arguments extends z.ZodObject ? z.output<Arguments> : unknown)

/** Any command, with its input type forgotten. */
export interface Command extends Omit<
  CommandDefinition<z.ZodObject, z.ZodObject | undefined>,
  'run'
> {
  run(input: never, context: CommandContext): Promise<ExitCode>
}

/** One line of a tool's command list. The module is loaded only when its command runs. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** Names from before; they run the same command and are not listed. */
  readonly aliases?: readonly string[]
  /** Works and has `--help`, but is not listed. */
  readonly hidden?: boolean
  /** `() => import('./status.ts')`; the module exports its definition as `command`. */
  load(): Promise<{ readonly command: Command }>
}

/** Checks a command's types; the value is returned as it is. */
export function defineCommand<
  Flags extends z.ZodObject,
  Arguments extends z.ZodObject | undefined = undefined,
>(definition: CommandDefinition<Flags, Arguments>): CommandDefinition<Flags, Arguments> {
  return definition
}
