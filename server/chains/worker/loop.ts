import { setTimeout as sleep } from 'node:timers/promises'

export type LoopOptions = {
  /** What is done again and again. It goes on at once while it returns true. */
  readonly turn: () => Promise<unknown>
  readonly pollMs: number
  readonly onFault: (cause: unknown) => void
}

/** Does its turn again and again until it is disposed of, whatever a turn throws. */
export class Loop implements AsyncDisposable {
  readonly #options: LoopOptions
  readonly #stop = new AbortController()
  #nap = new AbortController()
  readonly #running: Promise<void>

  constructor(options: LoopOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** Does not wait for the next turn. */
  poke(): void {
    this.#nap.abort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { turn, pollMs, onFault } = this.#options
    while (!this.#stop.signal.aborted) {
      this.#nap = new AbortController()
      try {
        if ((await turn()) === true) continue
      } catch (cause) {
        onFault(cause)
      }
      await sleep(pollMs, undefined, { signal: AbortSignal.any([this.#stop.signal, this.#nap.signal]) }).catch(() => undefined)
    }
  }
}
