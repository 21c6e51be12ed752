import type { Ppm, Units } from '@candor/core/money/brand.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { MarketTerms, PerpTerms, RiskTier } from '@candor/core/protocol/market.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import { acceptedAtFirst } from './first-accepted.ts'
import { firstMarkets, firstTerms } from './defaults.ts'

const usdt = (whole: number): Units => (whole * 1_000_000) as Units
const tier = (valueMax: number, initialPpm: number, maintenancePpm: number): RiskTier => ({
  valueMax: usdt(valueMax),
  initialPpm: initialPpm as Ppm,
  maintenancePpm: maintenancePpm as Ppm,
})

/** Risk tiers of BTC and ETH. */
const firstTiers: readonly RiskTier[] = [
  tier(50_000, 100_000, 25_000),
  tier(250_000, 125_000, 40_000),
  tier(1_000_000, 200_000, 75_000),
  tier(50_000_000, 500_000, 200_000),
]

/** Risk tiers of all other coins: one tier worse at each value. */
const otherTiers: readonly RiskTier[] = [
  tier(50_000, 125_000, 40_000),
  tier(250_000, 200_000, 75_000),
  tier(1_000_000, 500_000, 200_000),
  tier(50_000_000, 1_000_000, 400_000),
]

const leverageCeiling = 10

/** Practice funds of the insurance fund. */
const firstInsurance = usdt(1_000_000)

/** Initial terms of a Futures market: see the defaults in `docs/spec/perp.md`. */
export function firstPerpTerms(base: string, index: MarketId): PerpTerms {
  const isMajor = base === 'BTC' || base === 'ETH'
  const tiers = isMajor ? firstTiers : otherTiers
  return {
    index,
    leverageMax: Math.min(leverageCeiling, Math.floor(1_000_000 / tiers[0]!.initialPpm)),
    tiers,
    fundingHours: 8,
    fundingInterest: 100_000,
    fundingStretch: 500_000,
    fundingCap: 7_500_000,
    impactValue: usdt(base === 'BTC' ? 10_000 : base === 'ETH' || base === 'SOL' ? 5_000 : 2_500),
    markClampPpm: 10_000 as Ppm,
    basisWindowMs: 30_000,
    liquidationFeePpm: 5_000 as Ppm,
    liquidationStepPpm: 250_000 as Ppm,
    openInterestMax: usdt(isMajor ? 20_000_000 : 2_000_000),
    userInterestPpm: 100_000 as Ppm,
    carryPpm: (isMajor ? 200_000 : 400_000) as Ppm,
  }
}

function contractTerms(): MarketTerms {
  return { ...firstTerms('USDT', 6), makerFeePpm: 200 as Ppm, takerFeePpm: 500 as Ppm }
}

/**
 * Lists a Futures market for every first market against USDT that has none, with the same tick and lot. In a sandbox the
 * insurance fund gets its initial money before the first one and only then, so a fund that was used up stays empty.
 *
 * insured  balance of the fund, in USDT units
 */
export async function listFirstContracts(submit: Submit, ask: Ask, mode: 'sandbox' | 'production', insured: number): Promise<void> {
  const { assets, markets } = await ask.listing()
  const settlement = assets.find(({ symbol }) => symbol === 'USDT')!
  if (mode === 'sandbox' && insured === 0 && markets.every(({ perp }) => perp === undefined)) {
    await acceptedAtFirst(submit, { type: 'funds.system', account: 'insurance', asset: settlement.id, amount: firstInsurance })
  }
  for (const { base, quote } of firstMarkets) {
    const spot = markets.find(({ symbol }) => symbol === base + quote)
    const symbol = `${base}${quote}PERP`
    if (quote !== 'USDT' || !spot || markets.some((market) => market.symbol === symbol)) continue
    const perp = firstPerpTerms(base, spot.id)
    const { tick, lot } = spot
    await acceptedAtFirst(submit, {
      type: 'perp.list',
      symbol,
      base: spot.base,
      quote: spot.quote,
      tick,
      lot,
      terms: contractTerms(),
      perp,
    })
  }
}
