import { setImmediate } from 'node:timers/promises'

import { detach } from '@audit-tools/shared/core'

import { readSnapshotText, type Snapshot } from '../snapshot/index.ts'
import { computeFactsKey, extractFacts } from './extract-facts.ts'
import type { FileFacts } from './facts.ts'

export interface FactsOptions {
  /** Facts from before by `computeFactsKey`; a file whose key is here is not read. */
  readonly known: ReadonlyMap<string, FileFacts>
  readonly signal: AbortSignal
}

export interface CollectedFacts {
  readonly byPath: ReadonlyMap<string, FileFacts>
  /** To be kept as the next run's `known`. */
  readonly byKey: ReadonlyMap<string, FileFacts>
  /** Files that are not what the snapshot saw any more. */
  readonly changed: readonly string[]
}

const FILES_PER_TURN = 100

/** Kinds of which nothing is asked. */
const silentKinds = new Set(['lock', 'asset', 'docs', 'vendored'])

/** Reads what the files of a snapshot say about themselves, one text at a time. Throws the reason of `signal`. */
export async function collectFacts(
  snapshot: Snapshot,
  { known, signal }: FactsOptions,
): Promise<CollectedFacts> {
  const byPath = new Map<string, FileFacts>()
  const byKey = new Map<string, FileFacts>()
  const changed: string[] = []
  for (const [index, file] of snapshot.files.entries()) {
    if (index % FILES_PER_TURN === 0) await setImmediate(undefined, { signal })
    if (silentKinds.has(file.kind)) continue
    const key = computeFactsKey(file)
    let facts = known.get(key)
    if (!facts) {
      const reading = readSnapshotText(snapshot, file)
      if (reading.kind !== 'ok') {
        changed.push(file.path)
        continue
      }
      facts = detach(extractFacts(file, reading.text))
    }
    byPath.set(file.path, facts)
    byKey.set(key, facts)
  }
  return { byPath, byKey, changed }
}
