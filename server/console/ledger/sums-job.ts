import type pg from 'pg'
import { storeSums } from '../../store/query/console/trial.ts'

const everyMs = 60_000

/** Stores sums of the ledger from time to time, so that earlier trial balances start near. */
export class SumsJob implements AsyncDisposable {
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> = Promise.resolve()

  constructor(pool: pg.Pool, onFault: (cause: unknown) => void) {
    this.#timer = setInterval(() => void (this.#running = this.#running.then(() => storeSums(pool)).catch(onFault)), everyMs)
    this.#timer.unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }
}
