const paceMs = 10

/** Publishes the journal's head at most a hundred times a second; the last value is always sent. */
export class HeadTeller {
  readonly #tell: (seq: number) => void
  #seq = 0
  #timer: NodeJS.Timeout | undefined

  constructor(tell: (seq: number) => void) {
    this.#tell = tell
  }

  advanced(seq: number): void {
    this.#seq = seq
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#tell(this.#seq)
    }, paceMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
