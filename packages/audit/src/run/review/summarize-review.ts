import { compareText } from '@audit-tools/shared/core'
import type { FindingDraft } from '@audit-tools/shared/findings'

import type { Gap, PacketCounts, PoolUsage } from '../../report/index.ts'
import { renderTicket } from '../../review/index.ts'
import type { ReviewSummary } from '../compose-report.ts'
import { type ItemState, listChildren, type ReviewState } from './fold-review.ts'
import type { AttemptRecord, ResultRecord } from './records.ts'

/** What a review says for the report, with its sums: packets + remainders = reviewed + failed + split + open items. */
export interface ReviewDigest extends ReviewSummary {
  readonly items: {
    readonly packets: number
    readonly remainders: number
    readonly reviewed: number
    readonly failed: number
    readonly split: number
    readonly open: number
  }
}

/** Pure. Drafts of refused answers count too: a whole element stands on its own, whatever became of its answer. */
export function summarizeReview(state: ReviewState, hasPools = true): ReviewDigest {
  const states = [...state.values()]
  const answers = states.flatMap(({ result, attempts }) => [
    ...(result === null ? [] : [result]),
    ...attempts,
  ])
  const roots = states.filter(({ item }) => item.parentId === null)
  return {
    drafts: [
      {
        name: 'reviewers',
        drafts: answers.flatMap(({ drafts }) => drafts as FindingDraft[]),
        rejected: answers.flatMap(describeRejected),
      },
    ],
    packets: countPackets(state),
    promptTokens: roots.reduce((sum, { item }) => sum + item.packet.estimated_tokens, 0),
    items: countItems(states),
    usage: sumUsage(answers),
    gaps: states.flatMap(describeGap),
    hasPools,
  }
}

function describeRejected({ packet_id: id, tickets }: ResultRecord | AttemptRecord): {
  what: string
  reason: string
}[] {
  return tickets.map((ticket) => ({
    what: `${ticket.element} of an answer to ${id}`,
    reason: renderTicket(ticket),
  }))
}

/** A packet is reviewed when everything that its answers left is; it failed when anything of it failed. */
function countPackets(state: ReviewState): PacketCounts {
  const roots = [...state.values()].filter(({ item }) => item.parentId === null)
  const ends = roots.map((root) => judgePacket(state, root))
  const count = (end: string): number => ends.filter((other) => other === end).length
  return {
    planned: roots.length,
    reviewed: count('done'),
    failed: count('failed'),
    deferred: count('open'),
  }
}

function judgePacket(state: ReviewState, root: ItemState): 'done' | 'failed' | 'open' {
  const children = listChildren(root).flatMap(({ id }) => state.get(id) ?? [])
  const ends = children.map((child) => judgePacket(state, child))
  if (root.status === 'failed' || root.status === 'open') return root.status
  if (ends.includes('open')) return 'open'
  return ends.includes('failed') ? 'failed' : 'done'
}

function countItems(states: readonly ItemState[]): ReviewDigest['items'] {
  const count = (status: ItemState['status']): number =>
    states.filter((state) => state.status === status).length
  const packets = states.filter(({ item }) => item.parentId === null).length
  return {
    packets,
    remainders: states.length - packets,
    reviewed: count('done'),
    failed: count('failed'),
    split: count('split'),
    open: count('open'),
  }
}

/** Items by what becomes of them; an item that was cut in two is told by its halves. */
export function countProgress(state: ReviewState): {
  readonly total: number
  readonly reviewed: number
  readonly failed: number
  readonly open: number
} {
  const { reviewed, failed, open } = countItems([...state.values()])
  return { total: reviewed + failed + open, reviewed, failed, open }
}

function describeGap({ item, status, reason }: ItemState): Gap[] {
  if (status === 'done' || status === 'split') return []
  const files = `${item.paths.length === 1 ? 'file' : 'files'}: ${item.paths.join(', ')}`
  const why = status === 'failed' ? `failed: ${reason ?? 'unknown'}` : 'not reviewed yet'
  return [{ scope: 'packet', subject: item.id, reason: `${why} (${files})` }]
}

function sumUsage(answers: readonly (ResultRecord | AttemptRecord)[]): PoolUsage[] {
  const pools = new Map<string, PoolUsage>()
  for (const { pool_id: poolId, usage, reply } of answers) {
    if (reply === null && usage === null) continue
    const known = pools.get(poolId) ?? {
      poolId,
      calls: 0,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: null,
    }
    const cost = usage?.cost_usd ?? null
    pools.set(poolId, {
      poolId,
      calls: known.calls + 1,
      inputTokens: known.inputTokens + (usage?.input_tokens ?? 0),
      outputTokens: known.outputTokens + (usage?.output_tokens ?? 0),
      costUsd: cost === null ? known.costUsd : (known.costUsd ?? 0) + cost,
    })
  }
  return [...pools.values()].toSorted((left, right) => compareText(left.poolId, right.poolId))
}
