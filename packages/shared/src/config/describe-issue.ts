import type { z } from 'zod'

import { findNearest } from '../core/index.ts'
import { formatKeyPath, listNamesAt } from './config-keys.ts'
import { looksLikeSecret } from './secret.ts'

/** Longer text is cut, so that a message stays one line. */
const MAX_SHOWN = 60

/** One sentence per thing that is wrong: the key, the value, and what it must be. */
export function describeIssue(issue: z.core.$ZodIssue): string[] {
  const key = issue.path.length === 0 ? 'the configuration' : formatKeyPath(issue.path)
  const value = formatValue(issue.input)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((name) => describeUnknownKey(name, issue.path))
    case 'invalid_type':
      return [describeType(key, [issue.expected], issue.input)]
    case 'invalid_value':
      return [describeChoice(key, issue.values.map(String), issue.input)]
    case 'invalid_union':
      return [describeUnion(key, issue)]
    case 'too_small':
      return [
        `${key} must ${formatBound(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)}, not ${value}`,
      ]
    case 'too_big':
      return [
        `${key} must ${formatBound(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)}, not ${value}`,
      ]
    case 'invalid_format':
    case 'custom':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
      return [`${key} ${issue.message}`]
  }
}

function describeUnknownKey(name: string, path: readonly PropertyKey[]): string {
  const nearest = findNearest(name, listNamesAt(path))
  const hint = nearest ? `did you mean "${nearest}"?` : 'remove it'
  return `there is no key ${formatKeyPath([...path, name])}; ${hint}`
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
}

function describeType(key: string, expected: readonly string[], input: unknown): string {
  const names = [...new Set(expected.map((type) => typeNames[type] ?? type))].join(' or ')
  if (input === undefined) return `${key} is missing; it must be ${names}`
  return `${key} must be ${names}, not ${formatValue(input)}`
}

function describeChoice(key: string, choices: readonly string[], input: unknown): string {
  const list = choices.map((choice) => `"${choice}"`).join(', ')
  if (input === undefined) return `${key} is missing; it must be one of ${list}`
  const nearest = typeof input === 'string' ? findNearest(input, choices) : undefined
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return `${key} must be one of ${list}, not ${formatValue(input)}${hint}`
}

function describeUnion(key: string, issue: z.core.$ZodIssueInvalidUnion): string {
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : undefined
  if (options) return describeChoice(key, options.map(String), readDiscriminator(issue))
  const expected = issue.errors
    .flat()
    .flatMap((inner) => ('expected' in inner ? inner.expected : []))
  return describeType(key, expected, issue.input)
}

function readDiscriminator({ input, path }: z.core.$ZodIssue): unknown {
  const name = path.at(-1)
  if (typeof input !== 'object' || input === null || name === undefined) return undefined
  return (input as Record<PropertyKey, unknown>)[name]
}

function formatBound(origin: string, relation: string, bound: number | bigint): string {
  if (origin === 'string')
    return bound === 1 ? 'not be empty' : `have ${relation} ${bound} characters`
  if (origin === 'array') return `have ${relation} ${bound} item${bound === 1 ? '' : 's'}`
  return `be ${relation} ${bound}`
}

/** The value as a message may show it: short, on one line, and never a credential. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  if (looksLikeSecret(value)) return 'what looks like a credential (not shown)'
  const shown = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}...` : value
  return JSON.stringify(shown)
}
