import type { WireFeed } from '@candor/core/protocol/wire/market.ts'

const silentMaxMs = 5_000

/** Source of the prices, as last reported by the feeds. Feeds that report nothing for five seconds count as down. */
export class FeedStatus {
  #last: WireFeed = { mode: 'simulated', isFallback: false, venues: [] }
  #heardAt = 0
  readonly #clock: () => number

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  hear(status: WireFeed): void {
    this.#last = status
    this.#heardAt = this.#clock()
  }

  now(): WireFeed {
    const silentMs = this.#clock() - this.#heardAt
    if (silentMs <= silentMaxMs) return this.#last
    return {
      ...this.#last,
      venues: this.#last.venues.map(({ name, ageMs }) => ({ name, isUp: false, ageMs: ageMs + Math.round(silentMs) })),
    }
  }
}
