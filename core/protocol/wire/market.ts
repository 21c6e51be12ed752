/**
 * Shapes of the JSON of `/app/v1`. Prices, quantities and sums are decimal strings; times are milliseconds; ids of orders and
 * trades are strings. The server's schemas are checked against these types, and the client uses them.
 */
import type { Decimal } from '../../money/brand.ts'
import type { Interval } from '../market.ts'
import type { Refusal } from '../refusal.ts'
import type { WirePerpTerms } from './perp.ts'

/** Every error of `/app/v1`. `message` is English; apps show the translation of `code`. */
export type WireError = {
  readonly code: Refusal
  readonly message: string
  readonly field?: string
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number
  readonly requestId: string
}

export type WireAsset = { readonly symbol: string; readonly name: string; readonly scale: number }

export type WireMarket = {
  /** `tradingPairsId` on `/wss`. */
  readonly id: number
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly tick: Decimal
  readonly lot: Decimal
  readonly priceDigits: number
  readonly quantityDigits: number
  readonly notionalMin: Decimal
  readonly quantityMin: Decimal
  readonly quantityMax: Decimal
  readonly bandPpm: number
  readonly slippagePpm: number
  readonly openOrdersMax: number
  readonly makerFeePpm: number
  readonly takerFeePpm: number
  readonly isTrading: boolean
  readonly kind: 'spot' | 'perp'
  /** Set when `kind` is `perp`. */
  readonly perp?: WirePerpTerms
  /** Whether the market has a margin account, and Second. Only spot markets against USDT can. */
  readonly hasMargin: boolean
  readonly hasOption: boolean
}

export type WireFeeTier = { readonly volumeMin: Decimal; readonly makerPpm: number; readonly takerPpm: number }

/** Present source of index prices. Every screen must show `simulated` and `replay`. */
export type WireFeed = {
  readonly mode: 'live' | 'simulated' | 'replay'
  /** True while `auto` has fallen back from the live feed. */
  readonly isFallback: boolean
  readonly venues: readonly { readonly name: string; readonly isUp: boolean; readonly ageMs: number }[]
}

export type WireConfig = {
  readonly mode: 'sandbox' | 'production'
  readonly version: string
  readonly commit: string
  readonly serverTime: number
  readonly feed: WireFeed
  readonly assets: readonly WireAsset[]
  readonly markets: readonly WireMarket[]
  /** Fee tiers of Spot and of Futures, each by its own 30-day volume. */
  readonly feeTiers: readonly WireFeeTier[]
  readonly perpFeeTiers: readonly WireFeeTier[]
  /** Amount that one press of the faucet button gives, per asset; empty outside the sandbox. */
  readonly faucet: readonly { readonly asset: string; readonly amount: Decimal; readonly dailyMax: Decimal }[]
  /** Where customers write to: a mail address or a URL; absent where the operator has set none. */
  readonly support?: string
  /** Countries whose residents get no account, by their two letters. */
  readonly unservedCountries: readonly string[]
}

export type WireTicker = {
  readonly symbol: string
  readonly price: Decimal
  readonly open: Decimal
  readonly high: Decimal
  readonly low: Decimal
  readonly volume: Decimal
  readonly quoteVolume: Decimal
  /** Percent with sign, two digits: "-1.24". */
  readonly change: Decimal
  readonly bid: Decimal
  readonly ask: Decimal
  readonly index: Decimal
  readonly time: number
  /** 24 hourly closes, oldest first. */
  readonly sparkline?: readonly Decimal[]
}

export type WireVolume = { readonly asset: 'USDT'; readonly h24: Decimal; readonly d7: Decimal; readonly d30: Decimal }

/** [open time, open, high, low, close, volume, quote volume, trades, 1 for reference history] */
export type WireCandle = readonly [number, Decimal, Decimal, Decimal, Decimal, Decimal, Decimal, number, 0 | 1]
export type WireCandles = { readonly symbol: string; readonly interval: Interval; readonly candles: readonly WireCandle[] }

/** [price, quantity], best first. */
export type WireLevel = readonly [Decimal, Decimal]
export type WireDepth = {
  readonly symbol: string
  readonly update: number
  readonly bids: readonly WireLevel[]
  readonly asks: readonly WireLevel[]
}

export type WireTrade = {
  readonly id: string
  readonly price: Decimal
  readonly quantity: Decimal
  readonly quote: Decimal
  readonly time: number
  readonly takerSide: 'buy' | 'sell'
}

/** `/wss`, exactly as specified: see decision 21. */
export type WssQuote = {
  readonly tradingPairsId: number
  readonly symbol: string
  readonly price: Decimal
  readonly open: Decimal
  readonly high: Decimal
  readonly low: Decimal
  readonly volume: Decimal
  readonly change: Decimal
  readonly time: number
}
/** [time, open, high, low, close, volume] */
export type WssKlineRow = readonly [number, Decimal, Decimal, Decimal, Decimal, Decimal]
export type WssData = {
  readonly list?: readonly WssQuote[]
  readonly kline?: { readonly tradingPairsId: number; readonly period: Interval; readonly rows: readonly WssKlineRow[] }
}
/** `stale`: seconds since the exchange last sent anything; absent while all is in order. */
export type WssMessage = { readonly code: number; readonly data?: WssData; readonly message?: string; readonly stale?: number }
