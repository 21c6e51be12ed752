import type { Millis } from '@candor/core/money/brand.ts'
import type { MarketView } from '@candor/core/market-data/market-view.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import { programName } from '../live/program-names.ts'
import { averagePrice } from '../live/average-price.ts'
import type { MarketData } from '../live/data.ts'
import { contractTickerText, type ForcedOrder, forcedOrderText, markPriceText } from '../live/futures-texts.ts'
import type { ListedMarket } from '../live/listing.ts'
import { miniTickerText, tickerText } from '../live/texts.ts'
import type { Liquidations } from './liquidations.ts'
import { allMarkets, type PublicStream } from './streams.ts'

type Publish = (stream: PublicStream, text: string) => void
type Wanted = ReadonlyMap<number, ReadonlyMap<string, PublicStream>>

const secondMs = 1_000

/** Streams that send at fixed intervals, whether or not anything changed, and streams that cover all markets. */
export class Beats {
  readonly #data: MarketData
  readonly #liquidations: Liquidations
  /** Markets that traded since the last second. */
  readonly #traded = new Set<number>()

  constructor(data: MarketData, liquidations: Liquidations) {
    this.#data = data
    this.#liquidations = liquidations
  }

  traded(market: number): void {
    this.#traded.add(market)
  }

  /** isDue  whether a span of that length ends with this tick */
  tick(isDue: (everyMs: number) => boolean, wanted: Wanted, now: Millis, publish: Publish): void {
    if (!isDue(secondMs)) return
    const forced = this.#liquidations.take()
    for (const streams of wanted.values()) {
      for (const stream of streams.values()) {
        if ('everyMs' in stream.kind && !isDue(stream.kind.everyMs)) continue
        for (const text of this.#texts(stream, forced, now)) publish(stream, text)
      }
    }
    this.#traded.clear()
  }

  #texts(stream: PublicStream, forced: ReadonlyMap<MarketId, ForcedOrder>, now: Millis): readonly string[] {
    const { kind, family } = stream
    switch (kind.type) {
      case 'avgPrice':
        return this.#seen(stream.market, (market, view) => averageOf(market, view, now))
      case 'markPrice':
        return this.#seen(stream.market, (market) => markPriceText({ market, said: stream.said }, this.#data.contracts, now))
      case 'markPrices':
        return this.#list('perp', this.#contracts(), (market) =>
          markPriceText({ market, said: programName(market) }, this.#data.contracts, now),
        )
      case 'miniTickers':
      case 'tickers': {
        const isSpot = family === 'spot'
        return this.#list(isSpot ? 'spot' : 'perp', this.#traded, (market, view) => {
          if (kind.type === 'miniTickers') return miniTickerText(market, view, now, programName(market))
          return isSpot ? tickerText(market, view, now) : contractTickerText({ market, said: programName(market) }, view, now)
        })
      }
      case 'forceOrder':
      case 'forceOrders':
        return [...forced].flatMap(([id, order]) => {
          if (stream.market !== allMarkets && stream.market !== id) return []
          const market = this.#data.listing.market(id)
          return [forcedOrderText({ market, said: family === 'spot' ? market.market.symbol : programName(market) }, order, now)]
        })
      default:
        return []
    }
  }

  #contracts(): readonly number[] {
    return this.#data.listing.markets.map(({ market }) => market.id)
  }

  #seen(id: number, text: (market: ListedMarket, view: MarketView) => string | undefined): readonly string[] {
    const market = this.#data.listing.marketIfAny(id)
    const view = this.#data.market(id)
    const said = market && view && text(market, view)
    return said === undefined ? [] : [said]
  }

  /** Publishes one list of messages about these markets; nothing when it is empty. */
  #list(
    kind: 'spot' | 'perp',
    ids: Iterable<number>,
    text: (market: ListedMarket, view: MarketView) => string | undefined,
  ): readonly string[] {
    const own = [...ids].filter((id) => this.#data.listing.marketIfAny(id)?.wire.kind === kind)
    const texts = own.flatMap((id) => this.#seen(id, text))
    return texts.length === 0 ? [] : [`[${texts.join(',')}]`]
  }
}

function averageOf(market: ListedMarket, view: MarketView, now: Millis): string {
  const { mins, price, closeTime } = averagePrice({ market, view }, now)
  return JSON.stringify({ e: 'avgPrice', E: now, s: market.market.symbol, i: `${mins}m`, w: price, T: closeTime })
}
