import type { MarketView } from '@candor/core/market-data/market-view.ts'
import { Refused } from '../refused.ts'
import type { MarketData } from '../live/data.ts'
import type { ListedMarket } from '../live/listing.ts'
import { contractSuffix, type Family, programName } from '../live/program-names.ts'
import { badSymbol } from './errors.ts'

/** A market with its current data. */
export type Seen = { readonly market: ListedMarket; readonly view: MarketView; readonly name: string }

/** Markets of one group of paths, by the names that programs use. */
export class Names {
  readonly #data: MarketData
  readonly #kind: 'spot' | 'perp'

  constructor(data: MarketData, family: Family) {
    this.#data = data
    this.#kind = family === 'spot' ? 'spot' : 'perp'
  }

  /** throws  ApiError -1121 */
  market(symbol: string): ListedMarket {
    const { listing } = this.#data
    const names = this.#kind === 'spot' ? [symbol] : [symbol + contractSuffix, symbol]
    for (const name of names) {
      const market = listing.marketNamedIfAny(name)
      if (market?.wire.kind === this.#kind && programName(market) === symbol) return market
    }
    throw badSymbol()
  }

  /** throws  ApiError -1121, or Refused UNAVAILABLE while the market data starts over */
  seen(symbol: string): Seen {
    return this.#see(this.market(symbol))
  }

  /** In the order of the listing. */
  all(): readonly Seen[] {
    return this.#data.listing.markets.filter(({ wire }) => wire.kind === this.#kind).map((market) => this.#see(market))
  }

  #see(market: ListedMarket): Seen {
    const view = this.#data.market(market.market.id)
    if (!view || !this.#data.isReady) throw new Refused('UNAVAILABLE', { retryAfter: 1 })
    return { market, view, name: programName(market) }
  }
}
