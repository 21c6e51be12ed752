import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Damaged } from '../../journal/fault.ts'
import { type CoreAt, coreAtTables } from './standing.ts'

const pollMs = 250

export type WarmCoreOptions = {
  readonly pool: pg.Pool
  readonly log: (line: { readonly message: string; readonly cause: unknown }) => void
  /** Called when it stopped: replay gives other events than were released. */
  readonly onFailed: (cause: Error) => void
}

/**
 * The core of a follower that waits for its seat. It executes the journal again as far as the tables of the other one reach, and
 * compares each batch with what was released. So it can go on with the tables within seconds.
 */
export class WarmCore implements AsyncDisposable {
  readonly #options: WarmCoreOptions
  readonly #ending = new AbortController()
  readonly #running: Promise<void>
  #warm: CoreAt | undefined

  constructor(options: WarmCoreOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** The last command that the core has executed; 0 before the first. */
  get seq(): number {
    return this.#warm?.head.seq ?? 0
  }

  /** Ends following. Returns the core, if there is one yet. */
  async take(): Promise<CoreAt | undefined> {
    await this[Symbol.asyncDispose]()
    const warm = this.#warm
    this.#warm = undefined
    return warm
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    const { pool, log, onFailed } = this.#options
    let isTold = false
    while (!signal.aborted) {
      try {
        this.#warm = await coreAtTables(pool, (cause) => log({ message: 'A snapshot could not be used', cause }), this.#warm)
        isTold = false
      } catch (cause) {
        if (cause instanceof Damaged) return onFailed(cause)
        if (!isTold) log({ message: 'The journal cannot be read now, trying again', cause })
        isTold = true
      }
      await sleep(pollMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
