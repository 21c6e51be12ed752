import { setTimeout as sleep } from 'node:timers/promises'

/** Between two questions about the same thing. */
const spacingMs = 25

export type KeptOptions = { readonly maxAgeMs: number; readonly now?: () => number }

/**
 * One answer of the engine, kept until something happens that may change it. However many ask, the engine is asked once, and
 * not more than some forty times a second: whoever asks in between waits for the next answer rather than hearing an old one.
 */
export class Kept<T> {
  readonly #ask: () => Promise<T>
  readonly #maxAgeMs: number
  readonly #now: () => number
  #answer: { readonly value: T; readonly at: number } | undefined
  /** What is being asked; `isOutdated`: it may be older than what has happened since. */
  #asking: { readonly answer: Promise<T>; isOutdated: boolean } | undefined
  #next: Promise<T> | undefined
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(ask: () => Promise<T>, { maxAgeMs, now = () => performance.now() }: KeptOptions) {
    this.#ask = ask
    this.#maxAgeMs = maxAgeMs
    this.#now = now
  }

  /** As it is now: nothing that was heard of before this call is missing from it. */
  async get(): Promise<T> {
    if (this.#answer && this.#now() - this.#answer.at < this.#maxAgeMs) return this.#answer.value
    if (this.#asking && !this.#asking.isOutdated) return this.#asking.answer
    this.#next ??= this.#askNext(this.#asking?.answer)
    return this.#next
  }

  /** Something happened that may have changed it. */
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
