/** The position up to which released events have been applied here, and the callers that wait for a position. */
export class Followed {
  #seq = 0
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = []

  get seq(): number {
    return this.#seq
  }

  /**
   * Resolves when everything up to this journal position has been applied. Undefined when it already is, so that most callers
   * need not wait.
   */
  reached(seq: number): Promise<void> | undefined {
    if (seq <= this.#seq) return undefined
    return new Promise((resolve) => this.#waiting.push({ seq, resolve }))
  }

  advance(seq: number): void {
    this.#seq = seq
    if (this.#waiting.length === 0) return
    const waiting = this.#waiting
    this.#waiting = waiting.filter((one) => one.seq > seq)
    for (const one of waiting) if (one.seq <= seq) one.resolve()
  }
}
