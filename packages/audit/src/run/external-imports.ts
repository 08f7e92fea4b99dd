import { join } from 'node:path'

import { hashContent } from '@audit-tools/shared/core'
import { importAnalyzerResults, type ImportOptions } from '@audit-tools/shared/findings'
import {
  listDirectory,
  makeDirectory,
  readFileBytes,
  writeFileAtomic,
} from '@audit-tools/shared/store'

import type { Gap } from '../report/index.ts'
import { readSnapshotText, type Snapshot, takeSnapshot } from '../snapshot/index.ts'
import type { DraftSource } from './assemble-findings.ts'
import type { AuditLayout } from './layout.ts'
import type { AuditSession } from './open-session.ts'

/** What importing needs to know of the tree as it is now. */
export async function importOptions(
  session: AuditSession,
  signal: AbortSignal,
): Promise<ImportOptions> {
  const snapshot = await takeSnapshot({
    root: session.root,
    repository: session.repository,
    exclude: session.config.exclude,
    includeUntracked: false,
    signal,
  })
  return makeImportOptions(snapshot)
}

function makeImportOptions(snapshot: Snapshot): ImportOptions {
  const files = new Map(snapshot.files.map((file) => [file.path, file]))
  return {
    files: [...files.keys()],
    root: snapshot.root,
    readText: (path) => {
      const file = files.get(path)
      const reading = file === undefined ? undefined : readSnapshotText(snapshot, file)
      return reading?.kind === 'ok' ? reading.text : undefined
    },
  }
}

/** Keeps the bytes as they came, named by their content: the same file twice is one import. */
export function storeImport({ layout }: AuditSession, bytes: Uint8Array): string {
  makeDirectory(layout.importsDirectory)
  const path = join(layout.importsDirectory, `${hashContent(bytes).slice(0, 16)}.json`)
  writeFileAtomic(path, bytes, { durable: true })
  return path
}

/** Everything that was imported, read against the tree as it is now; a file that cannot be read any more is a gap. */
export function readImports(
  layout: AuditLayout,
  snapshot: Snapshot,
): { sources: DraftSource[]; gaps: Gap[] } {
  const listing = listDirectory(layout.importsDirectory)
  const sources: DraftSource[] = []
  const gaps: Gap[] = []
  if (listing.kind !== 'ok' || listing.entries.length === 0) return { sources, gaps }
  const options = makeImportOptions(snapshot)
  for (const { name } of listing.entries) {
    const reading = readFileBytes(join(layout.importsDirectory, name))
    const result =
      reading.kind === 'ok'
        ? importAnalyzerResults(reading.bytes, options)
        : ({ kind: 'invalid', reason: 'it cannot be read' } as const)
    if (result.kind === 'invalid') {
      gaps.push({ scope: 'import', subject: name, reason: result.reason })
      continue
    }
    for (const { tool, outcome } of result.runs) {
      if (outcome.kind === 'failed') {
        gaps.push({ scope: 'import', subject: tool, reason: `failed to run: ${outcome.reason}` })
      }
    }
    const refused = result.elements.filter((element) => element.kind !== 'kept')
    sources.push({
      name: `import of ${result.runs.map(({ tool }) => tool).join(', ') || name}`,
      drafts: result.drafts,
      rejected: refused.map((element) => ({
        what: element.position,
        reason: 'reason' in element ? element.reason : element.kind,
      })),
    })
  }
  return { sources, gaps }
}
