import { parseArgs } from 'node:util'

import { AuditToolsError, findNearest } from '../core/index.ts'
import { CommonFlagsSchema } from './common-flags.ts'
import type { CommandEntry } from './define-command.ts'
import { readFlagSpecs } from './flag-spec.ts'

/** The longest name of a command has this many words. */
const MAX_NAME_WORDS = 2

/** Where a command line leads. */
export type Route =
  | { readonly kind: 'command'; readonly entry: CommandEntry; readonly words: readonly string[] }
  /** Nothing was named, or only the first word of several commands: they are to be listed. */
  | {
      readonly kind: 'list'
      readonly entries: readonly CommandEntry[]
      readonly words: readonly string[]
    }

/**
 * Finds the command by the first words that are neither a flag nor the value of a common flag; `words` is the rest.
 * Throws usage-invalid when there is no such command.
 */
export function routeCommand(argv: readonly string[], commands: readonly CommandEntry[]): Route {
  const leading = listLeadingWords(argv)
  for (let length = leading.length; length > 0; length -= 1) {
    const named = leading.slice(0, length)
    const name = named.map(({ value }) => value).join(' ')
    const entry = commands.find((candidate) => listNames(candidate).includes(name))
    if (!entry) continue
    return { kind: 'command', entry, words: dropWords(argv, named) }
  }
  const [first, second] = leading.map(({ value }) => value)
  if (first === undefined) return { kind: 'list', entries: commands, words: argv }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0 && second === undefined) {
    return { kind: 'list', entries: group, words: dropWords(argv, leading) }
  }
  throw refuseUnknown(group.length > 0 ? `${first} ${second}` : first, commands)
}

interface LeadingWord {
  readonly value: string
  readonly index: number
}

function listLeadingWords(argv: readonly string[]): LeadingWord[] {
  const options = readFlagSpecs(CommonFlagsSchema, 'flag').map(
    ({ name, kind }) => [name, { type: kind === 'boolean' ? 'boolean' : 'string' }] as const,
  )
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? argv.length
  return tokens
    .filter((token) => token.kind === 'positional')
    .filter(({ index }) => index < end)
    .slice(0, MAX_NAME_WORDS)
}

function dropWords(argv: readonly string[], dropped: readonly LeadingWord[]): string[] {
  const indexes = new Set(dropped.map(({ index }) => index))
  return argv.filter((_, index) => !indexes.has(index))
}

function listNames({ name, aliases = [] }: CommandEntry): readonly string[] {
  return [name, ...aliases]
}

function refuseUnknown(name: string, commands: readonly CommandEntry[]): AuditToolsError {
  const nearest = findNearest(name, commands.flatMap(listNames))
  const hint = nearest ? `; did you mean "${nearest}"?` : ''
  return new AuditToolsError('usage-invalid', `there is no command "${name}"${hint}`)
}
