import { inspectRepository } from '@audit-tools/shared/git'

import { type Snapshot, type SnapshotOptions, takeSnapshot } from '../../src/snapshot/index.ts'

/** The snapshot of a directory as a command would take it. */
export async function snapshotOf(
  root: string,
  options: Partial<SnapshotOptions> = {},
): Promise<Snapshot> {
  const inspection = await inspectRepository(root)
  return takeSnapshot({
    root,
    repository: inspection.kind === 'repository' ? inspection.repository : null,
    exclude: [],
    includeUntracked: false,
    signal: new AbortController().signal,
    ...options,
  })
}
