import { type Clock, systemClock } from '../core/index.ts'
import { Alarm } from './alarm.ts'
import type { HybridSpillCoordinator, OutcomeReceipt } from './coordinator.ts'
import type { NodeExplanation } from './explain.ts'
import type { FrontierNode, NodeAssignment } from './frontier-node.ts'
import type { WorkOutcome } from './outcome.ts'
import type { PartialCompletionTerminal } from './terminal.ts'

export interface RollingDispatcherOptions {
  readonly coordinator: HybridSpillCoordinator
  /**
   * Does assigned work and persists its result before it resolves. Every end is an outcome; a rejection means that the
   * run cannot go on, and stops it.
   */
  readonly launch: (assignment: NodeAssignment, signal: AbortSignal) => Promise<WorkOutcome>
  readonly clock?: Clock
  /** Called after an outcome was taken in; may add nodes. A rejection stops the run. */
  readonly onOutcome?: (
    assignment: NodeAssignment,
    outcome: WorkOutcome,
    receipt: OutcomeReceipt,
  ) => void | Promise<void>
  /** While nothing runs, longer waits than this end the run with `waiting`. Infinity waits as long as it takes. */
  readonly longestWaitMs?: number
}

const DEFAULT_LONGEST_WAIT_MS = 10 * 60_000

/** Why a run of the dispatcher ended. Nothing is in flight then. */
export type DispatchEnd =
  /** Nothing is left. */
  | { readonly kind: 'done' }
  /** What is left can start at `until` (epoch milliseconds) at the earliest. */
  | {
      readonly kind: 'waiting'
      readonly until: number
      readonly waiting: readonly NodeExplanation[]
    }
  /** Every pool that could take what is left is closed. */
  | { readonly kind: 'exhausted'; readonly terminal: PartialCompletionTerminal }
  /** What is left cannot start, and no instant will change that: it fits no pool, or a budget is spent. */
  | { readonly kind: 'stuck'; readonly waiting: readonly NodeExplanation[] }
  /** The signal was aborted. */
  | { readonly kind: 'cancelled' }

export interface RollingDispatcher {
  /**
   * Runs until nothing more can start, and gives every claim back that is left then. Rejects when a launch or a store
   * fails, after everything in flight has ended.
   */
  run(signal?: AbortSignal): Promise<DispatchEnd>
  /** Adds work, also while running. */
  add(nodes: readonly FrontierNode[]): void
  /** Plans again, because something changed elsewhere. */
  wake(): void
}

/**
 * Drives in-process work: each completion, wake time, addition or call of `wake` plans again, and what is planned starts
 * at once. There are no waves. Keeps nothing beyond what runs, and waits by the clock alone.
 */
export function createRollingDispatcher(options: RollingDispatcherOptions): RollingDispatcher {
  return new RollingDriver(options)
}

class RollingDriver implements RollingDispatcher {
  readonly #options: RollingDispatcherOptions
  readonly #clock: Clock
  readonly #alarm = new Alarm()
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined

  constructor(options: RollingDispatcherOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  async run(signal: AbortSignal = new AbortController().signal): Promise<DispatchEnd> {
    const { coordinator } = this.#options
    const stopping = new AbortController()
    let end: DispatchEnd | undefined
    try {
      end = await this.#roll(signal, AbortSignal.any([signal, stopping.signal]))
    } finally {
      stopping.abort()
      while (this.#running.size > 0) await Promise.all(this.#running)
      coordinator.releaseAll()
      await coordinator.flush()
    }
    if (this.#failure !== undefined) throw this.#failure.error
    return end
  }

  add(nodes: readonly FrontierNode[]): void {
    this.#options.coordinator.add(nodes)
    this.#alarm.ring()
  }

  wake(): void {
    this.#alarm.ring()
  }

  async #roll(signal: AbortSignal, launchSignal: AbortSignal): Promise<DispatchEnd> {
    const { coordinator, longestWaitMs = DEFAULT_LONGEST_WAIT_MS } = this.#options
    while (!signal.aborted && this.#failure === undefined) {
      for (const assignment of coordinator.planAssignments()) this.#start(assignment, launchSignal)
      const wakeAt = coordinator.findNextWake()
      const mayWait = wakeAt !== null && wakeAt - this.#clock.now() <= longestWaitMs
      if (this.#running.size === 0 && !mayWait) return judgeEnd(coordinator, wakeAt)
      await this.#alarm.wait(this.#clock, wakeAt, signal)
    }
    return { kind: 'cancelled' }
  }

  #start(assignment: NodeAssignment, signal: AbortSignal): void {
    const work = this.#launch(assignment, signal)
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => {
        this.#running.delete(work)
        this.#alarm.ring()
      })
    this.#running.add(work)
  }

  async #launch(assignment: NodeAssignment, signal: AbortSignal): Promise<void> {
    const { coordinator, launch, onOutcome } = this.#options
    const outcome = await launch(assignment, signal)
    const receipt = coordinator.observe(assignment, outcome)
    await onOutcome?.(assignment, outcome, receipt)
  }
}

/** What an idle dispatcher has come to. */
function judgeEnd(coordinator: HybridSpillCoordinator, wakeAt: number | null): DispatchEnd {
  const ids = coordinator.listWaiting()
  if (ids.length === 0) return { kind: 'done' }
  const status = coordinator.terminalStatus(ids)
  if (status.kind === 'all_pools_exhausted') return { kind: 'exhausted', terminal: status.terminal }
  const waiting = coordinator.explain()
  return wakeAt === null ? { kind: 'stuck', waiting } : { kind: 'waiting', until: wakeAt, waiting }
}
