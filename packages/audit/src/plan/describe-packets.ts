import type { Lens } from '@audit-tools/shared/findings'

import { nameTask } from './describe-plan.ts'
import type { Packet, PacketFile, Plan, Rank } from './plan.ts'

/** An entry of `dispatch-plan.json` without the paths of a run: what review needs to make the prompt and check the answer. */
export interface PlannedPacket {
  packet_id: string
  lenses: Lens[]
  files: {
    path: string
    disk_path?: string
    hash: string
    total_lines: number
    ranges: { first: number; last: number }[]
  }[]
  neighbours: string[]
  leads: { path: string; line: number | null; text: string }[]
  tasks: { task_id: string; unit_id: string; lens: Lens; file_paths: string[] }[]
  rank: Rank
  estimated_tokens: number
}

/** The packets of a plan as `dispatch-plan.json` holds them, in order of priority. */
export function describePackets(plan: Plan): PlannedPacket[] {
  return plan.packets.map(describePacket)
}

function describePacket(packet: Packet): PlannedPacket {
  return {
    packet_id: packet.id,
    lenses: [...packet.lenses],
    files: packet.files.map(describeFile),
    neighbours: [...packet.neighbours],
    leads: packet.leads.map(({ path, line, text }) => ({ path, line, text })),
    tasks: packet.lenses.map((lens) => ({
      task_id: nameTask(packet.id, lens),
      unit_id: packet.unitId,
      lens,
      file_paths: packet.files.map(({ path }) => path),
    })),
    rank: packet.rank,
    estimated_tokens: packet.promptTokens,
  }
}

function describeFile({
  path,
  diskPath,
  hash,
  totalLines,
  shows,
}: PacketFile): PlannedPacket['files'][number] {
  return {
    path,
    ...(diskPath === undefined ? {} : { disk_path: diskPath }),
    hash,
    total_lines: totalLines,
    ranges: [...shows],
  }
}
