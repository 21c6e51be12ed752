import { firstMarginTerms } from '@candor/core/risk/margin-terms.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'

/** One market of the runs, with the value of one lot at one tick in quote units, and its initial price in ticks. */
export type DeskMarket = {
  readonly market: number
  readonly symbol: string
  readonly base: number
  readonly quote: number
  readonly tick: string
  readonly lot: string
  readonly unit: number
  readonly indexPerTick: number
  readonly mid: number
}

export const assets = [
  { symbol: 'USDT', scale: 6, whole: 1e6 },
  { symbol: 'BTC', scale: 8, whole: 1e8 },
  { symbol: 'ETH', scale: 8, whole: 1e8 },
] as const

const bitcoin = { base: 2, quote: 1, tick: '1', lot: '0.001', unit: 1000, indexPerTick: 1e8, mid: 50_000 }
const ether = { base: 3, quote: 1, tick: '0.1', lot: '0.01', unit: 1000, indexPerTick: 1e7, mid: 25_000 }

export const spotMarkets: readonly DeskMarket[] = [
  { market: 1, symbol: 'BTCUSDT', ...bitcoin },
  { market: 2, symbol: 'ETHUSDT', ...ether },
  { market: 3, symbol: 'ETHBTC', base: 3, quote: 2, tick: '0.00001', lot: '0.01', unit: 10, indexPerTick: 1e3, mid: 5000 },
]
/** The futures markets of the first two spot markets, whose index they follow. */
export const perpMarkets: readonly (DeskMarket & { readonly index: number })[] = [
  { market: 4, symbol: 'BTCUSDTPERP', index: 1, ...bitcoin },
  { market: 5, symbol: 'ETHUSDTPERP', index: 2, ...ether },
]
export const allMarkets: readonly DeskMarket[] = [...spotMarkets, ...perpMarkets]

/** Market makers. */
export const makers = [1, 2] as const
/** Supplies most of the money in the pools. */
export const lender = 3
export const traders = [4, 5, 6, 7, 8, 9, 10, 11] as const
/** Starts unverified. */
export const stranger = 12

export const startAt = 1_790_000_000_000
export const hourMs = 3_600_000

export function marketTerms(isPerp: boolean, isTrading = true): object {
  const fees = isPerp ? { makerFeePpm: 200, takerFeePpm: 500 } : { makerFeePpm: 1000, takerFeePpm: 1000 }
  const filters = { notionalMin: 1000, lotsMin: 1, lotsMax: 1_000_000, bandPpm: 700_000, slippagePpm: 50_000, openOrdersMax: 60 }
  return { ...fees, ...filters, isTrading }
}

/** Terms of a futures market. The first has those of a new exchange, the second so much leverage that a move of 1 % is ruinous. */
export function perpTerms(market: number, liquidationStepPpm = 250_000): object {
  const usdt = (whole: number): number => whole * 1e6
  const calm = [
    { valueMax: usdt(50_000), initialPpm: 100_000, maintenancePpm: 25_000 },
    { valueMax: usdt(250_000), initialPpm: 125_000, maintenancePpm: 40_000 },
    { valueMax: usdt(60_000_000), initialPpm: 200_000, maintenancePpm: 75_000 },
  ]
  const wild = [
    { valueMax: usdt(20_000), initialPpm: 20_000, maintenancePpm: 10_000 },
    { valueMax: usdt(100_000), initialPpm: 50_000, maintenancePpm: 25_000 },
    { valueMax: usdt(60_000_000), initialPpm: 100_000, maintenancePpm: 50_000 },
  ]
  const funding = { fundingHours: market === 4 ? 8 : 1, fundingInterest: 100_000, fundingStretch: 500_000, fundingCap: 7_500_000 }
  const mark = { impactValue: usdt(10_000), markClampPpm: 10_000, basisWindowMs: 30_000 }
  const ruin = { liquidationFeePpm: 5000, liquidationStepPpm }
  const isCalm = market === 4
  const caps = { openInterestMax: usdt(isCalm ? 20_000_000 : 2_000_000), userInterestPpm: 100_000, carryPpm: isCalm ? 200_000 : 400_000 }
  return { index: market - 3, leverageMax: isCalm ? 10 : 50, tiers: isCalm ? calm : wild, ...funding, ...mark, ...ruin, ...caps }
}

export const marginTerms = firstMarginTerms(
  6,
  assets.map(({ symbol }, i) => ({ id: (i + 1) as AssetId, symbol })),
)

/** Fee tiers of Futures that some users reach. */
export const perpTiers = [
  { volumeMin: 0, makerPpm: 200, takerPpm: 500 },
  { volumeMin: 20_000e6, makerPpm: 180, takerPpm: 450 },
  { volumeMin: 200_000e6, makerPpm: 120, takerPpm: 380 },
]

/** Terms of a new exchange, with smaller house limits, so that they are reached. */
export const optionTerms = {
  isOpen: true,
  rates: [30, 60, 120, 180, 300, 900].map((seconds, i) => ({ seconds, profitPpm: 800_000 + 15_000 * i })),
  stakeMin: 5_000_000,
  stakeMax: 1_000_000_000,
  openMax: 2_000_000_000,
  sideMax: 2_000_000_000,
  strikeDelayMs: 1500,
  windowPpm: 100_000,
  windowMaxMs: 5000,
  gapMaxMs: 3000,
  marketExposurePpm: 60_000,
  totalExposurePpm: 100_000,
  groupExposurePpm: 50_000,
  groupPpm: 700_000,
  guardVoidsFree: 3,
  guardVoidsPpm: 200_000,
  houseFloor: 18_000_000_000,
  limitWaitMs: 86_400_000,
}
export const houseFund = 20_000_000_000

/** Weight of each kind of step. */
export const usual = {
  tend: 5,
  tick: 22,
  perpOrder: 22,
  perpSleeping: 5,
  perpChange: 6,
  perpSetting: 4,
  marginOrder: 9,
  loan: 5,
  lend: 5,
  second: 9,
  limits: 0.5,
  transfer: 6,
  spotOrder: 5,
  cancel: 4,
  cancelAll: 0.7,
  repeat: 1.5,
  odd: 2,
  faucet: 1.5,
  user: 1,
  operator: 1,
  rush: 0.08,
  clock: 1,
}

/** Changes of weights that give a run its main theme. */
export const profiles: Readonly<Record<string, Partial<typeof usual>>> = {
  mixed: {},
  perp: { perpOrder: 45, perpSleeping: 10, second: 2, loan: 2, lend: 1, marginOrder: 3 },
  margin: { marginOrder: 22, loan: 10, lend: 14, perpOrder: 8, second: 2 },
  second: { second: 26, tick: 34, perpOrder: 8, marginOrder: 3 },
}
