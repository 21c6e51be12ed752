import type { Decimal } from '@candor/core/money/brand.ts'
import type { MarketTerms } from '@candor/core/protocol/market.ts'

export type MarketPlan = {
  readonly symbol: string
  readonly base: number
  readonly quote: number
  readonly tick: Decimal
  readonly lot: Decimal
  /** Quote units of one lot at one tick. */
  readonly unit: number
  /** Price at the start, in ticks. */
  readonly mid: number
  /** Usual size of an order. */
  readonly lots: number
}

export const assets = [
  { symbol: 'USDT', scale: 6, faucet: 400_000_000_000 },
  { symbol: 'BTC', scale: 8, faucet: 800_000_000 },
  { symbol: 'ETH', scale: 8, faucet: 20_000_000_000 },
  { symbol: 'DOGE', scale: 4, faucet: 20_000_000_000 },
]

export const marketPlans: readonly MarketPlan[] = [
  { symbol: 'BTCUSDT', base: 2, quote: 1, tick: '1', lot: '0.00001', unit: 10, mid: 6000, lots: 2000 },
  { symbol: 'ETHUSDT', base: 3, quote: 1, tick: '0.1', lot: '0.0001', unit: 10, mid: 3000, lots: 5000 },
  { symbol: 'ETHBTC', base: 3, quote: 2, tick: '0.00001', lot: '0.001', unit: 1, mid: 5000, lots: 400 },
  { symbol: 'DOGEUSDT', base: 4, quote: 1, tick: '0.00001', lot: '1', unit: 10, mid: 20_000, lots: 3000 },
]

/** Minimum order values. In the last market one lot is worth more than that, so that an amount can be too small for a lot. */
export const notionalMins: readonly number[] = [5_000_000, 5_000_000, 10_000, 100_000]

export const tiers = [
  { volumeMin: 0, makerPpm: 1000, takerPpm: 1000 },
  { volumeMin: 2_000_000_000, makerPpm: 900, takerPpm: 1000 },
  { volumeMin: 8_000_000_000, makerPpm: 400, takerPpm: 600 },
]

/** Weight of each kind of step. */
export const usual = {
  limit: 34,
  market: 8,
  stop: 7,
  trailing: 3,
  oco: 8,
  cancel: 11,
  amend: 11,
  cancelAll: 0.6,
  repeat: 3,
  odd: 4,
  index: 4,
  clock: 3,
  transfer: 1.5,
  faucet: 1.5,
  operator: 1,
  sweep: 1.5,
  shock: 0.7,
  user: 0.5,
  cascade: 0.08,
}

/** Changes of weights that give a run its main theme. */
export const profiles = {
  mixed: {},
  stops: { stop: 30, trailing: 15, oco: 12, sweep: 4, cancel: 5 },
  crowded: { limit: 60, cancel: 2, amend: 5, cancelAll: 0.3 },
  frantic: { market: 25, sweep: 6, repeat: 8, shock: 3 },
}

export const startAt = 1_790_000_000_000
export const dayMs = 86_400_000
export const oddNumbers = [0, -1, 1, 3, 2 ** 31, 2 ** 32 + 1, 2 ** 40, 2 ** 52, 2 ** 53 - 1, -(2 ** 53) + 1]
export const userCount = 6
/** Each third seed has production's rules. */
export const productionEvery = 3

/** Terms of a market by its index in the list. A `tightness` above 1 makes limits tighter, so that more is refused. */
export function termsOf(market: number, tightness: number, openOrders: number): MarketTerms {
  return {
    makerFeePpm: 1000,
    takerFeePpm: 1000,
    notionalMin: notionalMins[market] ?? 0,
    lotsMin: 1,
    lotsMax: (marketPlans[market]?.lots ?? 1) * 100,
    bandPpm: Math.floor(200_000 / tightness),
    slippagePpm: Math.floor(50_000 / tightness),
    openOrdersMax: Math.max(1, Math.floor(openOrders / tightness)),
    isTrading: true,
  } as unknown as MarketTerms
}
