import type { SessionConfig } from '@audit-tools/shared/config'
import type { Clock } from '@audit-tools/shared/core'
import {
  type HostModel,
  mostCapableTier,
  planHybridDispatch,
  readSettledPoolsSync,
} from '@audit-tools/shared/dispatch'
import type { CapacityPool } from '@audit-tools/shared/quota'

import type { WorkItem } from '../review/index.ts'
import {
  failChanged,
  isInProcess,
  makeNode,
  nameSession,
  type Review,
  type ReviewState,
  writePrompt,
} from '../run/index.ts'

/** Id of the pool that the conversation host is. */
const HOST_POOL = 'host'

/** A work item that this host session may do now. */
export interface Grant {
  readonly item: WorkItem
  readonly epoch: number
  readonly ownerToken: string
  readonly promptPath: string
}

export interface GrantRequest {
  readonly token: string
  /** Most grants that may be open at once. */
  readonly limit: number
  /** Models that the host can give its subagents; empty when it did not say. */
  readonly roster: readonly HostModel[]
  readonly config: SessionConfig
  readonly clock: Clock
}

/**
 * Grants the host what it may start now: first what this session holds already, then more of the frontier up to its
 * limit. Asking again gives the same grants. Each grant's prompt is written.
 */
export function grantPackets(review: Review, state: ReviewState, request: GrantRequest): Grant[] {
  const held = listHeld(review, state, request.token)
  const wanted = request.limit - held.length
  const taken = new Set(held.map(({ item }) => item.id))
  const more = wanted > 0 ? claimMore(review, state, { ...request, limit: wanted, taken }) : []
  const order = [...state.keys()]
  const all = [...held, ...more].toSorted(
    (left, right) => order.indexOf(left.item.id) - order.indexOf(right.item.id),
  )
  return all.flatMap((grant) => {
    const prompt = writePrompt(review, grant.item)
    if (prompt.kind === 'written') return [{ ...grant, promptPath: prompt.path }]
    failChanged(review, grant.item, { ...grant, poolId: HOST_POOL, path: prompt.path })
    review.claims.release(grant.item.id, grant.ownerToken)
    return []
  })
}

type Claimed = Omit<Grant, 'promptPath'>

function listHeld(review: Review, state: ReviewState, token: string): Claimed[] {
  const owner = nameSession(token)
  return review.claims
    .listClaims()
    .filter((claim) => claim.owner === owner && claim.live)
    .flatMap(({ id }) => {
      const known = state.get(id)
      const claim = review.claims.claim(id, HOST_POOL)
      if (!claim.acquired) return []
      if (known?.status === 'open') return [{ item: known.item, ...claim }]
      review.claims.release(id, claim.ownerToken)
      return []
    })
}

function claimMore(
  review: Review,
  state: ReviewState,
  { limit, roster, config, clock, taken }: GrantRequest & { taken: ReadonlySet<string> },
): Claimed[] {
  const pool: CapacityPool = {
    id: HOST_POOL,
    providerName: HOST_POOL,
    hostModel: null,
    kind: 'host',
    hostConcurrencyLimit: limit,
    ...describeRoster(roster),
  }
  const open = [...state.values()].filter(
    ({ item, status }) => status === 'open' && !taken.has(item.id),
  )
  const { host } = planHybridDispatch({
    frontier: open.map(({ item }) => makeNode(item, [pool])),
    pools: [pool],
    sessionConfig: config,
    claimRegistry: review.claims,
    readSettled: () => readSettledPoolsSync(review.files.settledPools),
    onSettle: () => undefined,
    isInProcess,
    clock,
  })
  return host.flatMap(({ nodeId, epoch, ownerToken }) => {
    const known = state.get(nodeId)
    return known === undefined ? [] : [{ item: known.item, epoch, ownerToken }]
  })
}

/** The host's ablest model and its widest window: it gives each packet a model that fits. */
function describeRoster(roster: readonly HostModel[]): Partial<CapacityPool> {
  const rank = mostCapableTier(roster.map((model) => model.rank))
  const windows = roster.flatMap(({ context_tokens: tokens }) =>
    tokens === undefined ? [] : [tokens],
  )
  return {
    ...(rank === undefined ? {} : { rank }),
    ...(windows.length === 0 ? {} : { contextTokens: Math.max(...windows) }),
  }
}
