import type { ListedMarket } from './listing.ts'

/** The two groups of paths and streams for programs. They name markets differently and count requests separately. */
export type Family = 'spot' | 'futures'

export const contractSuffix = 'PERP'

/**
 * A market's name for programs. Spot markets and Futures have separate paths, so a Futures market has the name of its pair there,
 * as clients expect: BTCUSDT is the market that the app calls BTCUSDTPERP.
 */
export function programName({ market, base, quote }: ListedMarket): string {
  const pair = base.symbol + quote.symbol
  return market.perp !== undefined && market.symbol === pair + contractSuffix ? pair : market.symbol
}
