import { realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { CaptureOutcome } from '../process/index.ts'
import { inspectPath, isBelow } from '../store/index.ts'
import { executeGit } from './execute-git.ts'
import { disableDrivers, listDriversArgs } from './find-drivers.ts'
import { buildGitEnvironment, type GitLocation } from './git-environment.ts'
import { isAtLeast, MINIMUM_GIT_VERSION, parseGitVersion } from './git-version.ts'
import type { GitRepository } from './repository.ts'

export type RepositoryInspection =
  | { readonly kind: 'repository'; readonly repository: GitRepository }
  | { readonly kind: 'not_a_repository' }
  | { readonly kind: 'git_missing' }
  | { readonly kind: 'git_too_old'; readonly version: string }
  /** There is a repository, but git cannot or must not work with it. */
  | { readonly kind: 'failed'; readonly message: string }

/** Finds the repository that a directory belongs to: at its top, in a subdirectory, a linked work tree, or bare. */
export async function inspectRepository(path: string): Promise<RepositoryInspection> {
  const facts = inspectPath(path)
  if (facts.kind === 'missing' || facts.kind === 'unreadable') {
    return { kind: 'failed', message: `${path} cannot be read` }
  }
  const directory = realpathSync(path)
  const version = await readVersion(directory)
  if (version.kind !== 'ok') return version
  return inspectDirectory(directory)
}

async function readVersion(
  cwd: string,
): Promise<{ kind: 'ok' } | Exclude<RepositoryInspection, { kind: 'repository' }>> {
  const outcome = await executeGit({ args: ['--version'], cwd, env: buildGitEnvironment(undefined) })
  if (outcome.kind === 'spawn_failed') return { kind: 'git_missing' }
  const version = outcome.kind === 'exited' ? parseGitVersion(outcome.stdout.toString()) : undefined
  if (version === undefined) return { kind: 'failed', message: 'git does not tell its version' }
  return isAtLeast(version, MINIMUM_GIT_VERSION) ? { kind: 'ok' } : { kind: 'git_too_old', version }
}
