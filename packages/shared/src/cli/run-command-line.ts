import { AuditToolsError, ExitCode, readEnvironment, systemClock } from '../core/index.ts'
import { type CommonFlags, CommonFlagsSchema } from './common-flags.ts'
import { createContext, type World } from './create-context.ts'
import type { Command, CommandContext, CommandEntry } from './define-command.ts'
import { readFlagSpecs } from './flag-spec.ts'
import { listenForInterrupts, readInterruption } from './interrupt.ts'
import { parseArguments } from './parse-arguments.ts'
import { renderCommandHelp, renderCommandList } from './render-help.ts'
import { reportError } from './report-error.ts'
import { type Route, routeCommand } from './route-command.ts'
import type { RunCliOptions } from './run-cli.ts'
import { asksForHelp, checkFlagWords } from './scan-flags.ts'
import { watchStream } from './watch-stream.ts'

/** Routes, parses and runs one command line. Never rejects. */
export async function runCommandLine(options: RunCliOptions): Promise<ExitCode> {
  const interrupts = listenForInterrupts(options.clock ?? systemClock)
  const world = fillWorld(options, interrupts.signal)
  const stdout = watchStream(world.stdout, () => interrupts.stop('closed output'))
  const stderr = watchStream(world.stderr, () => undefined)
  const releaseFaults = catchStrayFaults(world)
  try {
    const exitCode = await execute(world)
    await stdout.flush()
    const failure = stdout.readFailure()
    return failure ? reportLostAnswer(failure, world) : exitCode
  } finally {
    await stderr.flush()
    releaseFaults()
    interrupts.dispose()
  }
}

function fillWorld(options: RunCliOptions, signal: AbortSignal): World {
  return {
    argv: process.argv.slice(2),
    cwd: process.cwd(),
    environment: readEnvironment(),
    clock: systemClock,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    ...options,
    signal,
  }
}

async function execute(world: World): Promise<ExitCode> {
  let context = createContext(world, guessCommonFlags(world.argv))
  let command: Command | undefined
  try {
    const route = routeCommand(world.argv, world.commands)
    if (route.kind === 'list') {
      context.output.write(await renderList(route, world, context))
      return ExitCode.Done
    }
    command = await loadCommand(route.entry)
    if (asksForHelp(route.words)) {
      context.output.write(await renderCommandHelp(command, describeTool(context)))
      return ExitCode.Done
    }
    const { input, common } = parseArguments(command, route.words)
    context = createContext(world, common)
    return await command.run(input as never, context)
  } catch (error) {
    return await answerError(error, command, context)
  } finally {
    context.output.progress('')
  }
}

async function answerError(
  error: unknown,
  command: Command | undefined,
  context: CommandContext,
): Promise<ExitCode> {
  const interruption = readInterruption(error, context.signal)
  if (interruption) {
    if (interruption.by !== 'closed output') context.output.note(interruption.message)
    return ExitCode.InProgress
  }
  if (!command?.answerError) return reportError(error, context, command)
  try {
    return await command.answerError(error, context)
  } catch (laterError) {
    return reportError(laterError, context, command)
  }
}

async function renderList(
  { entries, words }: Extract<Route, { kind: 'list' }>,
  { summary }: World,
  context: CommandContext,
): Promise<string> {
  if (!asksForHelp(words)) checkFlagWords(words, readFlagSpecs(CommonFlagsSchema, 'flag'))
  return renderCommandList(entries, { ...describeTool(context), summary })
}

function describeTool({ name, output }: CommandContext): { toolName: string; columns: number } {
  return { toolName: name, columns: output.columns }
}

/** The list and the module both name a command, so that listing loads nothing; they may not drift apart. */
async function loadCommand(entry: CommandEntry): Promise<Command> {
  const { command } = await entry.load()
  if (command.name === entry.name && command.summary === entry.summary) return command
  const [listed, loaded] = [entry, command].map(({ name, summary }) => `"${name}: ${summary}"`)
  throw new AuditToolsError('internal-fault', `the list says ${listed}, the module ${loaded}`)
}

/** How errors are to be printed while the command line is not understood yet. */
function guessCommonFlags(argv: readonly string[]): CommonFlags {
  return {
    json: argv.includes('--json') || argv.includes('--json=true'),
    quiet: argv.includes('--quiet'),
    color: !argv.includes('--no-color'),
    yes: false,
  }
}

function reportLostAnswer(failure: Error, world: World): ExitCode {
  const error = new AuditToolsError(
    'store-unwritable',
    `the answer could not be written to standard output: ${failure.message}; free space or choose another place`,
    { cause: failure },
  )
  return reportError(error, createContext(world, { ...guessCommonFlags(world.argv), json: false }))
}

/**
 * An error thrown outside of every promise would end the process with exit code 1, which means "the answer is no".
 */
function catchStrayFaults(world: World): () => void {
  const onFault = (error: unknown): void => {
    const exitCode = reportError(error, createContext(world, guessCommonFlags(world.argv)))
    // eslint-disable-next-line unicorn/no-process-exit -- what threw is unknown, so nothing may go on
    process.exit(exitCode)
  }
  process.once('uncaughtException', onFault)
  return () => process.removeListener('uncaughtException', onFault)
}
