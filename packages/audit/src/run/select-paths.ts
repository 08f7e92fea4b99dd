import { AuditToolsError } from '@audit-tools/shared/core'
import { type GitRepository, runGit, tryGit } from '@audit-tools/shared/git'

import type { Graph } from '../graph/index.ts'
import type { Snapshot } from '../snapshot/index.ts'

export interface PathSelection {
  /** Files and directories of the snapshot. */
  readonly paths?: readonly string[] | undefined
  /** A commit; what differs from it, and what uses that, is selected. */
  readonly since?: string | undefined
}

/** The files that a review is limited to, or undefined for all. Throws `usage-invalid`. */
export async function selectPaths(
  snapshot: Snapshot,
  { graph, repository }: { graph: Graph; repository: GitRepository | null },
  { paths, since }: PathSelection,
): Promise<ReadonlySet<string> | undefined> {
  if (paths === undefined && since === undefined) return undefined
  const changed = since === undefined ? undefined : await listChanged(snapshot, repository, since)
  const wanted = changed === undefined ? undefined : addDependants(changed, graph)
  const selected = snapshot.files
    .map(({ path }) => path)
    .filter((path) => wanted === undefined || wanted.has(path))
    .filter((path) => paths === undefined || paths.some((one) => isWithin(path, one)))
  return new Set(selected)
}

function isWithin(path: string, selection: string): boolean {
  return selection === '' || path === selection || path.startsWith(`${selection}/`)
}

/** Files whose content is not that of the commit; hashes of the snapshot are blob ids, so nothing is read. */
async function listChanged(
  snapshot: Snapshot,
  repository: GitRepository | null,
  since: string,
): Promise<ReadonlySet<string>> {
  if (repository === null) {
    throw new AuditToolsError(
      'usage-invalid',
      `--since ${since} needs a git repository. Leave it out`,
    )
  }
  const commit = await tryGit(repository, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${since}^{commit}`,
  ])
  if (commit.kind === 'failed') {
    throw new AuditToolsError(
      'usage-invalid',
      `--since ${since} is no commit of this repository. Name a branch, tag or commit id`,
    )
  }
  const id = commit.stdout.toString('utf8').trim()
  const tree = await runGit(repository, ['ls-tree', '-r', '-z', id])
  const prefix = repository.prefix === '' ? '' : `${repository.prefix}/`
  const hashes = new Map<string, string>()
  for (const record of tree.toString('utf8').split('\0')) {
    const [facts = '', path = ''] = record.split('\t')
    if (path.startsWith(prefix))
      hashes.set(path.slice(prefix.length).normalize('NFC'), facts.split(' ')[2] ?? '')
  }
  return new Set(
    snapshot.files.filter((file) => hashes.get(file.path) !== file.hash).map(({ path }) => path),
  )
}

function addDependants(changed: ReadonlySet<string>, { edges }: Graph): ReadonlySet<string> {
  const dependants = edges.filter(({ to }) => changed.has(to)).map(({ from }) => from)
  return new Set([...changed, ...dependants])
}
