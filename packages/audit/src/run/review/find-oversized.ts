import { formatCount } from '@audit-tools/shared/core'
import type { CapacityPool } from '@audit-tools/shared/quota'

import type { ReviewPacket } from '../../review/index.ts'

export interface DispatchWarning {
  readonly code: 'oversized_packet'
  readonly message: string
}

/**
 * Packets that fit no pool. Nothing is said while a pool's window is unknown: it may well take them.
 * `reservedTokens` is the room kept for an answer.
 */
export function findOversized(
  packets: readonly ReviewPacket[],
  pools: readonly CapacityPool[],
  reservedTokens: number,
): DispatchWarning[] {
  const windows = pools.map(({ contextTokens }) => contextTokens)
  if (windows.length === 0 || windows.includes(undefined)) return []
  const largest = Math.max(...windows.map((tokens) => tokens ?? 0))
  return packets
    .filter((packet) => packet.estimated_tokens + reservedTokens > largest)
    .map(({ packet_id: id, estimated_tokens: tokens }) => ({
      code: 'oversized_packet',
      message:
        `packet ${id} needs ${formatCount(tokens, 'token')} and room for an answer of ${reservedTokens}; the largest window is ${largest}. ` +
        'Lower dispatch.max_packet_tokens or add a pool with a larger window',
    }))
}
