import type pg from 'pg'
import { fileMax, mayReplace, parseRates, RatesFault } from './parse.ts'
import { lastRates, storeRates } from './stored.ts'

/** The source publishes on working days at about 16:00 of its time. */
const everyMs = 6 * 3_600_000
const againMs = 3_600_000
const firstMs = 10_000
const answerMs = 10_000

export type RatesJobParts = {
  readonly pool: Pick<pg.Pool, 'query'>
  /** Address of the file. */
  readonly url: string
  readonly onFault: (cause: unknown) => void
  readonly now?: () => number
}

/**
 * Fetches the reference rates several times a day. Whatever fails, the rates that are there stay, with their date: nothing but the
 * sums that the app shows in other currencies depends on them.
 */
export class RatesJob implements AsyncDisposable {
  readonly #parts: RatesJobParts
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout
  #running: Promise<unknown> = Promise.resolve()

  constructor(parts: RatesJobParts) {
    this.#parts = parts
    this.#timer = this.#after(firstMs)
  }

  /** Fetches once. Returns whether there were newer rates. Throws when there is no answer, or one that can't be right. */
  async fetchOnce(): Promise<boolean> {
    const { pool, url, now = Date.now } = this.#parts
    const rates = parseRates(await this.#read(url))
    const isNew = mayReplace(rates, await lastRates(pool), now())
    if (isNew) await storeRates(pool, rates, now())
    return isNew
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await this.#running
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#running = this.fetchOnce()
        .then(
          () => everyMs,
          (cause: unknown) => {
            if (!this.#closing.signal.aborted) this.#parts.onFault(cause)
            return againMs
          },
        )
        .then((next) => {
          if (!this.#closing.signal.aborted) this.#timer = this.#after(next)
        })
    }, ms).unref()
  }

  /** At most as much as a file may have, from this address alone: a redirect could lead into the exchange's own network. */
  async #read(url: string): Promise<string> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(answerMs)])
    const answer = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/xml, text/xml' } })
    if (!answer.ok || answer.body === null) throw new RatesFault(`status ${answer.status} from ${new URL(url).host}`)
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let [text, bytes] = ['', 0]
    for await (const chunk of answer.body) {
      bytes += chunk.length
      if (bytes > fileMax) throw new RatesFault('the file is too long')
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  }
}
