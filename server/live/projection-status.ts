const silentMaxMs = 5_000
const behindMaxMs = 10_000

/** Distance of the query tables behind the journal, as last reported by the projector. */
export type ProjectionLag = { readonly commands: number; readonly ms: number }

/** Whether history is up to date. A projector that reports nothing for five seconds has stopped or hangs. */
export class ProjectionStatus {
  #lag: ProjectionLag = { commands: 0, ms: 0 }
  #heardAt: number
  readonly #clock: () => number

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#heardAt = clock()
  }

  hear(lag: ProjectionLag): void {
    this.#lag = lag
    this.#heardAt = this.#clock()
  }

  get lag(): ProjectionLag {
    return this.#lag
  }

  get commands(): number {
    return this.#lag.commands
  }

  /** A description of the problem for people; undefined when there is none. */
  problem(): string | undefined {
    if (this.#clock() - this.#heardAt > silentMaxMs) return 'the projector does not report'
    return this.#lag.ms > behindMaxMs ? `the query tables are ${Math.round(this.#lag.ms / 1_000)} s behind` : undefined
  }
}
