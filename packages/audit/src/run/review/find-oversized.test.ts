import { expect, test } from 'vitest'

import type { CapacityPool } from '@audit-tools/shared/quota'

import type { ReviewPacket } from '../../review/index.ts'
import { findOversized } from './find-oversized.ts'

function makePacket(id: string, tokens: number): ReviewPacket {
  return {
    packet_id: id,
    lenses: ['security'],
    files: [],
    neighbours: [],
    leads: [],
    tasks: [],
    rank: 'small',
    estimated_tokens: tokens,
  }
}

function makePool(id: string, contextTokens?: number): CapacityPool {
  return {
    id,
    providerName: 'openai-compatible',
    hostModel: null,
    hostConcurrencyLimit: null,
    ...(contextTokens === undefined ? {} : { contextTokens }),
  }
}

test('a packet that fits no known window is named, with its size and the largest window', () => {
  const packets = [makePacket('fits', 4000), makePacket('large', 9000)]
  const warnings = findOversized(packets, [makePool('a', 8000), makePool('b', 10_000)], 2000)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatchObject({ code: 'oversized_packet' })
  expect(warnings[0]?.message).toMatch(/large.*9,000.*10000/s)
})

test('nothing is said of windows that nobody knows', () => {
  const packets = [makePacket('large', 900_000)]
  expect(findOversized(packets, [makePool('a', 8000), makePool('b')], 0)).toEqual([])
  expect(findOversized(packets, [], 0)).toEqual([])
})
