/** Header of answers that are older than usual: by how many seconds, at least 1. */
export const staleHeader = 'x-candor-stale'

/**
 * Paths whose answers do not age when nothing arrives from the exchange: the server's clock, the listing, the caller's own
 * limits, and values that are read from the database for each request (users, keys, webhooks), which are current or not answered
 * at all.
 */
const neverStale =
  /^\/(?:api|fapi|dapi|sapi)\/v\d\/(?:ping|time|exchangeInfo|system\/status|rateLimit\/order|margin\/rateLimit\/order|account\/apiRestrictions|capital\/config\/getall)$|^\/app\/v1\/(?:config|me|auth|keys|webhooks|sessions|recent|favourites|agreements|sandbox)(?:\/|$)/

/**
 * Age of this process's data, which the engine's releases update. While the engine can't write its journal or can't be reached,
 * nothing arrives, and markets, books, prices and open orders are shown as they were.
 */
export class Staleness {
  readonly #clock: () => number
  readonly #isReady: () => boolean
  #isUp = false
  #heardAt: number

  /** isReady  false while the copy of the state starts over */
  constructor(isReady: () => boolean, clock: () => number = () => performance.now()) {
    this.#isReady = isReady
    this.#clock = clock
    this.#heardAt = clock()
  }

  /** Whether the engine accepts commands. Nothing changed while it was down, so once it is up again the data is fresh. */
  hearState(isUp: boolean): void {
    if (isUp) this.#heardAt = this.#clock()
    this.#isUp = isUp
  }

  /** Called when the engine released something. */
  heard(): void {
    this.#heardAt = this.#clock()
  }

  /** Seconds since the data was last current, rounded up; undefined while it is current. */
  seconds(): number | undefined {
    if (this.#isUp && this.#isReady()) return undefined
    return Math.max(1, Math.ceil((this.#clock() - this.#heardAt) / 1_000))
  }

  /** The age for the answer to a request, as the value of `staleHeader`. */
  of(method: string | undefined, path: string): string | undefined {
    const seconds = this.seconds()
    return seconds === undefined || method !== 'GET' || neverStale.test(path) ? undefined : String(seconds)
  }
}
