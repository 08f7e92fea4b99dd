import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { AuditToolsError, compareText, hashParts } from '@audit-tools/shared/core'
import type { GitRepository } from '@audit-tools/shared/git'
import { inspectPath, readFileText, resolveInsideRoot } from '@audit-tools/shared/store'

import {
  createRuleMatcher,
  type IgnoreRule,
  parseIgnoreRules,
  type RuleMatcher,
} from './ignore-rules.ts'
import { createInspector } from './inspect-file.ts'
import { listRepository } from './list-repository.ts'
import type { ListedFile } from './listing.ts'
import type { ExcludedPath, Snapshot, SnapshotFile } from './snapshot.ts'
import { walkDirectory } from './walk-directory.ts'

export interface SnapshotOptions {
  /** The directory to audit: the top of a repository, a subdirectory of it, or any directory. */
  readonly root: string
  /** The repository that `root` was inspected to belong to; null for a directory without git. */
  readonly repository: GitRepository | null
  /** Rules of the configuration in gitignore syntax; `.auditignore` at the root is read besides. */
  readonly exclude: readonly string[]
  /** Also audit files that git neither tracks nor ignores. */
  readonly includeUntracked: boolean
  readonly signal: AbortSignal
}

/** Files looked at between two chances for other work and for the signal. */
const FILES_PER_TURN = 200

/**
 * Lists the files in scope and what each is; every path that is left out is listed with its reason. Reads files below
 * `root` only and changes nothing. Throws `root-invalid` for a root that is no directory with files; the reason of
 * `signal`.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { repository, includeUntracked, signal } = options
  const root = resolveRoot(options)
  const listing = repository ? await listRepository(repository, signal) : walkDirectory(root)
  const matcher = createRuleMatcher(readRules(root, options.exclude))
  const untracked = dropExcluded(listing.untracked, (path) => path, matcher)
  const listed = dropExcluded(listing.files, (file) => file.diskPath, matcher)
  const added = includeUntracked ? untracked : { kept: [], excluded: [] }
  const inspected = await inspectFiles(
    root,
    [...listed.kept, ...added.kept.map((path) => ({ diskPath: path }))],
    options,
  )
  const excluded = [
    ...listing.excluded,
    ...listed.excluded,
    ...added.excluded,
    ...inspected.excluded,
  ]
  return {
    root,
    commit: repository?.head ?? null,
    treeHash: hashTree(inspected.files),
    files: inspected.files,
    excluded: excluded.toSorted((left, right) => compareText(left.path, right.path)),
    untrackedSkipped: includeUntracked ? 0 : untracked.kept.length,
    unmatchedRules: matcher.listUnmatched().map((rule) => `${rule.origin}: ${rule.pattern}`),
  }
}

function resolveRoot({ root, repository }: SnapshotOptions): string {
  if (inspectPath(join(root, '.')).kind !== 'directory') {
    throw new AuditToolsError('root-invalid', `${root} is not a directory. Name one with --root`)
  }
  if (repository?.bare) {
    throw new AuditToolsError(
      'root-invalid',
      `${root} is a bare repository without files. Name a checkout with --root`,
    )
  }
  const resolved = resolveInsideRoot(root, '.')
  return resolved.kind === 'inside' ? resolved.path : root
}

function readRules(root: string, exclude: readonly string[]): IgnoreRule[] {
  const configured = parseIgnoreRules({ origin: 'config', text: exclude.join('\n') })
  const path = join(root, '.auditignore')
  if (inspectPath(path).kind !== 'file') return configured
  const reading = readFileText(path)
  if (reading.kind === 'unreadable') {
    throw new AuditToolsError(
      'input-invalid',
      `${path} cannot be read as UTF-8 text, so its exclusions are unknown. Mend or remove it`,
      { cause: reading.cause },
    )
  }
  const text = reading.kind === 'ok' ? reading.text : ''
  return [...parseIgnoreRules({ origin: '.auditignore', text }), ...configured]
}

function dropExcluded<Item>(
  items: readonly Item[],
  readPath: (item: Item) => string,
  matcher: RuleMatcher,
): { kept: Item[]; excluded: ExcludedPath[] } {
  const kept: Item[] = []
  const excluded: ExcludedPath[] = []
  for (const item of items) {
    const path = readPath(item).normalize('NFC')
    const rule = matcher.findExclusion(path)
    if (rule) excluded.push({ path, reason: `excluded by ${rule.origin}: ${rule.pattern}` })
    else kept.push(item)
  }
  return { kept, excluded }
}

async function inspectFiles(
  root: string,
  listed: readonly ListedFile[],
  { repository, signal }: SnapshotOptions,
): Promise<{ files: SnapshotFile[]; excluded: ExcludedPath[] }> {
  const inspect = createInspector(root, repository?.objectFormat ?? 'sha1')
  const files = new Map<string, SnapshotFile>()
  const excluded: ExcludedPath[] = []
  for (const [index, item] of sortForInspection(listed).entries()) {
    if (index % FILES_PER_TURN === 0) await setImmediate(undefined, { signal })
    const inspection = inspect(item)
    if (inspection.kind === 'excluded') {
      excluded.push({ path: inspection.path, reason: inspection.reason })
    } else if (files.has(inspection.file.path)) {
      excluded.push({ path: inspection.file.path, reason: 'same name as another file after NFC' })
    } else {
      files.set(inspection.file.path, inspection.file)
    }
  }
  return { files: [...files.values()].toSorted(comparePaths), excluded }
}

/** Names that are NFC already first, so that they keep their path when a twin has the same one. */
function sortForInspection(listed: readonly ListedFile[]): ListedFile[] {
  return listed.toSorted(
    (left, right) =>
      Number(isRewritten(left)) - Number(isRewritten(right)) ||
      compareText(left.diskPath, right.diskPath),
  )
}

function isRewritten({ diskPath }: ListedFile): boolean {
  return diskPath !== diskPath.normalize('NFC')
}

function comparePaths(left: { path: string }, right: { path: string }): number {
  return compareText(left.path, right.path)
}

function hashTree(files: readonly SnapshotFile[]): string {
  return hashParts(files.flatMap(({ path, hash, kind }) => [path, hash, kind]))
}
