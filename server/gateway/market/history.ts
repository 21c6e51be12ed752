import type { Lots, Millis, Ticks, Units } from '@candor/core/money/brand.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { MarketHistory } from '@candor/core/market-data/market-view.ts'
import type { TradeId } from '@candor/core/protocol/ids.ts'
import type { Candle } from '@candor/core/protocol/market.ts'
import type { WireCandle, WireTrade } from '@candor/core/protocol/wire/market.ts'
import type pg from 'pg'
import { candles, trades } from '../../store/query/market.ts'
import type { ListedMarket } from './listing.ts'

/** Enough for a rolling day by the minute, and for the running month by the hour. */
const kept = { '1s': 300, '1m': 3_600, '1h': 800 } as const
const pageOfCandles = 1_000
const tradesKept = 1_000

/** What the tables hold of a market. Read inside one snapshot of the database, so that candles and trades agree. */
export async function readHistory(db: pg.PoolClient, market: ListedMarket): Promise<MarketHistory> {
  const pool = db as unknown as pg.Pool
  const read = async (interval: keyof typeof kept): Promise<readonly Candle[]> => {
    let found: Candle[] = []
    let endTime: number | undefined
    while (found.length < kept[interval]) {
      const page = await candles(pool, market.market.symbol, interval, {
        limit: pageOfCandles,
        ...(endTime === undefined ? {} : { endTime }),
      })
      found = [...page.candles.map((row) => toCandle(market, row)), ...found]
      if (page.candles.length < pageOfCandles) break
      endTime = page.candles[0]![0] - 1
    }
    return found
  }
  return {
    candles: { '1s': await read('1s'), '1m': await read('1m'), '1h': await read('1h') },
    trades: (await trades(pool, market.market.symbol, tradesKept)).toReversed().map((row) => toTrade(market, row)),
  }
}

/** Charts may show what no order could say: a price between two ticks is shown at the tick below. */
function ticksOf(market: ListedMarket, text: string): Ticks {
  return parseTicks(text, market.market.tick) ?? (Math.max(1, Math.floor(Number(text) / Number(market.market.tick))) as Ticks)
}

function toCandle(market: ListedMarket, [openTime, open, high, low, close, volume, quote, count, reference]: WireCandle): Candle {
  return {
    openTime: openTime as Millis,
    open: ticksOf(market, open),
    high: ticksOf(market, high),
    low: ticksOf(market, low),
    close: ticksOf(market, close),
    lots: parseLots(volume, market.market.lot) ?? (0 as Lots),
    quote: parseUnits(quote, market.quote.scale) ?? (0 as Units),
    trades: count,
    isReference: reference === 1,
  }
}

function toTrade(market: ListedMarket, { id, price, quantity, quote, time, takerSide }: WireTrade) {
  return {
    trade: Number(id) as TradeId,
    price: ticksOf(market, price),
    lots: parseLots(quantity, market.market.lot) ?? (0 as Lots),
    quote: parseUnits(quote, market.quote.scale) ?? (0 as Units),
    takerSide,
    at: time as Millis,
  }
}
