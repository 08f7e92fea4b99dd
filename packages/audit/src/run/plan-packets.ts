import { coreLenses } from '@audit-tools/shared/findings'
import { hashParts } from '@audit-tools/shared/core'

import type { ReviewPacket } from '../review/index.ts'
import type { Snapshot, SnapshotFile } from '../snapshot/index.ts'

const CHARACTERS_PER_TOKEN = 4

/** Cuts the source files into packets under a token ceiling, in path order. */
export function planPackets(snapshot: Snapshot, maxTokens: number): ReviewPacket[] {
  const packets: ReviewPacket[] = []
  let files: SnapshotFile[] = []
  let tokens = 0
  const close = (): void => {
    if (files.length > 0) packets.push(makePacket(files, tokens))
    files = []
    tokens = 0
  }
  for (const file of snapshot.files.filter(({ kind }) => kind === 'source' || kind === 'test')) {
    const size = Math.ceil(file.bytes / CHARACTERS_PER_TOKEN)
    if (tokens + size > maxTokens) close()
    files.push(file)
    tokens += size
  }
  close()
  return packets
}

function makePacket(files: readonly SnapshotFile[], tokens: number): ReviewPacket {
  const id = `P-${hashParts(files.map(({ path }) => path)).slice(0, 10)}`
  return {
    packet_id: id,
    lenses: [...coreLenses],
    files: files.map(({ path, diskPath, hash, lines }) => ({
      path,
      ...(diskPath === undefined ? {} : { disk_path: diskPath }),
      hash,
      total_lines: lines,
      ranges: [],
    })),
    neighbours: [],
    leads: [],
    tasks: coreLenses.map((lens) => ({
      task_id: `${id}-${lens}`,
      unit_id: id,
      lens,
      file_paths: files.map(({ path }) => path),
    })),
    rank: 'standard',
    estimated_tokens: tokens,
  }
}
