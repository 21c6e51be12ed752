import type { ListedMarket } from './listing.ts'

/** The two groups of paths and streams of programs: they name markets, and count what is asked, apart. */
export type Family = 'spot' | 'futures'

export const contractSuffix = 'PERP'

/**
 * What programs call a market. Spot markets and contracts are asked for at different paths, so that a contract has the name of
 * its pair there, as clients expect: BTCUSDT is the contract that the app calls BTCUSDTPERP.
 */
export function programName({ market, base, quote }: ListedMarket): string {
  const pair = base.symbol + quote.symbol
  return market.perp !== undefined && market.symbol === pair + contractSuffix ? pair : market.symbol
}
