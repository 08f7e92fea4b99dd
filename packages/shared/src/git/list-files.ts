import { AuditToolsError } from '../core/index.ts'
import { decodeGitPath, type GitPath, splitNul } from './git-path.ts'
import type { GitRepository } from './repository.ts'
import { runGit, type RunGitOptions } from './run-git.ts'

/** An entry of the index. */
export interface TrackedFile extends GitPath {
  /** `100644`, `100755`, `120000` (symbolic link) or `160000` (submodule). */
  readonly mode: string
  /** Blob id; of a submodule, its commit. */
  readonly hash: string
  /** 0, or 1 to 3 while a merge is unresolved. */
  readonly stage: number
  /** Whether git was told not to look at the file, so that it may differ unseen or be absent. */
  readonly unwatched: boolean
}

/** Every entry of the index, in its order. */
export async function listTrackedFiles(
  repository: GitRepository,
  options: Pick<RunGitOptions, 'signal'> = {},
): Promise<TrackedFile[]> {
  const output = await runGit(repository, ['ls-files', '--stage', '-v', '-z'], options)
  return [...splitNul(output)].map(parseTrackedFile)
}

function parseTrackedFile(record: Buffer): TrackedFile {
  const tab = record.indexOf('\t')
  const [tag, mode, hash, stage] = record.subarray(0, tab).toString('latin1').split(' ')
  if (tag === undefined || mode === undefined || hash === undefined || stage === undefined) {
    throw describeStrangeOutput('ls-files', record)
  }
  return {
    ...decodeGitPath(record.subarray(tab + 1)),
    mode,
    hash,
    stage: Number(stage),
    // Lower case: assumed unchanged; S: left out of a sparse checkout.
    unwatched: tag !== tag.toUpperCase() || tag === 'S',
  }
}

export interface ModifiedFile extends GitPath {
  /** `unwatched`: git was told not to look, so nobody knows. */
  readonly state: 'changed' | 'deleted' | 'unwatched'
}

/**
 * Tracked files whose work tree content may differ from the index; of all others the index holds the right blob id. A file
 * that was only touched is among them, since finding out would mean to run the repository's filters or to write its
 * index. Submodules are not looked into.
 */
export async function listModified(
  repository: GitRepository,
  options: Pick<RunGitOptions, 'signal'> = {},
): Promise<ModifiedFile[]> {
  const args = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all']
  const [output, tracked] = await Promise.all([
    runGit(repository, args, options),
    listTrackedFiles(repository, options),
  ])
  const modified = new Map<string, ModifiedFile>()
  for (const { path, rawPath, unwatched } of tracked) {
    if (unwatched)
      modified.set(keyOf(path, rawPath), {
        path,
        ...(rawPath ? { rawPath } : {}),
        state: 'unwatched',
      })
  }
  const parts = [...splitNul(output)]
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const status = parts[index]?.toString('latin1').at(-1)
    const name = decodeGitPath(parts[index + 1] ?? Buffer.alloc(0))
    const state = status === 'D' ? 'deleted' : 'changed'
    modified.set(keyOf(name.path, name.rawPath), { ...name, state })
  }
  return [...modified.values()]
}

function keyOf(path: string, rawPath: Buffer | undefined): string {
  return rawPath?.toString('latin1') ?? path
}

export interface UntrackedFile extends GitPath {
  /** A repository of its own inside the work tree; git does not look into it, and its path ends in `/`. */
  readonly repository: boolean
}

/** Files that are neither tracked nor ignored by the repository's own rules. */
export async function listUntrackedFiles(
  repository: GitRepository,
  options: Pick<RunGitOptions, 'signal'> = {},
): Promise<UntrackedFile[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z']
  const output = await runGit(repository, args, options)
  return [...splitNul(output)].map((record) => ({
    ...decodeGitPath(record),
    repository: record.at(-1) === '/'.charCodeAt(0),
  }))
}

function describeStrangeOutput(command: string, record: Buffer): AuditToolsError {
  return new AuditToolsError(
    'git-unusable',
    `git ${command} printed ${JSON.stringify(record.toString('latin1'))}, which this tool does not understand; report it`,
  )
}
