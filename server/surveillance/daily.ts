import type { Day } from './days.ts'
import type { Made, Reports } from './reports.ts'

const everyMs = 60_000
/** A day whose report failed is tried again after this time: its reads may take long. */
const restMs = 60 * 60_000

/** Makes each day's report after midnight, and those that were missed while the exchange was down. */
export class DailyReports implements AsyncDisposable {
  readonly #reports: Pick<Reports, 'due' | 'make'>
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> = Promise.resolve()
  #isBusy = false
  #isClosed = false
  readonly #onFault: (cause: unknown) => void
  readonly #now: () => number
  /** When a failed day is tried again. */
  readonly #rests = new Map<Day, number>()

  constructor(reports: Pick<Reports, 'due' | 'make'>, onFault: (cause: unknown) => void, now: () => number = () => performance.now()) {
    this.#reports = reports
    this.#onFault = onFault
    this.#now = now
    this.#timer = setInterval(() => {
      if (this.#isBusy) return
      this.#isBusy = true
      this.#running = this.catchUp()
        .catch(onFault)
        .finally(() => (this.#isBusy = false))
    }, everyMs).unref()
  }

  /** Makes what is due, oldest first. A day that can't be made keeps no other day waiting. */
  async catchUp(): Promise<void> {
    const due = await this.#reports.due()
    for (const day of this.#rests.keys()) if (!due.includes(day)) this.#rests.delete(day)
    for (const day of due) {
      if (this.#isClosed) return
      if (this.#now() < (this.#rests.get(day) ?? -Infinity)) continue
      const made = await this.#made(day)
      if (made === 'busy' || made === 'waits') return
    }
  }

  /** Undefined when it failed. */
  async #made(day: Day): Promise<Made | undefined> {
    try {
      return await this.#reports.make(day)
    } catch (cause) {
      this.#rests.set(day, this.#now() + restMs)
      this.#onFault(cause)
      return undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#running
  }
}
