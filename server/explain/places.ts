import { receiptText, readReceiptText } from '@candor/core/proof/receipt.ts'
import type { MarketId, OrderId, Seq, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import type { FillPlace } from './fill.ts'

type Queries = Pick<pg.Pool, 'query'>

/** Records of one order that are read to find where it took its last place. */
const recordsMax = 50

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

/**
 * The last command up to `seq` in which the order was placed, triggered or changed so that it lost its place, by the customer's
 * receipts. Undefined when they don't have it.
 */
async function lastPlaced(
  queries: Queries,
  user: UserId,
  order: OrderId,
  { seq, at }: { readonly seq: Seq; readonly at: number },
): Promise<Seq | undefined> {
  const { rows } = await queries.query<{ seq: Seq; at: number; lines: string }>(
    `select seq, at_ms as at, lines from receipts where user_id = $1
     and at_ms between (select placed_at_ms from orders where id = $2) and $3 and seq <= $4
     and lines ~ 'event order\\.(accepted|amended|triggered|entered) ' and position('"order":' || $2::bigint in lines) > 0
     order by at_ms desc, seq desc limit ${recordsMax}`,
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
