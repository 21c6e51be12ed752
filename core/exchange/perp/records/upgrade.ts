import type { Market, PerpTerms } from '../../../protocol/market.ts'

const usdt = 1_000_000
/** What every contract began with in the build that wrote version 12. */
const impactBefore = 10_000 * usdt

/**
 * Terms that the dump of version 12 does not know: caps, the fund's part and the impact value that a new contract on this
 * coin begins with. An impact value that an operator had changed stays.
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

/** A market of a dump of version 12 as it goes on. */
export function marketFrom12(market: Market, base: string): Market {
  return market.perp === undefined ? market : { ...market, perp: perpTermsFrom12(market.perp, base) }
}
