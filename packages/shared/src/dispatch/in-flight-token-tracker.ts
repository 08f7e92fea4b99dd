/** Counts the estimated tokens of what runs, in all and per pool. Starting or ending the same work twice counts once. */
export class InFlightTokenTracker {
  readonly #work = new Map<string, { readonly poolId: string; readonly tokens: number }>()

  start(nodeId: string, poolId: string, tokens: number): void {
    if (!this.#work.has(nodeId)) this.#work.set(nodeId, { poolId, tokens: Math.max(0, tokens) })
  }

  end(nodeId: string): void {
    this.#work.delete(nodeId)
  }

  /** Tokens in flight on a pool, or on all of them. */
  sum(poolId?: string): number {
    let sum = 0
    for (const work of this.#work.values()) {
      if (poolId === undefined || work.poolId === poolId) sum += work.tokens
    }
    return sum
  }

  /** Pieces of work in flight. */
  get count(): number {
    return this.#work.size
  }
}
