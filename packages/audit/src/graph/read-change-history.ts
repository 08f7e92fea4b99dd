import { type GitRepository, readHistory } from '@audit-tools/shared/git'

import type { ChangeHistory } from './count-changes.ts'

/** Older changes say little about where the next fault will be. */
const MAX_COMMITS = 1000

/** What the last 1,000 commits touched below the audited directory. */
export async function readChangeHistory(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<ChangeHistory> {
  const { commits } = await readHistory(repository, { maxCommits: MAX_COMMITS, signal })
  const prefix = repository.prefix === '' ? '' : `${repository.prefix}/`
  return commits.map(({ files }) =>
    files
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length).normalize('NFC')),
  )
}
