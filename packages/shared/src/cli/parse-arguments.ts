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

/** Turns the words after a command's name into its input. Throws usage-invalid with every problem found. */
export function parseArguments(command: Command, words: readonly string[]): ParsedArguments {
  const flags = readFlagSpecs(command.flags)
  const common = readFlagSpecs(CommonFlagsSchema)
  const positionals = command.args ? readFlagSpecs(command.args) : []
  checkFlagWords(words, [...flags, ...common])

  const { _: loose, ...named } = readWords(words, [...flags, ...common])
  const given = {
    flags: collectFlags(named, flags),
    common: collectFlags(named, common),
    args: collectPositionals(loose.map(String), positionals),
  }
  const problems: string[] = []
  const check = <Schema extends z.ZodObject>(
    schema: Schema,
    value: Record<string, unknown>,
    label: (spec: FlagSpec | undefined) => string,
  ): z.output<Schema> | undefined => {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    const specs = [...flags, ...common, ...positionals]
    problems.push(...result.error.issues.map((issue) => formatIssue(issue, value, specs, label)))
    return undefined
  }
  return { input: {}, common: {} as CommonFlags }
}
