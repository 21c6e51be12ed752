const paceMs = 10

/** Passes on how far the journal is, at most a hundred times a second, the last word always. */
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
