import {
  type GitPath,
  type GitRepository,
  listTrackedFiles,
  listUntrackedFiles,
} from '@audit-tools/shared/git'
import { ARTIFACTS_FOLDER } from '@audit-tools/shared/store'

import type { Listing, ListedFile } from './listing.ts'
import type { ExcludedPath } from './snapshot.ts'

const modeReasons = new Map([
  ['120000', 'symbolic link'],
  ['160000', 'submodule'],
])

/** Lists what git tracks below the root, and what it neither tracks nor ignores. */
export async function listRepository(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<Listing> {
  const [tracked, untracked] = await Promise.all([
    listTrackedFiles(repository, { signal }),
    listUntrackedFiles(repository, { signal }),
  ])
  // A path in conflict has up to three entries in the index; the work tree has one file.
  const files = new Map<string, ListedFile>()
  const excluded = new Map<string, ExcludedPath>()
  for (const entry of tracked) {
    const diskPath = toRootPath(repository, entry.path)
    if (diskPath === undefined) continue
    const reason = modeReasons.get(entry.mode) ?? findNameReason(entry, diskPath)
    if (reason === undefined) files.set(diskPath, { diskPath, indexHash: entry.hash })
    else excluded.set(diskPath, { path: diskPath.normalize('NFC'), reason })
  }
  return {
    files: [...files.values()],
    excluded: [...excluded.values()],
    untracked: untracked.flatMap((entry) => {
      const path = toRootPath(repository, entry.path)
      return path === undefined || isOwn(path) ? [] : [path]
    }),
  }
}

function findNameReason({ rawPath }: GitPath, diskPath: string): string | undefined {
  if (rawPath !== undefined) return 'its name is not UTF-8'
  return isOwn(diskPath) ? "the tool's own folder" : undefined
}

/** The path below the audited directory, or undefined for what lies beside it. */
function toRootPath({ prefix }: GitRepository, path: string): string | undefined {
  if (prefix === '') return path
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : undefined
}

function isOwn(path: string): boolean {
  return path === ARTIFACTS_FOLDER || path.startsWith(`${ARTIFACTS_FOLDER}/`)
}
