import {
  type Clock,
  type Random,
  readErrorMessage,
  systemClock,
  systemRandom,
} from '../core/index.ts'
import { type CapacityPool, createMemoryLedger, type Ledger } from '../quota/index.ts'
import type { ClaimPort } from './claim-port.ts'
import { decide } from './decide.ts'
import { createDispatchState, type DispatchState } from './dispatch-state.ts'
import type { DispatchCommand, DispatchEvent, SettleCause } from './events.ts'
import { explainWaiting, type NodeExplanation } from './explain.ts'
import type { FrontierNode, NodeAssignment } from './frontier-node.ts'
import { findNextWake } from './next-wake.ts'
import type { WorkOutcome } from './outcome.ts'
import type { DispatchSessionConfig } from './pool-entry.ts'
import { type CoordinatorTerminalStatus, judgeTerminal } from './terminal.ts'

/** Failed attempts after which a person decides about a work item. */
const DEFAULT_MAX_ATTEMPTS = 4

/** Ids of pools that are closed for the run. */
export type SettledExclusionSet = ReadonlySet<string>

export interface HybridSpillCoordinatorOptions {
  /** In order of preference; their ids are unique. */
  readonly pools: readonly CapacityPool[]
  readonly sessionConfig: DispatchSessionConfig
  readonly claimRegistry: ClaimPort
  /** Read on every pass; throws when the list cannot be read. */
  readonly readSettled: () => SettledExclusionSet
  /** Persists that a pool is closed; called once per pool. A failure ends the run at the next `flush`. */
  readonly onSettle: (poolId: string, cause: SettleCause) => void | Promise<void>
  readonly clock?: Clock
  /** Shared with others that use the same accounts; where absent, this coordinator sees only its own use. */
  readonly ledger?: Ledger
  readonly random?: Random
  /** Failed attempts after which a work item is given up. */
  readonly maxAttempts?: number
  /** Sees every command after it was carried out. */
  readonly onCommand?: (command: DispatchCommand) => void
}

/** How an outcome was taken in; `stale` means that a later owner has the work, so that the result is only evidence. */
export interface OutcomeReceipt {
  readonly completion: 'accepted' | 'duplicate' | 'stale' | null
  readonly commands: readonly DispatchCommand[]
}

/**
 * Assigns work items to pools: matched under every limit, booked and claimed before they are returned. A shell around
 * `decide` that owns no decision: it carries commands out against claims, settled pools and clock. All calls are
 * synchronous. Stores that fail throw what they throw; what was claimed by the failing call is released first.
 */
export class HybridSpillCoordinator {
  readonly #options: HybridSpillCoordinatorOptions
  readonly #clock: Clock
  readonly #state: DispatchState
  readonly #writes = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined

  constructor(options: HybridSpillCoordinatorOptions) {
    const { random = systemRandom } = options
    this.#options = options
    this.#clock = options.clock ?? systemClock
    const input = {
      pools: options.pools,
      sessionConfig: options.sessionConfig,
      ledger: options.ledger ?? createMemoryLedger(),
      random,
      maxAttempts: options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
      operationPrefix: random.hex(16),
    }
    this.#state = createDispatchState(input, this.#clock.now())
  }

  /** Adds work items to the frontier. A known id is left as it is. */
  add(nodes: readonly FrontierNode[]): void {
    this.#run({ kind: 'nodes_added', nodes })
  }

  /** Takes work items off the frontier that do not run. */
  remove(nodeIds: readonly string[]): void {
    this.#run({ kind: 'nodes_removed', nodeIds })
  }

  /**
   * Starts what can start now. With `nodes`, the frontier is first made equal to that list; what is in flight is left
   * alone and never returned again.
   */
  planAssignments(nodes?: readonly FrontierNode[]): NodeAssignment[] {
    if (nodes !== undefined) this.#replaceFrontier(nodes)
    this.#syncSettled()
    const assignments: NodeAssignment[] = []
    try {
      // Claims that were lost leave room for other work, which the next round finds.
      let round = this.#planRound(assignments)
      while (round.lost > 0) round = this.#planRound(assignments)
    } catch (error) {
      throw this.#giveBack(assignments, error)
    }
    return assignments
  }

  /** Takes in how assigned work ended. A result must be persisted before. */
  observe(
    assignment: Pick<NodeAssignment, 'nodeId' | 'reservationId'>,
    outcome: WorkOutcome,
  ): OutcomeReceipt {
    const { nodeId, reservationId } = assignment
    const isOurs = this.#state.inFlight.get(nodeId)?.reservationId === reservationId
    if (!isOurs) return { completion: null, commands: [] }
    const commands = this.#run({ kind: 'work_ended', nodeId, outcome })
    const completed = commands.find((command) => command.kind === 'complete')
    if (completed === undefined) return { completion: null, commands }
    const { epoch, resultRef } = completed
    const completion = this.#options.claimRegistry.complete(nodeId, epoch, resultRef)
    this.#run({ kind: 'completion_answered', nodeId, answer: completion })
    return { completion, commands }
  }

  /** Takes in what a pool showed outside of any assigned work, such as to a canary. */
  observePool(poolId: string, outcome: WorkOutcome): void {
    this.#run({ kind: 'pool_observed', poolId, outcome })
  }

  /** Closes a pool for the run; once closed, nothing changes. */
  settlePool(poolId: string, cause: SettleCause = 'requested'): void {
    this.#run({ kind: 'pool_settled', poolId, cause })
  }

  /** Lets a pool rest until an instant (epoch milliseconds); an earlier one than it rests to anyway changes nothing. */
  parkPool(poolId: string, until: number): void {
    this.#run({ kind: 'pool_parked', poolId, until })
  }

  /** Gives a claim back, with what is booked for it. False when the token is not the current one. */
  release(assignment: Pick<NodeAssignment, 'nodeId' | 'ownerToken'>): boolean {
    const { nodeId, ownerToken } = assignment
    const claim = this.#state.frontier.get(nodeId)?.claim
    if (claim !== undefined && claim.ownerToken !== ownerToken) return false
    const answer = this.#options.claimRegistry.release(nodeId, ownerToken)
    if (claim !== undefined) this.#run({ kind: 'work_released', nodeId })
    return answer !== 'stale'
  }

  /** Gives back every claim that this coordinator still holds, also of work that waits for another try. */
  releaseAll(): void {
    for (const { node, claim } of this.#state.frontier.list()) {
      if (claim !== undefined) this.release({ nodeId: node.id, ownerToken: claim.ownerToken })
    }
  }

  /** Why each work item that does not run is not assigned. */
  explain(): NodeExplanation[] {
    this.#syncSettled()
    return explainWaiting(this.#state, this.#clock.now())
  }

  /** Whether the rest of a run can go on; meant to be asked when nothing runs. */
  terminalStatus(strandedIds: readonly string[]): CoordinatorTerminalStatus {
    this.#syncSettled()
    return judgeTerminal(this.#state, strandedIds, this.#clock.now())
  }

  /** The first instant (epoch milliseconds) at which planning again may start work; null when only an event helps. */
  findNextWake(): number | null {
    return findNextWake(this.#state, this.#clock.now())
  }

  /** Ids of work items that neither run nor are done, in order of arrival. */
  listWaiting(): string[] {
    const entries = [...this.#state.frontier.list()]
    return entries.flatMap(({ node, state }) => (state === 'in_flight' ? [] : [node.id]))
  }

  /** Waits until every closed pool is persisted; rejects when that failed. */
  async flush(): Promise<void> {
    await Promise.all(this.#writes)
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #replaceFrontier(nodes: readonly FrontierNode[]): void {
    const wanted = new Set(nodes.map(({ id }) => id))
    this.remove(this.listWaiting().filter((id) => !wanted.has(id)))
    this.add(nodes)
  }

  #syncSettled(): void {
    for (const poolId of this.#options.readSettled()) {
      if (this.#state.poolById.get(poolId)?.settled !== undefined) continue
      decide(this.#state, { kind: 'pool_settled', poolId, cause: 'elsewhere' }, this.#clock.now())
    }
  }

  /** One pass of matching; adds what was claimed and counts what was not. */
  #planRound(assignments: NodeAssignment[]): { readonly lost: number } {
    const planned = decide(this.#state, { kind: 'plan_due' }, this.#clock.now())
    const claims = planned.filter((command) => command.kind === 'claim')
    let lost = 0
    for (const [index, command] of claims.entries()) {
      try {
        const assignment = this.#claim(command)
        if (assignment === undefined) lost += 1
        else assignments.push(assignment)
      } catch (error) {
        const unclaimed = claims.slice(index)
        for (const { nodeId } of unclaimed) this.#run({ kind: 'work_released', nodeId })
        throw error
      }
    }
    return { lost }
  }

  #claim(command: Extract<DispatchCommand, { kind: 'claim' }>): NodeAssignment | undefined {
    const { nodeId, poolId, reservationId, estimate } = command
    const answer = this.#options.claimRegistry.claim(nodeId, poolId)
    if (!answer.acquired) {
      if ('done' in answer) this.#run({ kind: 'claim_done', nodeId, resultRef: answer.done })
      else {
        const until = answer.until === undefined ? {} : { until: answer.until }
        this.#run({ kind: 'claim_lost', nodeId, ...until })
      }
      return undefined
    }
    const { ownerToken, epoch } = answer
    this.#run({ kind: 'claim_granted', nodeId, ownerToken, epoch })
    this.#options.onCommand?.(command)
    const pool = this.#state.poolById.get(poolId)?.pool
    return {
      nodeId,
      poolId,
      providerName: pool?.providerName ?? '',
      hostModel: pool?.hostModel ?? null,
      ownerToken,
      epoch,
      reservationId,
      estimate,
      notes: this.#state.frontier.get(nodeId)?.notes ?? [],
    }
  }

  /** Releases what a failed call claimed; returns the failure, with those of releases that failed too. */
  #giveBack(assignments: readonly NodeAssignment[], error: unknown): unknown {
    const failures: unknown[] = []
    for (const assignment of assignments) {
      try {
        this.release(assignment)
      } catch (failure) {
        failures.push(failure)
      }
    }
    if (failures.length === 0) return error
    return new AggregateError([error, ...failures], readErrorMessage(error))
  }

  #run(event: DispatchEvent): DispatchCommand[] {
    const commands = decide(this.#state, event, this.#clock.now())
    for (const command of commands) this.#carryOut(command)
    return commands
  }

  #carryOut(command: DispatchCommand): void {
    if (command.kind === 'release') {
      this.#options.claimRegistry.release(command.nodeId, command.ownerToken)
    }
    if (command.kind === 'settle_pool') this.#persistSettled(command.poolId, command.cause)
    this.#options.onCommand?.(command)
  }

  #persistSettled(poolId: string, cause: SettleCause): void {
    const writing = this.#options.onSettle(poolId, cause)
    if (writing === undefined) return
    const write = writing
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }
}
