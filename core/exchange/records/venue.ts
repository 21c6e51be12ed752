import type { SideNumber } from '../../book/codes.ts'
import type { IndexPrice, Lots, Millis, Ticks } from '../../money/brand.ts'
import type { AssetId, MarketId } from '../../protocol/ids.ts'
import { Book } from '../../book/book.ts'
import type { Orders } from '../../book/orders.ts'
import { Triggers } from '../../book/triggers.ts'
import { parseUnits } from '../../money/units.ts'
import type { Market, MarketTerms } from '../../protocol/market.ts'
import { bandHigh, bandLow } from '../../risk/spot.ts'
import { PriceAverage } from './average.ts'
import { resumingMs, shortOutageMs } from './phase.ts'

/** Index prices have eight decimals. */
export const indexScale = 8

/** The state of one market: its terms, its book, its sleeping orders, and the prices that its rules refer to. */
export class Venue {
  market: Market
  readonly id: MarketId
  readonly base: AssetId
  readonly quote: AssetId
  readonly basePerLot: number
  readonly quotePerTickLot: number
  /** Index units per tick. */
  readonly indexPerTick: number
  readonly book: Book
  readonly triggers: Triggers
  readonly average = new PriceAverage()
  /** True for a spot market, false for a perpetual contract. */
  readonly isSpot: boolean
  lastPrice = 0 as Ticks
  lastTrade = 0
  lastUpdate = 0
  lastPrevented = 0
  indexPrice = 0 as IndexPrice
  indexSources = 0
  isIndexGood = false
  /** Before this time no order trades, is amended or triggered; Infinity while the market is halted. Cancels are always possible. */
  opensAtMs = 0 as Millis
  /** While halted: since when, and the previous `opensAtMs`. */
  #haltedAtMs = 0 as Millis
  #openedAtMs = 0 as Millis
  #reference = 0 as Ticks
  #low = 0 as Ticks
  #high = 0 as Ticks
  /** Whether the reference must be computed again. */
  #isStale = true

  constructor(market: Market, orders: Orders) {
    this.market = market
    this.id = (market.id | 0) as MarketId
    this.base = (market.base | 0) as AssetId
    this.quote = (market.quote | 0) as AssetId
    this.isSpot = market.perp === undefined
    this.basePerLot = market.basePerLot
    this.quotePerTickLot = market.quotePerTickLot
    this.indexPerTick = parseUnits(market.tick, indexScale)!
    this.book = new Book(orders)
    this.triggers = new Triggers(orders)
    if (!market.terms.isTrading) this.#halt(0 as Millis)
  }

  /**
   * A halt starts at once. After a halt of 3 s or more, orders may only be cancelled or rest for 5 s, so that there is a book
   * when matching starts again.
   */
  setTerms(terms: MarketTerms, atMs: Millis): void {
    const wasTrading = this.market.terms.isTrading
    this.market = { ...this.market, terms }
    this.#isStale = true
    if (wasTrading && !terms.isTrading) this.#halt(atMs)
    else if (!wasTrading && terms.isTrading)
      this.opensAtMs = (atMs - this.#haltedAtMs < shortOutageMs ? this.#openedAtMs : atMs + resumingMs) as Millis
  }

  setIndex(price: IndexPrice, sources: number, isGood: boolean): void {
    this.indexPrice = price
    this.indexSources = sources
    this.isIndexGood = isGood
    this.#isStale = true
  }

  /** Takes note of a command that traded `lots` worth `value` (tick × lot), the last of them at `price`. */
  traded(atMs: Millis, price: Ticks, value: number, lots: Lots): void {
    this.lastPrice = price
    this.average.add(atMs, value, lots)
    this.#isStale = true
  }

  /** Five-minute average, otherwise index, otherwise last trade price, in ticks; 0 when there is none. */
  reference(atMs: Millis): Ticks {
    if (this.average.roll(atMs) || this.#isStale) this.#refresh()
    return this.#reference
  }

  /**
   * Price from which the worst price of market orders and triggered orders is measured: the index while it is good, otherwise the
   * reference.
   */
  protection(atMs: Millis): Ticks {
    return ((this.isIndexGood ? Math.floor(this.indexPrice / this.indexPerTick) : 0) || this.reference(atMs)) as Ticks
  }

  /** Dumped state of halts: since when it is halted (0: it is not), and when it opens, or opened before the halt. */
  haltRecord(): { readonly haltedAtMs: Millis; readonly opensAtMs: Millis } {
    const { opensAtMs } = this
    return opensAtMs === Infinity ? { haltedAtMs: this.#haltedAtMs, opensAtMs: this.#openedAtMs } : { haltedAtMs: 0 as Millis, opensAtMs }
  }

  restoreHalt(haltedAtMs: Millis, opensAtMs: Millis): void {
    this.opensAtMs = opensAtMs
    if (!this.market.terms.isTrading) this.#halt(haltedAtMs)
  }

  /** Whether a limit order that does not cross may rest although the market does not match yet. */
  takesQuotes(side: SideNumber, price: Ticks): boolean {
    return this.opensAtMs !== Infinity && !this.book.crosses(side, price)
  }

  #halt(atMs: Millis): void {
    this.#haltedAtMs = atMs
    this.#openedAtMs = this.opensAtMs
    this.opensAtMs = Infinity as Millis
  }

  /** Whether a limit price is in the band around the reference or around a good index; always true when there is neither. */
  isInBand(price: Ticks, atMs: Millis): boolean {
    if (this.average.roll(atMs) || this.#isStale) this.#refresh()
    return this.#reference === 0 || (price >= this.#low && price <= this.#high)
  }

  #refresh(): void {
    const reference = (this.average.price() || Math.floor(this.indexPrice / this.indexPerTick) || this.lastPrice) as Ticks
    // In a fast market the average lags behind, and makers who quote near the index must not be kept out.
    const index = (this.isIndexGood ? Math.floor(this.indexPrice / this.indexPerTick) : 0) || reference
    const { bandPpm } = this.market.terms
    this.#reference = reference
    this.#low = (reference === 0 ? 0 : bandLow(Math.min(reference, index) as Ticks, bandPpm)) as Ticks
    this.#high = (reference === 0 ? 0 : bandHigh(Math.max(reference, index) as Ticks, bandPpm)) as Ticks
    this.#isStale = false
  }
}
