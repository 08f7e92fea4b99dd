import { decodeGitPath, splitNul } from './git-path.ts'
import type { GitRepository } from './repository.ts'
import { runGit, type RunGitOptions } from './run-git.ts'

export interface HistoryCommit {
  readonly id: string
  /** When it was committed, epoch milliseconds. */
  readonly at: number
  /** Paths it added, changed or deleted; a rename is both. Empty where a shallow clone ends. */
  readonly files: readonly string[]
}

export interface HistoryOptions extends Pick<RunGitOptions, 'signal'> {
  /** The newest so many commits; merges are left out, their commits are not. */
  readonly maxCommits: number
}

/** The commits that lead to HEAD, newest first, with the files of each; empty while there is no commit. */
export async function readHistory(
  repository: GitRepository,
  { maxCommits, ...options }: HistoryOptions,
): Promise<{ commits: HistoryCommit[] }> {
  if (repository.head === null) return { commits: [] }
  const output = await runGit(
    repository,
    [
      'log',
      '-z',
      '--raw',
      '--no-abbrev',
      '--no-renames',
      '--no-merges',
      '--root',
      '--no-show-signature',
      '--no-ext-diff',
      '--no-textconv',
      '--ignore-submodules=none',
      '--format=tformat:%H %ct %P',
      `--max-count=${maxCommits}`,
      repository.head,
      '--',
    ],
    options,
  )
  return { commits: parseHistory(output, repository.shallow) }
}

/** Each change is a part that starts with a colon and one with its path; every other part heads a commit. */
function parseHistory(output: Buffer, shallow: boolean): HistoryCommit[] {
  const commits: { id: string; at: number; files: string[]; cut: boolean }[] = []
  let pathFollows = false
  for (const part of splitNul(output)) {
    const current = commits.at(-1)
    if (pathFollows) {
      if (current?.cut === false) current.files.push(decodeGitPath(part).path)
      pathFollows = false
      continue
    }
    const text = part.toString('latin1').trim()
    if (text.startsWith(':')) pathFollows = true
    else if (text !== '') {
      const [id = '', seconds, parent = ''] = text.split(' ')
      commits.push({ id, at: Number(seconds) * 1000, files: [], cut: shallow && parent === '' })
    }
  }
  return commits.map(({ id, at, files }) => ({ id, at, files }))
}
