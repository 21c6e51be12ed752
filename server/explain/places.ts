import { receiptText, readReceiptText } from '@candor/core/proof/receipt.ts'
import type { MarketId, OrderId, QuoteNumber, Seq, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import type { ConversionPlace } from './conversion.ts'
import type { FillPlace } from './fill.ts'

type Queries = Pick<pg.Pool, 'query'>

/** Records of one order that are read to find where it took its last place. */
const recordsMax = 50
/** The customer's newest records before the fill among which they are looked for: a market maker has millions. */
const searchedMax = 200_000

/** One side of a trade, as a customer names it. */
export type FillName = { readonly symbol: string; readonly trade: TradeId; readonly role: 'maker' | 'taker' }

/** The customer's side of a trade; undefined when the tables have no such trade with this customer on that side. */
export async function fillPlace(queries: Queries, user: UserId, { symbol, trade, role }: FillName): Promise<FillPlace | undefined> {
  const { rows } = await queries.query<FillPlace['recorded'] & { market: MarketId; seq: Seq; order: OrderId; at: number }>(
    `select id as market, seq, ${role}_order as order, at_ms as at, trim_scale(price)::text as price, trim_scale(quantity)::text as quantity,
       trim_scale(trades.quote)::text as value, trim_scale(${role}_fee)::text as fee
     from trades join markets on symbol = market where market = $2 and trade_id = $3 and ${role}_user = $1`,
    [user, symbol, trade],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { market, seq, order, at, ...recorded } = row
  const restSeq = role === 'maker' ? await lastPlaced(queries, user, order, { seq, at }) : undefined
  return { user, market, trade, role, seq, order, restSeq, recorded }
}

/** Where a fill of the customer's side of a trade is in the journal, without the search for where its order took its place. */
export async function fillSeq(queries: Queries, user: UserId, { symbol, trade, role }: FillName): Promise<Seq | undefined> {
  const sql = `select seq from trades where market = $2 and trade_id = $3 and ${role}_user = $1`
  return (await queries.query<{ seq: Seq }>(sql, [user, symbol, trade])).rows[0]?.seq
}

/**
 * The last command up to `seq` in which the order was placed, triggered or changed so that it lost its place, by the customer's
 * newest receipts. Undefined when they don't have it.
 */
async function lastPlaced(
  queries: Queries,
  user: UserId,
  order: OrderId,
  { seq, at }: { readonly seq: Seq; readonly at: number },
): Promise<Seq | undefined> {
  const { rows } = await queries.query<{ seq: Seq; at: number; lines: string }>(
    `select seq, at, lines from (
       select seq, at_ms as at, lines from receipts where user_id = $1
       and at_ms between (select placed_at_ms from orders where id = $2) and $3 and seq <= $4
       order by at_ms desc, seq desc limit ${searchedMax}
     ) newest
     where lines ~ 'event order\\.(accepted|amended|triggered|entered) ' and position('"order":' || $2::bigint in lines) > 0
     order by at desc, seq desc limit ${recordsMax}`,
    [user, order, at, seq],
  )
  return rows.find(({ lines, ...place }) => isPlacing(receiptText({ ...place, user: anybody }, lines), order))?.seq
}

/** Receipts are stored without their owner's number, which nothing here needs. */
const anybody = '100000000'

const placings: ReadonlySet<string> = new Set(['order.accepted', 'order.triggered', 'order.entered', 'order.amended'])

function isPlacing(text: string, order: OrderId): boolean {
  const events = readReceiptText(text)?.events ?? []
  return events.some(({ name, facts }) => placings.has(name) && facts['order'] === order && facts['keepsPriority'] !== true)
}

/** One of the customer's conversions; undefined when the tables have none of this number, or it is not decided yet. */
export async function conversionPlace(queries: Queries, user: UserId, quote: QuoteNumber): Promise<ConversionPlace | undefined> {
  const { rows } = await queries.query<ConversionPlace['recorded'] & { state: string; at: number }>(
    'select give::text, get::text, state, ended_at_ms as at from conversions where id = $1 and user_id = $2 and ended_at_ms is not null',
    [quote, user],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { state, at, ...recorded } = row
  const decidedSeq = state === 'no-index' ? undefined : await decidedAt(queries, user, quote, at)
  return { user, quote, decidedSeq, recorded }
}

/** The command that decided a conversion, by the customer's receipts; undefined when they don't have it. */
async function decidedAt(queries: Queries, user: UserId, quote: QuoteNumber, at: number): Promise<Seq | undefined> {
  const { rows } = await queries.query<{ seq: Seq; lines: string }>(
    `select seq, lines from receipts where user_id = $1 and at_ms = $2 and lines ~ 'event convert\\.(filled|ended) ' order by seq`,
    [user, at],
  )
  const isDecision = (text: string): boolean =>
    (readReceiptText(text)?.events ?? []).some(({ name, facts }) => /^convert\.(filled|ended)$/.test(name) && facts['quote'] === quote)
  return rows.find(({ seq, lines }) => isDecision(receiptText({ seq, at, user: anybody }, lines)))?.seq
}
