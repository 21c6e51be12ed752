/** Header of answers that are older than they would be if all were in order: by how many seconds, at least 1. */
export const staleHeader = 'x-candor-stale'

/**
 * Answers that say the same however long nothing is heard of the exchange: the server's clock, what is listed, the asker's own limits,
 * and what is read from the database for each request (people, keys, webhooks), which is as it is or not told at all.
 */
const neverStale =
  /^\/(?:api|fapi|dapi|sapi)\/v\d\/(?:ping|time|exchangeInfo|system\/status|rateLimit\/order|margin\/rateLimit\/order|account\/apiRestrictions|capital\/config\/getall)$|^\/app\/v1\/(?:config|me|auth|keys|webhooks|sessions|recent|favourites|agreements|sandbox)(?:\/|$)/

/**
 * How old what this process shows is. It is fed by what the engine releases; while the engine can't write its journal, or is not
 * reached, nothing comes, and markets, books, prices and open orders are shown as they were.
 */
export class Staleness {
  readonly #clock: () => number
  readonly #isReady: () => boolean
  #isUp = false
  #heardAt: number

  /** isReady  false while the picture starts over */
  constructor(isReady: () => boolean, clock: () => number = () => performance.now()) {
    this.#isReady = isReady
    this.#clock = clock
    this.#heardAt = clock()
  }

  /** The engine takes commands, or does not. What comes up again was not changed meanwhile: it is as fresh as ever. */
  hearState(isUp: boolean): void {
    if (isUp) this.#heardAt = this.#clock()
    this.#isUp = isUp
  }

  /** The engine released something. */
  heard(): void {
    this.#heardAt = this.#clock()
  }

  /** Seconds since the picture was the exchange's own, rounded up; undefined while it is. */
  seconds(): number | undefined {
    if (this.#isUp && this.#isReady()) return undefined
    return Math.max(1, Math.ceil((this.#clock() - this.#heardAt) / 1_000))
  }

  /** The same for the answer to a request, as the value of `staleHeader`. */
  of(method: string | undefined, path: string): string | undefined {
    const seconds = this.seconds()
    return seconds === undefined || method !== 'GET' || neverStale.test(path) ? undefined : String(seconds)
  }
}
