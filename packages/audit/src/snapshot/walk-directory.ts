import { join } from 'node:path'

import { readSystemErrorCode } from '@audit-tools/shared/core'
import {
  ARTIFACTS_FOLDER,
  type DirectoryEntry,
  listDirectory,
  readFileText,
} from '@audit-tools/shared/store'

import { findRule, type IgnoreRule, parseIgnoreRules } from './ignore-rules.ts'
import type { Listing, ListedFile } from './listing.ts'
import type { ExcludedPath } from './snapshot.ts'

/** Directories that no person means when they audit a directory without git. */
const skippedNames = new Map([
  [ARTIFACTS_FOLDER, "the tool's own folder"],
  ['.git', 'version control data'],
  ['.hg', 'version control data'],
  ['.svn', 'version control data'],
  ['node_modules', 'directory of installed packages'],
])

interface RuleScope {
  /** Directory the rules hold below, `''` or ending in a slash. */
  readonly base: string
  readonly rules: readonly IgnoreRule[]
}

interface OpenDirectory {
  /** `''` or ending in a slash. */
  readonly path: string
  /** Deepest last. */
  readonly scopes: readonly RuleScope[]
}

/**
 * Lists a directory that git does not manage, `.gitignore` files applied. What is left out is listed, a directory as
 * one path; links are never followed.
 */
export function walkDirectory(root: string): Listing {
  const files: ListedFile[] = []
  const excluded: ExcludedPath[] = []
  const open: OpenDirectory[] = [{ path: '', scopes: [] }]
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    const listing = listDirectory(join(root, directory.path))
    if (listing.kind !== 'ok') {
      excluded.push({ path: directory.path || '.', reason: describeUnlistable(listing) })
      continue
    }
    const scopes = extendScopes(root, directory, listing.entries)
    for (const entry of listing.entries) {
      const path = directory.path + entry.name
      const isDirectory = entry.kind === 'directory'
      const reason = skippedNames.get(entry.name) ?? findIgnoreReason(scopes, path, isDirectory)
      if (reason !== undefined) excluded.push({ path, reason })
      else if (isDirectory) open.push({ path: `${path}/`, scopes })
      else files.push({ diskPath: path })
    }
  }
  return { files, excluded, untracked: [] }
}

function extendScopes(
  root: string,
  { path, scopes }: OpenDirectory,
  entries: readonly DirectoryEntry[],
): readonly RuleScope[] {
  if (!entries.some((entry) => entry.name === '.gitignore' && entry.kind === 'file')) return scopes
  const reading = readFileText(join(root, path, '.gitignore'))
  // It is among the listed files, which name it when it cannot be read.
  if (reading.kind !== 'ok') return scopes
  const rules = parseIgnoreRules({ origin: `${path}.gitignore`, text: reading.text })
  return [...scopes, { base: path, rules }]
}

function findIgnoreReason(
  scopes: readonly RuleScope[],
  path: string,
  isDirectory: boolean,
): string | undefined {
  for (const { base, rules } of scopes.toReversed()) {
    const rule = findRule(rules, path.slice(base.length).normalize('NFC'), isDirectory)
    if (rule) return rule.negated ? undefined : `ignored by ${rule.origin}: ${rule.pattern}`
  }
  return undefined
}

function describeUnlistable(
  listing: { kind: 'missing' } | { kind: 'unreadable'; cause: unknown },
): string {
  return listing.kind === 'missing'
    ? 'disappeared while it was listed'
    : `unreadable directory (${readSystemErrorCode(listing.cause) ?? 'unknown error'})`
}
