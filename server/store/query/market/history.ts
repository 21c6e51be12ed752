import type { CandleHistory } from '@candor/core/market-data/candle-set.ts'
import type { MarketHistory } from '@candor/core/market-data/market-view.ts'
import type { PublicTrade } from '@candor/core/market-data/trades.ts'
import type { Lots, Millis, Ticks, Units } from '@candor/core/money/brand.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { MarketId, TradeId } from '@candor/core/protocol/ids.ts'
import type { Asset, Candle, Market } from '@candor/core/protocol/market.ts'
import type pg from 'pg'
import { inTransaction } from '../../transaction.ts'

/** State from which the reducers of the public view start; the events after `seq` come from the journal. */
export type PublicHistory = {
  readonly seq: number
  readonly at: Millis
  readonly markets: ReadonlyMap<MarketId, MarketHistory>
  /** Site volume of the last 720 hours, oldest first, in USDT units; hours without any are left out. */
  readonly volume: readonly { readonly at: Millis; readonly units: bigint }[]
}

export type HistoryDepth = {
  readonly '1s'?: number
  readonly '1m'?: number
  readonly '1h'?: number
  readonly trades?: number
}

const hourMs = 3_600_000

/** A day of minutes for the ticker; a month of hours, so that the current week and month are whole. */
const depthDefault = { '1s': 600, '1m': 1500, '1h': 800, trades: 500 } as const

/** The whole history at one moment, that of the watermark. */
export async function publicHistory(pool: pg.Pool, depth: HistoryDepth = {}): Promise<PublicHistory> {
  const read = async (client: pg.ClientBase): Promise<PublicHistory> => {
    const { rows } = await client.query<{ seq: number; at: Millis }>('select seq, at_ms as at from projection')
    const { seq, at } = rows[0] as { seq: number; at: Millis }
    const markets = new Map<MarketId, MarketHistory>()
    for (const listed of await readListed(client)) {
      markets.set(listed.market.id, await readMarket(client, listed, { ...depthDefault, ...depth }))
    }
    return { seq, at, markets, volume: await readVolume(client, at) }
  }
  return inTransaction(pool, read, 'isolation level repeatable read read only')
}

type Listed = { readonly market: Market; readonly quote: Asset }

async function readListed(client: pg.ClientBase): Promise<readonly Listed[]> {
  const { rows } = await client.query<Listed>(
    `select definition as market, jsonb_build_object('id', assets.id, 'symbol', assets.symbol, 'scale', assets.scale) as quote
     from markets join assets on assets.symbol = quote order by markets.id`,
  )
  return rows
}

async function readMarket(client: pg.ClientBase, listed: Listed, depth: Required<HistoryDepth>): Promise<MarketHistory> {
  const candles: CandleHistory = {
    '1s': await readCandles(client, listed, '1s', depth['1s']),
    '1m': await readCandles(client, listed, '1m', depth['1m']),
    '1h': await readCandles(client, listed, '1h', depth['1h']),
  }
  return { candles, trades: await readTrades(client, listed, depth.trades) }
}

type CandleRow = {
  open_time: Millis
  open: string
  high: string
  low: string
  close: string
  volume: string
  quote_volume: string
  taker_volume: string
  taker_quote_volume: string
  trades: number
  is_reference: boolean
}

async function readCandles(client: pg.ClientBase, listed: Listed, interval: '1s' | '1m' | '1h', limit: number): Promise<readonly Candle[]> {
  const { rows } = await client.query<CandleRow>(
    `select open_time, open, high, low, close, volume, quote_volume, taker_volume, taker_quote_volume, trades, is_reference
     from candles_${interval} where market = $1 order by open_time desc limit $2`,
    [listed.market.symbol, limit],
  )
  return rows.toReversed().map((row) => ({
    openTime: row.open_time,
    open: ticks(row.open, listed),
    high: ticks(row.high, listed),
    low: ticks(row.low, listed),
    close: ticks(row.close, listed),
    lots: lotsSum(row.volume, listed),
    quote: quoteSum(row.quote_volume, listed),
    takerLots: lotsSum(row.taker_volume, listed),
    takerQuote: quoteSum(row.taker_quote_volume, listed),
    trades: row.trades,
    isReference: row.is_reference,
  }))
}

type TradeRow = { trade: TradeId; price: string; quantity: string; quote: string; takerSide: 'buy' | 'sell'; at: Millis }

async function readTrades(client: pg.ClientBase, listed: Listed, limit: number): Promise<readonly PublicTrade[]> {
  const { rows } = await client.query<TradeRow>(
    `select trade_id as trade, price, quantity, quote, taker_side as "takerSide", at_ms as at
     from trades where market = $1 order by trade_id desc limit $2`,
    [listed.market.symbol, limit],
  )
  return rows.toReversed().map(({ trade, price, quantity, quote, takerSide, at }) => ({
    trade,
    price: ticks(price, listed),
    lots: lots(quantity, listed),
    quote: quoteUnits(quote, listed),
    takerSide,
    at,
  }))
}

async function readVolume(client: pg.ClientBase, at: number): Promise<PublicHistory['volume']> {
  const { rows } = await client.query<{ at: Millis; units: string }>(
    `select hour as at, trunc(usdt * power(10::numeric, (select scale from assets where symbol = 'USDT')))::text as units
     from volume_hours where hour > $1 order by hour`,
    [at - 720 * hourMs],
  )
  return rows.map((row) => ({ at: row.at, units: BigInt(row.units) }))
}

/** A sum too large for a candle's counters is capped. */
function lotsSum(text: string, { market }: Listed): Lots {
  return parseLots(text, market.lot) ?? (Number.MAX_SAFE_INTEGER as Lots)
}

function quoteSum(text: string, { quote }: Listed): Units {
  return parseUnits(text, quote.scale) ?? (Number.MAX_SAFE_INTEGER as Units)
}

function ticks(text: string, { market }: Listed): Ticks {
  return known(parseTicks(text, market.tick), text)
}

function lots(text: string, { market }: Listed): Lots {
  return known(parseLots(text, market.lot), text)
}

function quoteUnits(text: string, { quote }: Listed): Units {
  return known(parseUnits(text, quote.scale), text)
}

function known<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new Error(`The tables have ${text}, which is not a whole number of units`)
  return value
}
