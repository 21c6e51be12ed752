import { firstMarginTerms } from '@candor/core/risk/margin-terms.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'

/** Assets of a run: ordinary ones, one without decimals, one with the most decimals, and one that never has a price. */
export const assets = [
  { symbol: 'USDT', scale: 6, whole: 1e6 },
  { symbol: 'BTC', scale: 8, whole: 1e8 },
  { symbol: 'ETH', scale: 8, whole: 1e8 },
  { symbol: 'FULL', scale: 0, whole: 1 },
  { symbol: 'FINE', scale: 12, whole: 1e12 },
  { symbol: 'LOST', scale: 4, whole: 1e4 },
] as const

export type ChaosMarket = {
  readonly market: number
  readonly symbol: string
  readonly base: number
  readonly quote: number
  readonly tick: string
  readonly lot: string
  readonly unit: number
  readonly indexPerTick: number
  readonly mid: number
  readonly lotsMax: number
  /** Market whose index it follows; 0: a spot market. */
  readonly index: number
}

const bitcoin = { base: 2, quote: 1, tick: '1', lot: '0.001', unit: 1000, indexPerTick: 1e8, mid: 50_000, lotsMax: 1_000_000 }
const ether = { base: 3, quote: 1, tick: '0.1', lot: '0.01', unit: 1000, indexPerTick: 1e7, mid: 25_000, lotsMax: 1_000_000 }

export const markets: readonly ChaosMarket[] = [
  { market: 1, symbol: 'BTCUSDT', ...bitcoin, index: 0 },
  { market: 2, symbol: 'ETHUSDT', ...ether, index: 0 },
  {
    market: 3,
    symbol: 'ETHBTC',
    base: 3,
    quote: 2,
    tick: '0.00001',
    lot: '0.01',
    unit: 10,
    indexPerTick: 1e3,
    mid: 5000,
    lotsMax: 100_000,
    index: 0,
  },
  {
    market: 4,
    symbol: 'FULLUSDT',
    base: 4,
    quote: 1,
    tick: '0.000001',
    lot: '1',
    unit: 1,
    indexPerTick: 100,
    mid: 3,
    lotsMax: 1_000_000_000,
    index: 0,
  },
  {
    market: 5,
    symbol: 'FINEUSDT',
    base: 5,
    quote: 1,
    tick: '0.01',
    lot: '0.0001',
    unit: 1,
    indexPerTick: 1e6,
    mid: 800,
    lotsMax: 10_000_000,
    index: 0,
  },
  {
    market: 6,
    symbol: 'LOSTUSDT',
    base: 6,
    quote: 1,
    tick: '0.01',
    lot: '0.0001',
    unit: 1,
    indexPerTick: 1e6,
    mid: 9000,
    lotsMax: 10_000_000,
    index: 0,
  },
  { market: 7, symbol: 'BTCUSDTPERP', ...bitcoin, index: 1 },
  { market: 8, symbol: 'ETHUSDTPERP', ...ether, index: 2 },
  {
    market: 9,
    symbol: 'FINEUSDTPERP',
    base: 5,
    quote: 1,
    tick: '0.01',
    lot: '0.0001',
    unit: 1,
    indexPerTick: 1e6,
    mid: 800,
    lotsMax: 10_000_000,
    index: 5,
  },
]
export const spotMarkets = markets.filter(({ index }) => index === 0)
export const perpMarkets = markets.filter(({ index }) => index > 0)

export const users = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const
/** Rich users who quote. The last user of a run starts unverified. */
export const rich = [1, 2, 3] as const
export const startAt = 1_790_000_000_000

export function marketTerms(plan: ChaosMarket): Record<string, unknown> {
  const fees = plan.index > 0 ? { makerFeePpm: 200, takerFeePpm: 500 } : { makerFeePpm: 1000, takerFeePpm: 1000 }
  return {
    ...fees,
    notionalMin: 1000,
    lotsMin: 1,
    lotsMax: plan.lotsMax,
    bandPpm: 700_000,
    slippagePpm: 50_000,
    openOrdersMax: 60,
    isTrading: true,
  }
}

export function perpTerms(plan: ChaosMarket): Record<string, unknown> {
  const usdt = (whole: number): number => whole * 1e6
  const isCalm = plan.market === 7
  const tiers = isCalm
    ? [
        { valueMax: usdt(50_000), initialPpm: 100_000, maintenancePpm: 25_000 },
        { valueMax: usdt(60_000_000), initialPpm: 200_000, maintenancePpm: 75_000 },
      ]
    : [
        { valueMax: usdt(20_000), initialPpm: 20_000, maintenancePpm: 10_000 },
        { valueMax: usdt(100_000), initialPpm: 50_000, maintenancePpm: 25_000 },
        { valueMax: usdt(60_000_000), initialPpm: 100_000, maintenancePpm: 50_000 },
      ]
  return {
    index: plan.index,
    leverageMax: isCalm ? 10 : 50,
    tiers,
    fundingHours: isCalm ? 8 : 1,
    fundingInterest: 100_000,
    fundingStretch: 500_000,
    fundingCap: 7_500_000,
    impactValue: usdt(2500),
    markClampPpm: 10_000,
    basisWindowMs: 30_000,
    liquidationFeePpm: 5000,
    liquidationStepPpm: 250_000,
    openInterestMax: usdt(2_000_000),
    userInterestPpm: 100_000,
    carryPpm: 200_000,
  }
}

export const marginTerms = firstMarginTerms(
  6,
  assets.map(({ symbol }, i) => ({ id: (i + 1) as AssetId, symbol })),
) as unknown as Record<string, unknown>

export const optionTerms: Record<string, unknown> = {
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
