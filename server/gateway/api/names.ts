import type { MarketView } from '@candor/core/market-data/market-view.ts'
import { Refused } from '../../refused.ts'
import type { MarketData } from '../market/data.ts'
import type { ListedMarket } from '../market/listing.ts'
import { badSymbol } from './errors.ts'
import type { Family } from './route.ts'

const contractSuffix = 'PERP'

/** A market with what is known of it now. */
export type Seen = { readonly market: ListedMarket; readonly view: MarketView; readonly name: string }

/**
 * What programs call a market. Spot markets and contracts are asked for at different paths, so that a contract has the name of
 * its pair there, as clients expect: BTCUSDT is the contract that the app calls BTCUSDTPERP.
 */
export function programName({ market, base, quote }: ListedMarket): string {
  const pair = base.symbol + quote.symbol
  return market.perp !== undefined && market.symbol === pair + contractSuffix ? pair : market.symbol
}

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

  /** throws  ApiError -1121, or Refused UNAVAILABLE while the picture of the markets starts over */
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
