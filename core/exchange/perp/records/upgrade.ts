import type { Market, PerpTerms } from '../../../protocol/market.ts'

const usdt = 1_000_000
/** Initial impact value of every contract in the build that wrote version 12. */
const impactBefore = 10_000 * usdt

/**
 * Terms missing in a dump of version 12: caps, the fund's part and the impact value take the initial values of a new contract on
 * this coin. An impact value changed by an operator is kept.
 */
export function perpTermsFrom12(perp: PerpTerms, base: string): PerpTerms {
  const isMajor = base === 'BTC' || base === 'ETH'
  const impact = base === 'BTC' ? 10_000 : base === 'ETH' || base === 'SOL' ? 5000 : 2500
  const caps = {
    openInterestMax: (isMajor ? 20_000_000 : 2_000_000) * usdt,
    userInterestPpm: 100_000,
    carryPpm: isMajor ? 200_000 : 400_000,
  }
  return { ...perp, ...caps, impactValue: perp.impactValue === impactBefore ? impact * usdt : perp.impactValue } as PerpTerms
}

/** Converts a market of a dump of version 12. */
export function marketFrom12(market: Market, base: string): Market {
  return market.perp === undefined ? market : { ...market, perp: perpTermsFrom12(market.perp, base) }
}
