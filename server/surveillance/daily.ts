import type { Reports } from './reports.ts'

const everyMs = 60_000

/** Makes each day's report after midnight, and those that were missed while the exchange was down. */
export class DailyReports implements AsyncDisposable {
  readonly #reports: Pick<Reports, 'due' | 'make'>
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> = Promise.resolve()
  #isBusy = false
  #isClosed = false

  constructor(reports: Pick<Reports, 'due' | 'make'>, onFault: (cause: unknown) => void) {
    this.#reports = reports
    this.#timer = setInterval(() => {
      if (this.#isBusy) return
      this.#isBusy = true
      this.#running = this.catchUp()
        .catch(onFault)
        .finally(() => (this.#isBusy = false))
    }, everyMs).unref()
  }

  /** Makes what is due, oldest first. */
  async catchUp(): Promise<void> {
    for (const day of await this.#reports.due()) {
      if (this.#isClosed) return
      const made = await this.#reports.make(day)
      if (made === 'busy' || made === 'waits') return
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#running
  }
}
