import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Decimal, IndexPrice, Lots, Millis, Ticks } from '@candor/core/money/brand.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { IndexQuote } from '@candor/core/protocol/event/option.ts'
import type pg from 'pg'
import type { Known, MarketView } from '../projection/known.ts'
import type { HeldPosition, KnownMark, PerpStanding } from '../projection/perp.ts'

const indexDigits = 8

/** State of Futures in the tables, from which the projector continues. */
export async function readPerpStanding(pool: pg.Pool, known: Known): Promise<PerpStanding> {
  const held = await pool.query<{ position: OrderId; user: UserId; market: string; quantity: string; cost: string }>(
    'select position, user_id as "user", market, quantity, cost from positions order by position',
  )
  const positions = held.rows.map(({ position, user, market, quantity, cost }): HeldPosition => {
    const view = named(known, market)
    const lots = parsed(parseLots(quantity.replace('-', ''), view.market.lot), quantity)
    const sum = parsed(parseUnits(cost, view.quote.scale), cost)
    return { position, user, market: view.market.id, lots: (quantity.startsWith('-') ? -lots : lots) as Lots, cost: sum }
  })
  const marked = await pool.query<MarkRow>(
    `select market, at_ms as at, mark, index_price as index, sources, open_time, open, high, low, index_open, index_high, index_low
     from perp_marks`,
  )
  const marks = new Map<MarketId, KnownMark>()
  const quotes = new Map<MarketId, readonly IndexQuote[]>()
  for (const row of marked.rows) {
    const { market } = named(known, row.market)
    const mark = parsed(parseTicks(row.mark, market.tick), row.mark)
    const index = parseIndex(row.index)
    marks.set(market.id, { mark, index, at: row.at, ...minuteOf(row, mark, index, market.tick) })
    if (market.perp !== undefined) quotes.set(market.perp.index, row.sources)
  }
  return { positions, marks, quotes }
}

type MarkRow = { market: string; at: Millis; mark: string; index: string; sources: readonly IndexQuote[] } & (
  | { open_time: Millis; open: string; high: string; low: string; index_open: string; index_high: string; index_low: string }
  | { open_time: null }
)

/** The minute that was current when the mark was written. */
function minuteOf(row: MarkRow, mark: Ticks, index: IndexPrice, tick: Decimal): Pick<KnownMark, 'minute'> {
  if (row.open_time === null) return {}
  const ticks = (text: string): Ticks => parsed(parseTicks(text, tick), text)
  const marks = { open: ticks(row.open), high: ticks(row.high), low: ticks(row.low), close: mark }
  const prices = { open: parseIndex(row.index_open), high: parseIndex(row.index_high), low: parseIndex(row.index_low), close: index }
  return { minute: { openTime: row.open_time, mark: marks, index: prices } }
}

function parseIndex(text: string): IndexPrice {
  return parsed(parseUnits(text, indexDigits), text) as number as IndexPrice
}

function named(known: Known, symbol: string): MarketView {
  const view = known.marketNamed(symbol)
  if (view === undefined) throw new Error(`The tables have a position in ${symbol}, which is not listed`)
  return view
}

function parsed<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new Error(`The tables have ${text}, which is not a whole number of units`)
  return value
}
