/** Answers by operation id, so that a repeated call gets the same one. Forgets the older half when it is full. */
export class RecentAnswers<Answer> {
  readonly #half: number
  #young = new Map<string, Answer>()
  #old = new Map<string, Answer>()

  /** At least the last `capacity / 2` answers are kept. */
  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2)
  }

  get(opId: string): Answer | undefined {
    return this.#young.get(opId) ?? this.#old.get(opId)
  }

  set(opId: string, answer: Answer): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(opId, answer)
  }
}
