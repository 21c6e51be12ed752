import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { client } from '../../../app/client.ts'
import { watchBars } from '../bars.ts'
import { Closes } from './closes.ts'

const pageSize = 500
const publishEveryMs = 1_000
const retryAfterMs = 5_000

/** The bars of a compared market: loaded as far back as the chart shows, and followed, until `close`. */
export class Followed {
  readonly closes = new Closes()
  readonly #market: WireMarket
  readonly #interval: Interval
  readonly #onData: () => void
  readonly #leave: () => void
  #isLoading = false
  #isWhole = false
  #isClosed = false
  #restsUntil = 0

  constructor(market: WireMarket, interval: Interval, onData: () => void) {
    this.#market = market
    this.#interval = interval
    this.#onData = onData
    let isNew = false
    const stop = watchBars(market, interval, (rows) => {
      // The first page decides where the past begins.
      if (this.closes.first === undefined) return
      this.closes.put(rows.slice(-3).map(([time, , , , close]) => [time, Number(close)]))
      isNew = true
    })
    const publish = setInterval(() => {
      if (isNew && !document.hidden) onData()
      isNew = false
    }, publishEveryMs)
    this.#leave = () => {
      stop()
      clearInterval(publish)
    }
  }

  /** Loads a page unless the bars reach back to `time`. Called with every picture. */
  reach(time: number): void {
    const { first } = this.closes
    const isThere = this.#isWhole || (first !== undefined && first <= time)
    if (isThere || this.#isLoading || this.#isClosed || Date.now() < this.#restsUntil) return
    this.#isLoading = true
    void this.#load(first).finally(() => (this.#isLoading = false))
  }

  close(): void {
    this.#isClosed = true
    this.#leave()
  }

  async #load(before: number | undefined): Promise<void> {
    try {
      const { candles } = await client.market.candles(this.#market.symbol, {
        interval: this.#interval,
        limit: pageSize,
        ...(before === undefined ? {} : { endTime: before }),
      })
      if (this.#isClosed) return
      const bars = candles.map(([time, , , , close]) => [time, Number(close)] as const)
      this.#isWhole = !bars.some(([time]) => before === undefined || time < before)
      this.closes.put(bars)
      this.#onData()
    } catch {
      // A chart is of use without what it is compared with: the next picture after a rest asks again.
      this.#restsUntil = Date.now() + retryAfterMs
    }
  }
}
