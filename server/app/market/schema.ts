import type { WireCandles, WireConfig, WireDepth, WireTicker, WireTrade, WireVolume } from '@candor/core/protocol/wire/market.ts'
import { z } from 'zod'
import { asset, decimalOut, interval, millis, side, symbol } from '../../http/schema.ts'

const ppm = z.int()

const perpTerms = z.strictObject({
  indexSymbol: symbol,
  leverageMax: z.int(),
  tiers: z.array(z.strictObject({ valueMax: decimalOut, initialPpm: ppm, maintenancePpm: ppm })).readonly(),
  fundingHours: z.int(),
  liquidationFeePpm: ppm,
  liquidationStepPpm: ppm,
  markClampPpm: ppm,
  openInterestMax: decimalOut,
  userInterestPpm: ppm,
})

const market = z.strictObject({
  id: z.int().positive(),
  symbol,
  base: asset,
  quote: asset,
  tick: decimalOut,
  lot: decimalOut,
  priceDigits: z.int(),
  quantityDigits: z.int(),
  notionalMin: decimalOut,
  quantityMin: decimalOut,
  quantityMax: decimalOut,
  bandPpm: ppm,
  slippagePpm: ppm,
  openOrdersMax: z.int(),
  makerFeePpm: ppm,
  takerFeePpm: ppm,
  isTrading: z.boolean(),
  kind: z.enum(['spot', 'perp']),
  perp: perpTerms.exactOptional(),
  hasMargin: z.boolean(),
  hasOption: z.boolean(),
})

const feeTiers = z.array(z.strictObject({ volumeMin: decimalOut, makerPpm: ppm, takerPpm: ppm })).readonly()

export const config = z
  .strictObject({
    mode: z.enum(['sandbox', 'production']),
    version: z.string(),
    commit: z.string(),
    serverTime: millis,
    feed: z.strictObject({
      mode: z.enum(['live', 'simulated', 'replay']),
      isFallback: z.boolean(),
      venues: z.array(z.strictObject({ name: z.string(), isUp: z.boolean(), ageMs: z.number() })).readonly(),
    }),
    assets: z.array(z.strictObject({ symbol: asset, name: z.string(), scale: z.int() })).readonly(),
    markets: z.array(market).readonly(),
    feeTiers,
    perpFeeTiers: feeTiers,
    faucet: z.array(z.strictObject({ asset, amount: decimalOut, dailyMax: decimalOut })).readonly(),
    support: z.string().exactOptional(),
    unservedCountries: z.array(z.string()).readonly(),
  })
  .meta({ id: 'Config' }) satisfies z.ZodType<WireConfig>

export const ticker = z
  .strictObject({
    symbol,
    price: decimalOut,
    open: decimalOut,
    high: decimalOut,
    low: decimalOut,
    volume: decimalOut,
    quoteVolume: decimalOut,
    change: decimalOut,
    bid: decimalOut,
    ask: decimalOut,
    index: decimalOut,
    time: millis,
    sparkline: z.array(decimalOut).readonly().exactOptional(),
  })
  .meta({ id: 'Ticker' }) satisfies z.ZodType<WireTicker>

export const volume = z
  .strictObject({ asset: z.literal('USDT'), h24: decimalOut, d7: decimalOut, d30: decimalOut })
  .meta({ id: 'Volume' }) satisfies z.ZodType<WireVolume>

const candle = z.tuple([
  millis,
  decimalOut,
  decimalOut,
  decimalOut,
  decimalOut,
  decimalOut,
  decimalOut,
  z.int(),
  z.union([z.literal(0), z.literal(1)]),
])
export const candles = z.strictObject({ symbol, interval, candles: z.array(candle.readonly()).readonly() }).meta({
  id: 'Candles',
  description: '[open time, open, high, low, close, volume, quote volume, trades, 1 for a reference candle]',
}) satisfies z.ZodType<WireCandles>

const level = z.tuple([decimalOut, decimalOut]).readonly()
export const depth = z
  .strictObject({ symbol, update: z.int(), bids: z.array(level).readonly(), asks: z.array(level).readonly() })
  .meta({ id: 'Depth', description: '[price, quantity], best first' }) satisfies z.ZodType<WireDepth>

export const trade = z
  .strictObject({ id: z.string(), price: decimalOut, quantity: decimalOut, quote: decimalOut, time: millis, takerSide: side })
  .meta({ id: 'Trade' }) satisfies z.ZodType<WireTrade>
