import type { SessionConfig } from '@audit-tools/shared/config'
import {
  addSettledPool,
  createRollingDispatcher,
  type DispatchCommand,
  type DispatchEnd,
  HybridSpillCoordinator,
  readSettledPoolsSync,
  type RollingDispatcher,
} from '@audit-tools/shared/dispatch'
import type { LaunchContext } from '@audit-tools/shared/providers'

import { makeHalves, MAX_ATTEMPTS, type WorkItem } from '../../review/index.ts'
import { countLeft, describeSubmission } from './accept-submission.ts'
import { isCancelled } from './cancel-review.ts'
import { type ItemState, listChildren, type ReviewState } from './fold-review.ts'
import { makeNode } from './frontier.ts'
import { launchItem } from './launch-item.ts'
import { readItemState, readReviewState, type Review } from './open-review.ts'
import { addAttempt, readAttempts } from './record-store.ts'
import { recoverReview } from './recover-review.ts'
import type { ReviewPools } from './review-pools.ts'

const DEFAULT_TIMEOUT_MS = 15 * 60_000

/** How often a driver looks for a cancellation and for work that others left. */
const WATCH_MS = 1000

export interface DriveOptions {
  readonly config: SessionConfig
  readonly pools: ReviewPools
  readonly context: LaunchContext
  readonly signal: AbortSignal
  /** Idle waits longer than this end the drive. */
  readonly longestWaitMs?: number | undefined
  onProgress(state: ReviewState): void
}

export type DriveEnd = DispatchEnd | { readonly kind: 'stopped' }

/**
 * Reviews with the pools that this tool launches itself, until nothing more can start. Takes in first what an ended
 * driver left. Any number of drivers may work on one run at once: every item is claimed before it starts.
 */
export async function driveReview(review: Review, options: DriveOptions): Promise<DriveEnd> {
  recoverReview(review)
  const driver = new ReviewDriver(review, options)
  return driver.run()
}

class ReviewDriver {
  readonly #review: Review
  readonly #options: DriveOptions
  readonly #state = new Map<string, ItemState>()
  readonly #coordinator: HybridSpillCoordinator
  readonly #dispatcher: RollingDispatcher
  readonly #stop = new AbortController()
  #stopped = false

  constructor(review: Review, options: DriveOptions) {
    const { config, pools, context } = options
    this.#review = review
    this.#options = options
    this.#coordinator = new HybridSpillCoordinator({
      pools: pools.pools,
      sessionConfig: config,
      claimRegistry: review.claims,
      readSettled: () => readSettledPoolsSync(review.files.settledPools),
      onSettle: (poolId, cause) => {
        return addSettledPool(review.files.settledPools, poolId, {
          cause,
          settledAt: context.clock.now(),
        })
      },
      clock: context.clock,
      maxAttempts: MAX_ATTEMPTS,
      onCommand: (command) => this.#takeCommand(command),
    })
    this.#dispatcher = createRollingDispatcher({
      coordinator: this.#coordinator,
      clock: context.clock,
      launch: async (assignment, signal) => {
        const item = this.#find(assignment.nodeId)
        return launchItem(
          {
            review,
            context,
            timeoutMs: config.timeout_ms ?? DEFAULT_TIMEOUT_MS,
            findSource: (poolId) => pools.sources.get(poolId),
            observePool: (poolId, outcome) => this.#coordinator.observePool(poolId, outcome),
          },
          { item, assignment },
          signal,
        )
      },
      onOutcome: ({ nodeId }) => this.#takeResult(this.#find(nodeId)),
      ...(options.longestWaitMs === undefined ? {} : { longestWaitMs: options.longestWaitMs }),
    })
  }

  async run(): Promise<DriveEnd> {
    const { signal } = this.#options
    for (const [id, state] of readReviewState(this.#review)) this.#state.set(id, state)
    this.#options.onProgress(this.#state)
    this.#addOpen([...this.#state.values()])
    const watching = this.#watch()
    const both = AbortSignal.any([signal, this.#stop.signal])
    try {
      const end = await this.#dispatcher.run(both)
      return this.#stopped && end.kind === 'cancelled' ? { kind: 'stopped' } : end
    } finally {
      this.#stop.abort()
      await watching
    }
  }

  #find(id: string): WorkItem {
    const state = this.#state.get(id)
    if (state === undefined) throw new TypeError(`unknown work item ${id}`)
    return state.item
  }

  #addOpen(states: readonly ItemState[]): void {
    const { pools } = this.#options.pools
    for (const state of states) this.#state.set(state.item.id, state)
    const open = states.filter(({ status }) => status === 'open')
    if (open.length > 0) this.#dispatcher.add(open.map(({ item }) => makeNode(item, pools)))
  }

  /** Ends the drive when the run is cancelled by another process. */
  async #watch(): Promise<void> {
    const { clock } = this.#options.context
    while (!this.#stop.signal.aborted) {
      if (isCancelled(this.#review.files)) {
        this.#stopped = true
        this.#stop.abort()
        return
      }
      // Ends with a rejection when the drive is over.
      await clock.sleep(WATCH_MS, this.#stop.signal).catch(() => undefined)
    }
  }

  /** What the files say about an item after something happened to it: failed ones leave, what it left comes in. */
  #takeResult(item: WorkItem, resultRef?: string): void {
    const ref = resultRef ?? this.#review.claims.readCompleted(item.id)
    const state = readItemState(this.#review, item, ref)
    this.#state.set(item.id, state)
    if (state.status === 'failed' || state.status === 'split') {
      this.#coordinator.remove([item.id])
    }
    this.#addOpen(listChildren(state).map((child) => readItemState(this.#review, child)))
    this.#options.onProgress(this.#state)
  }

  #takeCommand(command: DispatchCommand): void {
    switch (command.kind) {
      case 'adopt':
        this.#takeResult(this.#find(command.nodeId), command.resultRef)
        return
      case 'give_up':
        this.#endItem(command, { split: false, outcome: command.cause })
        return
      case 'split':
        this.#endItem(command, { split: true, outcome: 'too_large' })
        return
      case 'rest':
      case 'settle_pool':
        this.#review.note(command)
        return
      case 'claim':
      case 'complete':
      case 'release':
      case 'requeue':
    }
  }

  /** No pool does the item as it is: it is cut in two, or given up by name. */
  #endItem(
    { nodeId, poolId, message }: { nodeId: string; poolId: string; message: string | null },
    { split, outcome }: { split: boolean; outcome: string },
  ): void {
    const item = this.#find(nodeId)
    if (countLeft(readAttempts(this.#review.files, item.id)) === 0) return
    const canSplit = split && makeHalves(item).length > 0
    addAttempt(this.#review.files, {
      ...describeSubmission({ item, epoch: 1, poolId }),
      drafts: [],
      tickets: [],
      outcome,
      message: message ?? outcome,
      charged: false,
      final: !canSplit,
      split: canSplit,
      reply: null,
      reply_hash: null,
      evidence: null,
    })
  }
}
