import { setTimeout as sleep } from 'node:timers/promises'
import type { Payout } from './payout.ts'

export type PayoutWorkerOptions = {
  readonly payout: Payout
  readonly log: (line: { readonly message: string; readonly cause: unknown }) => void
  readonly pollMs?: number
}

const usualPollMs = 2_000

/** Lets the payouts of a network pass, again and again, until it is disposed of. */
export class PayoutWorker implements AsyncDisposable {
  readonly #options: PayoutWorkerOptions
  readonly #stop = new AbortController()
  readonly #running: Promise<void>

  constructor(options: PayoutWorkerOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { payout, log, pollMs = usualPollMs } = this.#options
    while (!this.#stop.signal.aborted) {
      try {
        await payout.pass()
      } catch (cause) {
        log({ message: 'Payouts stopped for a moment, trying again', cause })
      }
      await sleep(pollMs, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }
}
