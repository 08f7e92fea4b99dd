import { type Glob, matchGlob, parseGlob } from './glob.ts'

/*
 * Rules in gitignore syntax. The `ignore` package compiles rules to backtracking regular expressions, with which one
 * line of a hostile rule file (`*a*a*a*a*a*b`) takes minutes per path; this matcher is linear in pattern times path.
 */

/** Text in gitignore syntax, and where it comes from. */
export interface RuleText {
  /** Shown in reasons, such as `.auditignore`. */
  readonly origin: string
  readonly text: string
}

export interface IgnoreRule {
  readonly origin: string
  /** As it was written. */
  readonly pattern: string
  readonly negated: boolean
  readonly directoriesOnly: boolean
  readonly glob: Glob
}

/** Reads rules; blank lines and comments are none. */
export function parseIgnoreRules({ origin, text }: RuleText): IgnoreRule[] {
  return text
    .normalize('NFC')
    .split(/\r?\n/)
    .flatMap((line) => parseRule(line, origin) ?? [])
}

function parseRule(line: string, origin: string): IgnoreRule | undefined {
  if (line.startsWith('#')) return undefined
  const pattern = trimTrailingSpaces(line)
  const negated = pattern.startsWith('!')
  let body = negated ? pattern.slice(1) : pattern
  const directoriesOnly = body.endsWith('/')
  if (directoriesOnly) body = body.slice(0, -1)
  const anchored = body.includes('/')
  if (body.startsWith('/')) body = body.slice(1)
  if (body === '') return undefined
  const glob = parseGlob(anchored ? body : `**/${body}`)
  return { origin, pattern, negated, directoriesOnly, glob }
}

/** Trailing spaces do not count unless the last one is escaped. */
function trimTrailingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1
  return line.slice(0, end)
}

/** The last rule that matches this very path, or undefined; parents are not looked at. */
export function findRule(
  rules: readonly IgnoreRule[],
  path: string,
  isDirectory: boolean,
): IgnoreRule | undefined {
  const segments = path.split('/')
  return rules.findLast((rule) => matchesRule(rule, segments, isDirectory))
}

function matchesRule(rule: IgnoreRule, segments: readonly string[], isDirectory: boolean): boolean {
  return (isDirectory || !rule.directoriesOnly) && matchGlob(rule.glob, segments)
}

/** Decides for files, parents first as git does: what lies in an excluded directory cannot be taken back. */
export interface RuleMatcher {
  /** The rule that excludes this file, or undefined. */
  findExclusion(path: string): IgnoreRule | undefined
  /** Rules that matched none of the files and directories seen so far. */
  listUnmatched(): IgnoreRule[]
}

export function createRuleMatcher(rules: readonly IgnoreRule[]): RuleMatcher {
  const unmatched = new Set(rules)
  const directories = new Map<string, IgnoreRule | undefined>()

  const note = (path: string, isDirectory: boolean): void => {
    const segments = path.split('/')
    for (const rule of unmatched) {
      if (matchesRule(rule, segments, isDirectory)) unmatched.delete(rule)
    }
  }
  const decide = (path: string, isDirectory: boolean): IgnoreRule | undefined => {
    note(path, isDirectory)
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const inherited = parent === '' ? undefined : decideDirectory(parent)
    if (inherited) return inherited
    const rule = findRule(rules, path, isDirectory)
    return rule?.negated ? undefined : rule
  }
  const decideDirectory = (path: string): IgnoreRule | undefined => {
    if (!directories.has(path)) directories.set(path, decide(path, true))
    return directories.get(path)
  }

  return {
    findExclusion: (path) => (rules.length === 0 ? undefined : decide(path, false)),
    listUnmatched: () => [...unmatched],
  }
}
