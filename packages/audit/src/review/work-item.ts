import { hashParts } from '@audit-tools/shared/core'

import type { ReviewPacket } from './review-packet.ts'
import type { ReviewScope } from './review-scope.ts'
import type { RepairTicket } from './validate-result.ts'

/** Failed attempts after which a work item is given up. */
export const MAX_ATTEMPTS = 3

/** A packet, or what an accepted answer left of one, as dispatch sees it. */
export interface WorkItem {
  readonly id: string
  readonly packet: ReviewPacket
  /** Paths of the packet that this item covers, in the packet's order. */
  readonly paths: readonly string[]
  /** The item whose answer left these paths; null for a whole packet. */
  readonly parentId: string | null
  /** What was wrong with earlier answers for these paths. */
  readonly repairs: readonly string[]
}

export function makeWorkItem(packet: ReviewPacket): WorkItem {
  const paths = packet.files.map(({ path }) => path)
  return { id: packet.packet_id, packet, paths, parentId: null, repairs: [] }
}

/** The item for what an answer left open; undefined when it left nothing. Equal remainders have equal ids. */
export function makeRemainder(
  parent: WorkItem,
  answer: { readonly covered: readonly string[]; readonly tickets: readonly RepairTicket[] },
): WorkItem | undefined {
  const covered = new Set(answer.covered)
  const paths = parent.paths.filter((path) => !covered.has(path))
  if (paths.length === 0) return undefined
  const hash = hashParts([parent.id, ...paths]).slice(0, 12)
  const open = answer.tickets.filter(({ path }) => path === null || !covered.has(path))
  return {
    id: `${parent.packet.packet_id}-r${hash}`,
    packet: parent.packet,
    paths,
    parentId: parent.id,
    repairs: [
      ...open.map(renderTicket),
      'files_reviewed left out files of the packet; only those are shown here.',
    ],
  }
}

/** Two items for one that no pool takes at its size; none when it cannot be cut any more. */
export function makeHalves(item: WorkItem): WorkItem[] {
  const { packet, paths } = item
  if (paths.length < 2) return []
  const middle = Math.ceil(paths.length / 2)
  return [paths.slice(0, middle), paths.slice(middle)].map((half) => ({
    ...item,
    id: `${packet.packet_id}-s${hashParts([item.id, ...half]).slice(0, 12)}`,
    paths: half,
    parentId: item.id,
  }))
}

export function renderTicket({ element, problem, received }: RepairTicket): string {
  return `${element}: ${problem}. It was: ${received}`
}

/** What an answer to the item is checked against. */
export function describeScope({ packet, paths }: WorkItem): ReviewScope {
  const taskPaths = new Map(
    packet.tasks.map((task) => [
      task.task_id,
      task.file_paths.filter((path) => paths.includes(path)),
    ]),
  )
  return { paths, taskPaths }
}

/** Prompt tokens of the item: its share of the packet by lines. */
export function estimateTokens({ packet, paths, parentId }: WorkItem): number {
  if (parentId === null) return packet.estimated_tokens
  const shown = packet.files.filter(({ path }) => paths.includes(path))
  const share = countLines(shown) / Math.max(1, countLines(packet.files))
  return Math.ceil(packet.estimated_tokens * Math.min(1, share))
}

function countLines(files: ReviewPacket['files']): number {
  return files.reduce(
    (sum, { ranges, total_lines: total }) =>
      sum +
      (ranges.length === 0
        ? total
        : ranges.reduce((lines, { first, last }) => lines + last - first + 1, 0)),
    0,
  )
}
