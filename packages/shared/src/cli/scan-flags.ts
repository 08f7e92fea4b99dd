import { AuditToolsError, findNearest } from '../core/index.ts'
import type { FlagSpec } from './flag-spec.ts'

/**
 * Refuses flags that are unknown, lack their value or carry one they cannot take. The parser behind would drop, guess or
 * stumble over these, so they never reach it. Everything after `--` is left alone.
 */
export function checkFlagWords(words: readonly string[], specs: readonly FlagSpec[]): void {
  const scanned = dropTerminated(words)
  for (const [index, word] of scanned.entries()) {
    if (!isFlagWord(word)) continue
    const [name, value] = splitOnce(word.replace(/^--/, ''), '=')
    const spec = specs.find((candidate) => candidate.name === name)
    if (spec) checkValue(spec, value, scanned[index + 1])
    else checkNegation(word, name, value, specs)
  }
}

/** True when help is wanted, whatever else is on the line. */
export function asksForHelp(words: readonly string[]): boolean {
  return dropTerminated(words).some((word) => word === '--help' || word === '-h')
}

function dropTerminated(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end === -1 ? words : words.slice(0, end)
}

/** True for `--json` and `-h`, false for `-`, `-5` and anything that does not begin with a dash. */
function isFlagWord(word: string): boolean {
  return word.length > 1 && word.startsWith('-') && !/^-(\d+(\.\d+)?|\.\d+)$/.test(word)
}

function checkValue(spec: FlagSpec, value: string | undefined, next: string | undefined): void {
  if (spec.kind === 'boolean') {
    if (value === undefined || value === 'true' || value === 'false') return
    throw refuse(`--${spec.name} takes true or false, not "${value}"`)
  }
  const hasValue = value === undefined ? next !== undefined && !isFlagWord(next) : value !== ''
  if (hasValue) return
  throw refuse(
    `--${spec.name} needs a value; one that begins with "-" is written --${spec.name}=VALUE`,
  )
}

function checkNegation(
  word: string,
  name: string,
  value: string | undefined,
  specs: readonly FlagSpec[],
): void {
  const positive = name.startsWith('no-') ? name.slice('no-'.length) : undefined
  const negated = word.startsWith('--')
    ? specs.find((candidate) => candidate.name === positive)
    : undefined
  if (negated === undefined) throw refuse(describeUnknown(word, name, specs))
  if (negated.kind !== 'boolean') throw refuse(`--${negated.name} cannot be turned off with --no-`)
  if (value !== undefined) throw refuse(`--no-${negated.name} takes no value`)
}

function describeUnknown(word: string, name: string, specs: readonly FlagSpec[]): string {
  const nearest = findNearest(name, listNames(specs))
  return `unknown flag ${word.split('=')[0]}${nearest ? `; did you mean --${nearest}?` : ''}`
}

function listNames(specs: readonly FlagSpec[]): string[] {
  return specs.flatMap(({ name, kind }) => (kind === 'boolean' ? [name, `no-${name}`] : [name]))
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

function refuse(message: string): AuditToolsError {
  return new AuditToolsError('usage-invalid', message)
}
