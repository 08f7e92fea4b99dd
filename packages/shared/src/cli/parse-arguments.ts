import yargs from 'yargs'
import type { z } from 'zod'

import { AuditToolsError, findNearest } from '../core/index.ts'
import { type CommonFlags, CommonFlagsSchema } from './common-flags.ts'
import type { Command } from './define-command.ts'
import { type FlagSpec, readFlagSpecs } from './flag-spec.ts'
import { checkFlagWords } from './scan-flags.ts'

export interface ParsedArguments {
  /** Flags and positional arguments of the command, checked by its schemas. */
  readonly input: Readonly<Record<string, unknown>>
  readonly common: CommonFlags
}

/** Turns the words after a command's name into its input. Throws usage-invalid that names every problem. */
export function parseArguments(command: Command, words: readonly string[]): ParsedArguments {
  const flagSpecs = readFlagSpecs(command.flags, 'flag')
  const commonSpecs = readFlagSpecs(CommonFlagsSchema, 'flag')
  const positionalSpecs = command.args ? readFlagSpecs(command.args, 'positional') : []
  checkFlagWords(words, [...flagSpecs, ...commonSpecs])

  const { _: loose, ...named } = splitWords(words, [...flagSpecs, ...commonSpecs])
  const flags = checkValues(command.flags, collectFlags(named, flagSpecs), flagSpecs)
  const common = checkValues(CommonFlagsSchema, collectFlags(named, commonSpecs), commonSpecs)
  const positionals = collectPositionals(loose.map(String), positionalSpecs)
  const args = command.args && checkValues(command.args, positionals, positionalSpecs)

  const problems = [flags, common, args].flatMap((checked) => checked?.problems ?? [])
  if (problems.length > 0 || !common.data) {
    throw new AuditToolsError('usage-invalid', problems.join('\n'))
  }
  return { input: { ...flags.data, ...args?.data }, common: common.data }
}

function splitWords(
  words: readonly string[],
  specs: readonly FlagSpec[],
): { _: (string | number)[]; [flag: string]: unknown } {
  const options = specs.map(({ name, kind, repeated }) => {
    const type = kind === 'boolean' ? 'boolean' : 'string'
    return [name, { type, array: repeated, requiresArg: type === 'string' }] as const
  })
  return yargs()
    .help(false)
    .version(false)
    .exitProcess(false)
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .options(Object.fromEntries(options))
    .fail((message, error) => {
      throw error ?? new AuditToolsError('usage-invalid', message)
    })
    .parseSync([...words])
}

/** A flag given twice counts as last given, so that a script's defaults can be overridden at its end. */
function collectFlags(
  named: Readonly<Record<string, unknown>>,
  specs: readonly FlagSpec[],
): Record<string, unknown> {
  const entries = specs.flatMap((spec): [string, unknown][] => {
    const given = [named[spec.name]].flat().filter((value) => value !== undefined)
    if (given.length === 0) return []
    const values = given.map((value) => convertValue(value, spec))
    return [[spec.key, spec.repeated ? values : values.at(-1)]]
  })
  return Object.fromEntries(entries)
}

function collectPositionals(
  words: readonly string[],
  specs: readonly FlagSpec[],
): Record<string, unknown> {
  const last = specs.at(-1)
  if (words.length > specs.length && !last?.repeated) {
    throw new AuditToolsError('usage-invalid', `unexpected argument "${words[specs.length]}"`)
  }
  const entries = specs.flatMap((spec, index): [string, unknown][] => {
    const given = spec.repeated ? words.slice(index) : words.slice(index, index + 1)
    if (given.length === 0) return []
    const values = given.map((value) => convertValue(value, spec))
    return [[spec.key, spec.repeated ? values : values[0]]]
  })
  return Object.fromEntries(entries)
}

/** Text that is not a number stays text, so that the message can show it. */
function convertValue(value: unknown, { kind }: FlagSpec): unknown {
  if (kind !== 'number' || typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

function checkValues<Schema extends z.ZodObject>(
  schema: Schema,
  values: Readonly<Record<string, unknown>>,
  specs: readonly FlagSpec[],
): { readonly data?: z.output<Schema>; readonly problems: readonly string[] } {
  const result = schema.safeParse(values, { reportInput: true })
  if (result.success) return { data: result.data, problems: [] }
  return { problems: result.error.issues.map((issue) => formatIssue(issue, specs)) }
}

function formatIssue(issue: z.core.$ZodIssue, specs: readonly FlagSpec[]): string {
  const spec = specs.find(({ key }) => key === issue.path[0])
  if (!spec) return issue.message
  if (issue.input === undefined) return `${spec.label} is required`
  const given = JSON.stringify(issue.input)
  if (issue.code === 'invalid_value') {
    const nearest = typeof issue.input === 'string' && findNearest(issue.input, spec.choices)
    const hint = nearest ? `; did you mean "${nearest}"?` : ''
    return `${spec.label} takes ${spec.choices.join(', ')}; not ${given}${hint}`
  }
  if (issue.code === 'invalid_type') return `${spec.label} takes a ${spec.kind}, not ${given}`
  return `${spec.label} ${given}: ${issue.message}`
}
