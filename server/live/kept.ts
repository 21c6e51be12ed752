import { setTimeout as sleep } from 'node:timers/promises'

/** Shortest time between two questions about the same thing, in milliseconds. */
const spacingMs = 25

export type KeptOptions = { readonly maxAgeMs: number; readonly now?: () => number }

/**
 * An answer of the engine, cached until an event may have changed it. However many readers ask, the engine is asked once at a
 * time and at most about forty times a second. A reader who asks in between waits for the next answer instead of getting an old
 * one.
 */
export class Kept<T> {
  readonly #ask: () => Promise<T>
  readonly #maxAgeMs: number
  readonly #now: () => number
  #answer: { readonly value: T; readonly at: number } | undefined
  /** The question in progress. `isOutdated`: its answer may be older than a later event. */
  #asking: { readonly answer: Promise<T>; isOutdated: boolean } | undefined
  #next: Promise<T> | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(ask: () => Promise<T>, { maxAgeMs, now = () => performance.now() }: KeptOptions) {
    this.#ask = ask
    this.#maxAgeMs = maxAgeMs
    this.#now = now
  }

  /** The current answer: it includes all events that this process had received before the call. */
  async get(): Promise<T> {
    if (this.#answer && this.#now() - this.#answer.at < this.#maxAgeMs) return this.#answer.value
    if (this.#asking && !this.#asking.isOutdated) return this.#asking.answer
    this.#next ??= this.#askNext(this.#asking?.answer)
    return this.#next
  }

  /** Must be called after every event that may have changed the answer. */
  outdate(): void {
    this.#answer = undefined
    if (this.#asking) this.#asking.isOutdated = true
  }

  async #askNext(before: Promise<T> | undefined): Promise<T> {
    await before?.catch(() => undefined)
    const wait = this.#askedAt + spacingMs - this.#now()
    if (wait > 0) await sleep(wait)
    this.#next = undefined
    this.#askedAt = this.#now()
    const asking = { answer: this.#ask(), isOutdated: false }
    this.#asking = asking
    try {
      const value = await asking.answer
      if (!asking.isOutdated) this.#answer = { value, at: this.#now() }
      return value
    } finally {
      if (this.#asking === asking) this.#asking = undefined
    }
  }
}
