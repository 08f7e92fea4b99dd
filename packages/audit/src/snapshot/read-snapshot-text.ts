import { join } from 'node:path'

import { limitGarbage } from '@audit-tools/shared/core'
import { readFileBytes } from '@audit-tools/shared/store'

import { matchBlob } from './match-blob.ts'
import { decodeText } from './classify-content.ts'
import type { Snapshot, SnapshotFile } from './snapshot.ts'

/** `changed`: the file on disk is not what the snapshot saw, or is gone; nothing said about it holds any more. */
export type SnapshotText =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'changed' }
  | { readonly kind: 'unreadable'; readonly cause: unknown }

/**
 * Reads the text of a file of the snapshot, byte order mark and line ends as they are. Its content must still have the
 * snapshot's hash.
 */
export function readSnapshotText(
  snapshot: Pick<Snapshot, 'root'>,
  file: Pick<SnapshotFile, 'path' | 'diskPath' | 'hash'>,
): SnapshotText {
  const reading = readFileBytes(join(snapshot.root, file.diskPath ?? file.path))
  if (reading.kind === 'missing') return { kind: 'changed' }
  if (reading.kind === 'unreadable') return reading
  limitGarbage(reading.bytes.length)
  const text = matchBlob(reading.bytes, file.hash) ? decodeText(reading.bytes) : undefined
  return text === undefined ? { kind: 'changed' } : { kind: 'ok', text }
}
