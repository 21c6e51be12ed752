import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireCandle, WireCandles } from '@candor/core/protocol/wire/market.ts'
import { candles as storedCandles } from '../store/query/market/market.ts'
import type { Context } from './context.ts'
import type { ListedMarket } from './listing.ts'
import { wireCandle } from './texts.ts'

/** How many of the newest candles are complete in memory: those replace the ones from the tables. */
const wholeInMemory: { readonly [I in Interval]: number } = {
  '1s': 200,
  '1m': 200,
  '5m': 100,
  '15m': 50,
  '30m': 50,
  '1h': 100,
  '4h': 50,
  '1d': 20,
  '1w': 2,
  '1M': 1,
}

/** Candles that opened at or before `endTime`, newest last: the newest from memory, the others from the tables. */
export async function candlesOf(
  context: Pick<Context, 'pool' | 'data'>,
  market: ListedMarket,
  interval: Interval,
  options: { readonly endTime?: number; readonly limit: number },
): Promise<WireCandles> {
  const { symbol } = market.market
  const stored = await storedCandles(context.pool, symbol, interval, options)
  const fresh = context.data.market(market.market.id)?.candles.newest(interval, wholeInMemory[interval]) ?? []
  const rows = new Map<number, WireCandle>(stored.candles.map((candle) => [candle[0], candle]))
  for (const candle of fresh) {
    if (options.endTime !== undefined && candle.openTime > options.endTime) continue
    rows.set(candle.openTime, wireCandle(market, candle))
  }
  const sorted = [...rows.values()].sort((a, b) => a[0] - b[0])
  return { symbol, interval, candles: sorted.slice(-options.limit) }
}
