import { AuditToolsError, unreachable } from '../core/index.ts'
import { executeGit } from './execute-git.ts'
import { buildGitEnvironment, type GitVariables } from './git-environment.ts'
import type { GitRepository } from './repository.ts'

export interface RunGitOptions {
  readonly stdin?: string | Uint8Array
  /** An index or an identity of the caller's own. */
  readonly variables?: GitVariables
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

export type GitResult =
  | { readonly kind: 'ok'; readonly stdout: Buffer }
  /** Git ran and said no. Decide by the exit code; the text is for people. */
  | {
      readonly kind: 'failed'
      readonly exitCode: number
      readonly stdout: Buffer
      readonly stderr: string
    }

/**
 * Runs git in a repository and returns what it said. No hook, filter, merge driver, pager, editor, helper, signing program
 * or transport of the repository runs, and none of its ignore or attribute files outside the work tree is read. Reading
 * (`ls-files`, `diff-files`, `log`, `cat-file`, `rev-parse`, `status`) changes nothing under `.git`. What renders patches
 * (`diff`, `show`, `log --patch`) needs `--no-ext-diff --no-textconv`; without them it fails where the repository names
 * such programs. Not safe, and not to be used: `archive` with formats of the repository, `submodule`, `difftool`,
 * `mergetool`, `add --patch`, `interpret-trailers`, and aliases.
 * The programs are those that `inspectRepository` saw in the settings: inspect anew after anybody else could change them.
 * Throws `git-unusable` when git cannot be started or ends without an answer, and the reason of `signal`.
 */
export async function tryGit(
  repository: GitRepository,
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<GitResult> {
  const location = { gitDir: repository.gitDir, root: repository.bare ? null : repository.root }
  const outcome = await executeGit({
    ...options,
    args,
    cwd: repository.root,
    env: buildGitEnvironment(location, repository.overrides, options.variables),
  })
  switch (outcome.kind) {
    case 'exited':
      if (outcome.exitCode === null) throw describeFailure(repository, args, 'was killed')
      return outcome.exitCode === 0
        ? { kind: 'ok', stdout: outcome.stdout }
        : {
            kind: 'failed',
            exitCode: outcome.exitCode,
            stdout: outcome.stdout,
            stderr: outcome.stderr,
          }
    case 'cancelled':
      options.signal?.throwIfAborted()
      throw describeFailure(repository, args, 'was stopped')
    case 'timeout':
      throw describeFailure(repository, args, 'did not end in time')
    case 'too_large':
      throw describeFailure(repository, args, 'printed more than fits into memory')
    case 'spawn_failed':
      throw describeFailure(repository, args, outcome.message)
    default:
      return unreachable(outcome)
  }
}

/** Runs git and returns its output. Throws `git-unusable` also when git says no. */
export async function runGit(
  repository: GitRepository,
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<Buffer> {
  const result = await tryGit(repository, args, options)
  if (result.kind === 'ok') return result.stdout
  const reason = result.stderr.trim() || `exit code ${result.exitCode}`
  throw describeFailure(repository, args, reason)
}

function describeFailure(
  repository: GitRepository,
  args: readonly string[],
  reason: string,
): AuditToolsError {
  const command = `git ${args[0] ?? ''}`
  return new AuditToolsError(
    'git-unusable',
    `${command} failed in ${repository.root}: ${reason}. Run it there by hand to see more`,
    { details: { args: [...args], root: repository.root } },
  )
}
