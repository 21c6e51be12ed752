import { firstMarginTerms } from '@candor/core/risk/margin-terms.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import { BTC, DOGE, ETH } from './coins.ts'
import type { Coin } from './coins.ts'

const usdt = (whole: number): number => whole * 1e6

/** Terms of a market as at the first start of an exchange. */
export function marketTerms(coin: { readonly lot: string }, isPerp: boolean): object {
  const fees = isPerp ? { makerFeePpm: 200, takerFeePpm: 500 } : { makerFeePpm: 1000, takerFeePpm: 1000 }
  const lotsMax = coin === DOGE ? 1e8 : 1e7
  return { ...fees, notionalMin: usdt(5), lotsMin: 1, lotsMax, bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200, isTrading: true }
}

const tier = (millions: number, makerPpm: number, takerPpm: number) => ({ volumeMin: usdt(millions * 1e6), makerPpm, takerPpm })
/** Fees by volume as at the first start of an exchange, in Spot and in Futures. */
export const feeTiers = [tier(0, 1000, 1000), tier(1, 900, 1000), tier(5, 800, 1000), tier(20, 400, 600), tier(100, 200, 400)]
export const perpFeeTiers = [tier(0, 200, 500), tier(5, 180, 450), tier(25, 160, 420), tier(100, 140, 400), tier(500, 120, 380)]

const large = [
  { valueMax: usdt(50_000), initialPpm: 100_000, maintenancePpm: 25_000 },
  { valueMax: usdt(250_000), initialPpm: 125_000, maintenancePpm: 40_000 },
  { valueMax: usdt(1_000_000), initialPpm: 200_000, maintenancePpm: 75_000 },
  { valueMax: usdt(50_000_000), initialPpm: 500_000, maintenancePpm: 200_000 },
]
const small = [
  { valueMax: usdt(50_000), initialPpm: 125_000, maintenancePpm: 40_000 },
  { valueMax: usdt(250_000), initialPpm: 200_000, maintenancePpm: 75_000 },
  { valueMax: usdt(1_000_000), initialPpm: 500_000, maintenancePpm: 200_000 },
  { valueMax: usdt(50_000_000), initialPpm: 1_000_000, maintenancePpm: 400_000 },
]

export function perpTerms(coin: Coin): object {
  const isLarge = coin === BTC || coin === ETH
  const funding = { fundingHours: 8, fundingInterest: 100_000, fundingStretch: 500_000, fundingCap: 7_500_000 }
  const impactValue = usdt(coin === BTC ? 10_000 : coin === ETH ? 5000 : 2500)
  const mark = { impactValue, markClampPpm: 10_000, basisWindowMs: 30_000 }
  const ruin = { liquidationFeePpm: 5000, liquidationStepPpm: 250_000 }
  const caps = { openInterestMax: usdt(isLarge ? 20_000_000 : 2_000_000), userInterestPpm: 100_000, carryPpm: isLarge ? 200_000 : 400_000 }
  return { index: coin.spot, leverageMax: isLarge ? 10 : 8, tiers: isLarge ? large : small, ...funding, ...mark, ...ruin, ...caps }
}

export const marginTerms = firstMarginTerms(
  6,
  [BTC, ETH].map(({ asset, symbol }) => ({ id: asset as AssetId, symbol })),
)

export const optionTerms = {
  isOpen: true,
  rates: [30, 60, 120, 180, 300, 900].map((seconds, i) => ({ seconds, profitPpm: [80, 82, 84, 85, 86, 88][i]! * 10_000 })),
  stakeMin: usdt(5),
  stakeMax: usdt(1000),
  openMax: usdt(5000),
  sideMax: usdt(3000),
  strikeDelayMs: 1500,
  windowPpm: 100_000,
  windowMaxMs: 5000,
  gapMaxMs: 3000,
  marketExposurePpm: 30_000,
  totalExposurePpm: 100_000,
  groupExposurePpm: 50_000,
  groupPpm: 700_000,
  guardVoidsFree: 3,
  guardVoidsPpm: 200_000,
  houseFloor: usdt(100_000),
  limitWaitMs: 0,
}

/** Initial balances of the funds, in USDT. */
export const funds = { insurance: 100_000, 'insurance-margin': 100_000, 'option-house': 1_000_000 } as const
