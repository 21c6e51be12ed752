import type { Ppm, Units } from '../money/brand.ts'
import type { MarginTerms, MarginWeight } from '../protocol/command/margin.ts'
import type { Asset } from '../protocol/market.ts'

const million = 1_000_000
/** Highest rate of any pool: one percent an hour, in 1e-12. */
const rateMax = 10_000_000_000
const tiersMax = 16
const leverageMax = 10
/** Highest value of a smallest loan or supply, in USDT units. */
const valueMinMax = 10 ** 12

/** Coins that count almost in full in a cross account. */
const firmCoins = ['BTC', 'ETH']
const firmWeightPpm = 950_000 as Ppm

/** Initial terms of margin trading and lending. One whole USDT is `10^usdtScale` units; `assets` are the listed assets. */
export function firstMarginTerms(usdtScale: number, assets: readonly Pick<Asset, 'id' | 'symbol'>[]): MarginTerms {
  const usdt = (whole: number): Units => (whole * 10 ** usdtScale) as Units
  const tier = (loanMax: Units, leverage: number, liquidationPpm: Ppm) => ({
    loanMax: usdt(loanMax),
    leverage,
    liquidationPpm: liquidationPpm as Ppm,
  })
  return {
    isOpen: true,
    tiers: [
      tier(100_000 as Units, 10, 1_050_000 as Ppm),
      tier(200_000 as Units, 9, 1_060_000 as Ppm),
      tier(400_000 as Units, 8, 1_075_000 as Ppm),
      tier(800_000 as Units, 7, 1_090_000 as Ppm),
      tier(1_600_000 as Units, 6, 1_120_000 as Ppm),
      tier(1_000_000_000 as Units, 5, 1_150_000 as Ppm),
    ],
    isolatedCallPpm: 50_000 as Ppm,
    crossLeverage: 5,
    crossTransferPpm: 2_000_000 as Ppm,
    crossBorrowPpm: 1_250_000 as Ppm,
    crossCallPpm: 1_160_000 as Ppm,
    crossLiquidationPpm: 1_100_000 as Ppm,
    rateZero: 5_000_000,
    rateKink: 20_000_000,
    rateFull: 200_000_000,
    kinkPpm: 800_000 as Ppm,
    borrowStopPpm: 900_000 as Ppm,
    reservePpm: 150_000 as Ppm,
    liquidationFeePpm: 5_000 as Ppm,
    ...laterTerms(usdtScale, assets),
  }
}

/** Initial values of the terms that dumps of version 12 lack. */
export function laterTerms(usdtScale: number, assets: readonly Pick<Asset, 'id' | 'symbol'>[]) {
  const least = (10 * 10 ** usdtScale) as Units
  const weights: MarginWeight[] = assets
    .filter(({ symbol }) => firmCoins.includes(symbol))
    .map(({ id }) => ({ asset: id, weightPpm: firmWeightPpm }))
  return {
    cushionPpm: 20_000 as Ppm,
    weights,
    weightPpm: 850_000 as Ppm,
    userSharePpm: 250_000 as Ppm,
    loanMin: least,
    supplyMin: least,
    fundAssetPpm: 100_000 as Ppm,
    fundAllPpm: 250_000 as Ppm,
    fundFastPpm: 50_000 as Ppm,
  }
}

/**
 * Whether the terms make sense: tiers ascend; every account is warned before it is liquidated, and liquidated before it owes more
 * than it has; the level after a new loan is above the warning; rates rise with utilization.
 */
export function areMarginTermsValid(terms: MarginTerms): boolean {
  const { tiers } = terms
  const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most
  return (
    isWithin(tiers.length, 1, tiersMax) &&
    tiers.every(
      (tier, i) =>
        tier.loanMax > (tiers[i - 1]?.loanMax ?? 0) &&
        isWithin(tier.leverage, 2, tiers[i - 1]?.leverage ?? leverageMax) &&
        isWithin(tier.liquidationPpm, Math.max(million + 1, tiers[i - 1]?.liquidationPpm ?? 0), 10 * million) &&
        tier.liquidationPpm + terms.isolatedCallPpm < openPpm(tier.leverage) &&
        tier.liquidationPpm + terms.cushionPpm < openPpm(tier.leverage),
    ) &&
    isWithin(terms.isolatedCallPpm, 1, million) &&
    isWithin(terms.crossLeverage, 2, leverageMax) &&
    isWithin(terms.crossLiquidationPpm, million + 1, 10 * million) &&
    isWithin(terms.crossCallPpm, terms.crossLiquidationPpm + 1, 10 * million) &&
    isWithin(terms.crossBorrowPpm, terms.crossCallPpm + 1, 10 * million) &&
    isWithin(terms.crossTransferPpm, terms.crossBorrowPpm, 10 * million) &&
    isWithin(terms.rateZero, 0, terms.rateKink) &&
    isWithin(terms.rateKink, terms.rateZero, terms.rateFull) &&
    isWithin(terms.rateFull, terms.rateKink, rateMax) &&
    isWithin(terms.kinkPpm, 1, million - 1) &&
    isWithin(terms.borrowStopPpm, 1, million) &&
    isWithin(terms.reservePpm, 0, million) &&
    isWithin(terms.liquidationFeePpm, 0, 100_000) &&
    isWithin(terms.cushionPpm, 0, terms.crossBorrowPpm - terms.crossLiquidationPpm - 1) &&
    isWithin(terms.weightPpm, 0, million) &&
    terms.weights.every(
      ({ weightPpm }, i) => isWithin(weightPpm, 0, million) && terms.weights[i]!.asset > (terms.weights[i - 1]?.asset ?? 0),
    ) &&
    isWithin(terms.userSharePpm, 1, million) &&
    isWithin(terms.loanMin, 0, valueMinMax) &&
    isWithin(terms.supplyMin, 0, valueMinMax) &&
    isWithin(terms.fundAssetPpm, 0, million) &&
    isWithin(terms.fundAllPpm, terms.fundAssetPpm, million) &&
    isWithin(terms.fundFastPpm, 0, terms.fundAssetPpm)
  )
}

/**
 * Level (ppm) after a loan at full leverage L: own money 1, borrowed L − 1, so assets ÷ debt = L ÷ (L − 1). Rounded up, so that no
 * account opens above its leverage.
 */
export function openPpm(leverage: number): Ppm {
  return Math.ceil((leverage * million) / (leverage - 1)) as Ppm
}
