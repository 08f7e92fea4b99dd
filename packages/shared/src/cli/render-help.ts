import yargs, { type Argv } from 'yargs'

import { CommonFlagsSchema } from './common-flags.ts'
import type { Command, CommandEntry } from './define-command.ts'
import { type FlagSpec, readFlagSpecs } from './flag-spec.ts'

/** Lines longer than this are hard to read, however wide the terminal. */
const MAX_HELP_COLUMNS = 100

export interface HelpOptions {
  readonly toolName: string
  readonly columns: number
}

/** Help for a tool or a group of its commands. */
export async function renderCommandList(
  entries: readonly CommandEntry[],
  { summary, ...options }: HelpOptions & { readonly summary: string },
): Promise<string> {
  const help = startHelp(options).usage(`Usage: $0 <command> [flags]\n\n${summary}`)
  for (const { name, summary: text, hidden } of entries) if (!hidden) help.command(name, text)
  return addCommonFlags(help)
    .option('version', { describe: 'Print the version', group: 'Flags of every command:' })
    .epilogue(`Flags of a command: ${options.toolName} <command> --help`)
    .getHelp()
}

/** Help for one command. `name` is what the user typed it by. */
export async function renderCommandHelp(command: Command, options: HelpOptions): Promise<string> {
  const positionals = command.args ? readFlagSpecs(command.args, 'positional') : []
  const usage = ['Usage: $0', command.name, ...positionals.map(formatPositional), '[flags]'].join(
    ' ',
  )
  const help = startHelp(options).usage(`${usage}\n\n${command.summary}`)
  // A group that exists keeps its place, so arguments come before flags.
  help.group([], 'Positionals:').command({
    command: ['$0', ...positionals.map(formatPositional)].join(' '),
    describe: command.summary,
    builder: (parser) => addPositionals(parser, positionals),
    handler: () => undefined,
  })
  for (const spec of readFlagSpecs(command.flags, 'flag')) addFlag(help, spec, 'Flags:')
  for (const example of command.examples ?? []) help.example(`$0 ${example}`, '')
  return addCommonFlags(help).getHelp()
}

function startHelp({ toolName, columns }: HelpOptions): Argv {
  return yargs()
    .scriptName(toolName)
    .locale('en')
    .help(false)
    .version(false)
    .exitProcess(false)
    .wrap(Math.min(columns, MAX_HELP_COLUMNS))
}

function addCommonFlags(help: Argv): Argv {
  for (const spec of readFlagSpecs(CommonFlagsSchema, 'flag')) {
    addFlag(help, spec, 'Flags of every command:')
  }
  return help.option('help', { describe: 'Show this', group: 'Flags of every command:' })
}

function addFlag(help: Argv, spec: FlagSpec, group: string): void {
  const isOnByDefault = spec.kind === 'boolean' && spec.defaultValue === true
  help.option(isOnByDefault ? `no-${spec.name}` : spec.name, {
    describe: spec.description,
    group,
    type: spec.kind,
    ...(spec.repeated ? { array: true } : {}),
    ...(spec.choices.length > 0 ? { choices: spec.choices } : {}),
    ...(spec.required ? { demandOption: true } : {}),
    ...formatDefault(spec),
  })
}

function formatDefault({ kind, defaultValue }: FlagSpec): { defaultDescription?: string } {
  if (kind === 'boolean') return {}
  const values = [defaultValue].flat().filter((value) => value !== undefined)
  return values.length === 0 ? {} : { defaultDescription: values.map(String).join(', ') }
}

function addPositionals(parser: Argv, specs: readonly FlagSpec[]): Argv {
  for (const { name, description, choices } of specs) {
    parser.positional(name, { describe: description, ...(choices.length > 0 ? { choices } : {}) })
  }
  return parser
}

function formatPositional({ name, required, repeated }: FlagSpec): string {
  const word = repeated ? `${name}..` : name
  return required ? `<${word}>` : `[${word}]`
}
