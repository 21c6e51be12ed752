import type { IndexPrice, Millis, Ticks } from '../money/brand.ts'
import type { LevelChanged, Traded } from '../protocol/event/index.ts'
import type { Market } from '../protocol/market.ts'
import { type CandleHistory, CandleSet } from './candle-set.ts'
import { type Applied, DepthBook } from './depth.ts'
import { sparkline } from './sparkline.ts'
import { type Ticker, RollingTicker } from './ticker.ts'
import { type PublicTrade, TradeRing } from './trades.ts'

/** Stored data of a market from before its events are followed. */
export type MarketHistory = {
  /** Oldest first. Reference candles have their flag set. */
  readonly candles: CandleHistory
  /** The newest trades, oldest first. */
  readonly trades: readonly PublicTrade[]
}

export type IndexView = { readonly price: IndexPrice; readonly sources: number; readonly isGood: boolean; readonly at: Millis }

/** The public data of one market, updated by its events. */
export class MarketView {
  market: Market
  readonly depth = new DepthBook()
  readonly candles: CandleSet
  readonly trades: TradeRing
  readonly #ticker = new RollingTicker()
  #lastTrade = 0
  #index: IndexView | undefined

  /** Keeps this many candles of each interval, and this many trades. */
  constructor(market: Market, depth = 1000) {
    this.market = market
    this.candles = new CandleSet(depth)
    this.trades = new TradeRing(depth)
  }

  /** Restores stored history into a new view. Its trades are known from then on, and not counted again. */
  restore({ candles, trades }: MarketHistory): void {
    this.candles.restore(candles)
    this.#ticker.restore(candles['1m'])
    for (const trade of trades) this.trades.add(trade)
    this.trades.take()
    this.#lastTrade = trades.at(-1)?.trade ?? 0
  }

  /**
   * Returns false when the trade was already known. Throws when an earlier one is missing. A trade of a user with themselves
   * appears among the trades, but in no candle or ticker.
   */
  trade(event: Traded, at: Millis): boolean {
    const { trade, price, lots, quote, takerSide } = event
    if (trade <= this.#lastTrade) return false
    if (trade !== this.#lastTrade + 1 && this.#lastTrade !== 0) {
      throw new Error(`trade ${trade} of market ${event.market} came after ${this.#lastTrade}`)
    }
    this.#lastTrade = trade
    const print = { at, price, lots, quote, takerSide }
    if (event.makerUser !== event.takerUser) {
      this.candles.add(print)
      this.#ticker.add(print)
    }
    this.trades.add({ trade, price, lots, quote, takerSide, at })
    return true
  }

  level(event: LevelChanged): Applied {
    return this.depth.apply(event)
  }

  setIndex(index: IndexView): void {
    this.#index = index
  }

  get index(): IndexView | undefined {
    return this.#index
  }

  /** The rolling 24 hours up to `at`; undefined before the first price. */
  ticker(at: Millis): Ticker | undefined {
    return this.#ticker.read(at)
  }

  /** 24 closes, one an hour, oldest first; fewer while the market is younger. */
  sparkline(at: Millis): readonly Ticks[] {
    return sparkline(this.candles.newest('1h', 48), at)
  }
}
