import { Book } from '../book/book.ts'
import type { Orders } from '../book/orders.ts'
import { Triggers } from '../book/triggers.ts'
import { parseUnits } from '../money/units.ts'
import type { Market, MarketTerms } from '../protocol/market.ts'
import { bandHigh, bandLow } from '../risk/spot.ts'
import { PriceAverage } from './average.ts'
import type { State } from './state.ts'

/** Index prices have eight decimals. */
export const indexScale = 8

/** How the orders of a market that is not a spot market end at their owner's wish, and act when they wake. */
export type OrderHooks = {
  readonly cancel: (x: State, venue: Venue, slot: number) => void
  readonly wake: (x: State, venue: Venue, slot: number) => void
}

/** One market while it runs: its terms, its book, its sleeping orders, and the prices that its rules refer to. */
export class Venue {
  market: Market
  readonly id: number
  readonly base: number
  readonly quote: number
  readonly basePerLot: number
  readonly quotePerTickLot: number
  /** Index units in one tick. */
  readonly indexPerTick: number
  readonly book: Book
  readonly triggers: Triggers
  readonly average = new PriceAverage()
  /** Undefined: a spot market. */
  hooks: OrderHooks | undefined = undefined
  lastPrice = 0
  lastTrade = 0
  lastUpdate = 0
  indexPrice = 0
  indexSources = 0
  isIndexGood = false
  #reference = 0
  #low = 0
  #high = 0
  /** Whether the reference must be worked out again. */
  #isStale = true

  constructor(market: Market, orders: Orders) {
    this.market = market
    this.id = market.id | 0
    this.base = market.base | 0
    this.quote = market.quote | 0
    this.basePerLot = market.basePerLot
    this.quotePerTickLot = market.quotePerTickLot
    this.indexPerTick = parseUnits(market.tick, indexScale)!
    this.book = new Book(orders)
    this.triggers = new Triggers(orders)
  }

  setTerms(terms: MarketTerms): void {
    this.market = { ...this.market, terms }
    this.#isStale = true
  }

  setIndex(price: number, sources: number, isGood: boolean): void {
    this.indexPrice = price
    this.indexSources = sources
    this.isIndexGood = isGood
    this.#isStale = true
  }

  /** A command traded `lots` worth `value` (tick × lot), the last of them at `price`. */
  traded(atMs: number, price: number, value: number, lots: number): void {
    this.lastPrice = price
    this.average.add(atMs, value, lots)
    this.#isStale = true
  }

  /** Five-minute average, else index, else last trade price, in ticks; 0 with none of them. */
  reference(atMs: number): number {
    if (this.average.roll(atMs) || this.#isStale) this.#refresh()
    return this.#reference
  }

  /** Whether a limit price lies in the band around the reference; any does when there is none. */
  isInBand(price: number, atMs: number): boolean {
    if (this.average.roll(atMs) || this.#isStale) this.#refresh()
    return this.#reference === 0 || (price >= this.#low && price <= this.#high)
  }

  #refresh(): void {
    const reference = this.average.price() || Math.floor(this.indexPrice / this.indexPerTick) || this.lastPrice
    this.#reference = reference
    this.#low = reference === 0 ? 0 : bandLow(reference, this.market.terms.bandPpm)
    this.#high = reference === 0 ? 0 : bandHigh(reference, this.market.terms.bandPpm)
    this.#isStale = false
  }
}
