import type { Lots, Ppm, Units } from '@candor/core/money/brand.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import { coins } from '@candor/core/protocol/coins.ts'
import type { FeeTier, MarketTerms } from '@candor/core/protocol/market.ts'
import type { FaucetTerms } from '../live/context.ts'

/** Assets listed when an exchange starts for the first time. Later the journal has the listing. */
export const firstAssets: readonly { readonly symbol: string; readonly scale: number }[] = coins.flatMap(({ symbol, scale }) =>
  scale === undefined ? [] : [{ symbol, scale }],
)

type FirstMarket = { readonly base: string; readonly quote: string; readonly tick: string; readonly lot: string }

const inUsdt = (base: string, tick: string, lot: string): FirstMarket => ({ base, quote: 'USDT', tick, lot })

/** In each market, tick × lot is a whole number of the quote's smallest unit. */
export const firstMarkets: readonly FirstMarket[] = [
  inUsdt('BTC', '0.1', '0.00001'),
  inUsdt('ETH', '0.01', '0.0001'),
  inUsdt('BNB', '0.01', '0.001'),
  inUsdt('SOL', '0.01', '0.001'),
  inUsdt('XRP', '0.0001', '0.1'),
  inUsdt('TRX', '0.0001', '0.1'),
  inUsdt('DOGE', '0.00001', '1'),
  inUsdt('ADA', '0.0001', '0.1'),
  inUsdt('AVAX', '0.001', '0.01'),
  inUsdt('LINK', '0.001', '0.01'),
  inUsdt('DOT', '0.001', '0.01'),
  inUsdt('LTC', '0.01', '0.001'),
  { base: 'ETH', quote: 'BTC', tick: '0.00001', lot: '0.001' },
  { base: 'SOL', quote: 'BTC', tick: '0.000001', lot: '0.01' },
]

/** About five USDT, in the quote asset. */
const notionalMin: Readonly<Record<string, string>> = { USDT: '5', BTC: '0.0001' }

const maxLots = 1_000_000_000

export function firstTerms(quote: string, quoteScale: number): MarketTerms {
  return {
    makerFeePpm: 1_000 as Ppm,
    takerFeePpm: 1_000 as Ppm,
    notionalMin: parseUnits(notionalMin[quote] ?? '5', quoteScale) as Units,
    lotsMin: 1 as Lots,
    lotsMax: maxLots as Lots,
    bandPpm: 200_000 as Ppm,
    slippagePpm: 50_000 as Ppm,
    openOrdersMax: 200,
    isTrading: true,
  }
}

const tier = (millions: number, makerPpm: number, takerPpm: number): FeeTier => ({
  volumeMin: (millions * 1_000_000 * 1_000_000) as Units,
  makerPpm: makerPpm as Ppm,
  takerPpm: takerPpm as Ppm,
})

export const firstFees: readonly FeeTier[] = [
  tier(0, 1_000, 1_000),
  tier(1, 900, 1_000),
  tier(5, 800, 1_000),
  tier(20, 400, 600),
  tier(100, 200, 400),
]

/**
 * Tiers of Futures, by volume in Futures. To reach a tier by trades between two accounts of one's own costs more than both then save on
 * as much volume again, even when referral pays half of the fees back.
 */
export const firstPerpFees: readonly FeeTier[] = [
  tier(0, 200, 500),
  tier(5, 180, 450),
  tier(25, 160, 420),
  tier(100, 140, 400),
  tier(500, 120, 380),
]

/** One press of the faucet button is worth about ten thousand USDT; five presses per day are allowed. */
const faucet = (asset: string, amount: string, dailyMax: string): FaucetTerms => ({ asset, amount, dailyMax })

export const faucetTerms: readonly FaucetTerms[] = [
  faucet('USDT', '10000', '50000'),
  faucet('BTC', '0.15', '0.75'),
  faucet('ETH', '3', '15'),
  faucet('BNB', '15', '75'),
  faucet('SOL', '60', '300'),
  faucet('XRP', '5000', '25000'),
  faucet('TRX', '40000', '200000'),
  faucet('DOGE', '50000', '250000'),
  faucet('ADA', '12000', '60000'),
  faucet('AVAX', '300', '1500'),
  faucet('LINK', '600', '3000'),
  faucet('DOT', '1500', '7500'),
  faucet('LTC', '100', '500'),
]
