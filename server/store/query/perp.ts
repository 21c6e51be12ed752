import type { MarginMode } from '@candor/core/protocol/command/perp.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { PositionEnd } from '@candor/core/protocol/event/perp.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireClosedPosition, WireFunding, WireFundingRate } from '@candor/core/protocol/wire/perp.ts'
import type pg from 'pg'
import { decodeCursor, endOfTime, pageLimit, toPage } from './page.ts'

export type PageFilter = {
  readonly market?: MarketId | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

export type TimedFilter = PageFilter & {
  /** Positions closed, or funding paid, at or after this time, in milliseconds. */
  readonly from?: number | undefined
  /** At or before this time. */
  readonly to?: number | undefined
}

type ClosedRow = {
  position: number
  market: string
  side: Side
  mode: MarginMode
  leverage: number
  opened_quantity: string
  opened_value: string
  opened_margin: string
  open_price: string
  settle_price: string
  realised: string
  fees: string
  funding: string
  profit: string
  cause: PositionEnd
  opened_at_ms: number
  closed_at_ms: number
}

/** Closed positions of a user, last closed first. Prices are averages, rounded to 8 digits. */
export async function closedPositions(pool: pg.Pool, user: UserId, filter: TimedFilter = {}): Promise<WirePage<WireClosedPosition>> {
  const limit = pageLimit(filter.limit)
  const cursor = decodeCursor(filter.before, 2)
  const { rows } = await pool.query<ClosedRow>(
    `select found.* from markets
     cross join lateral (
       select position, market, side, mode, leverage, opened_quantity, trim_scale(opened_value) as opened_value,
         trim_scale(ceil(opened_value * 1000000 / leverage) / 1000000) as opened_margin,
         trim_scale(round(opened_value / opened_quantity, 8)) as open_price,
         trim_scale(round(closed_value / closed_quantity, 8)) as settle_price,
         trim_scale(realised) as realised, trim_scale(fees) as fees, trim_scale(funding) as funding,
         trim_scale(realised - fees + funding) as profit, cause, opened_at_ms, closed_at_ms
       from closed_positions
       where user_id = $1 and market = symbol and closed_at_ms between $3 and $4 and (closed_at_ms, position) < ($5, $6)
       order by closed_at_ms desc, position desc limit $7
     ) found
     where definition ? 'perp' and ($2::bigint is null or markets.id = $2)
     order by closed_at_ms desc, position desc limit $7`,
    [
      user,
      filter.market ?? null,
      filter.from ?? 0,
      // The index is entered at this bound; the comparison with the cursor then only cuts within one millisecond.
      Math.min(filter.to ?? endOfTime, cursor[0] as number),
      ...cursor,
      limit + 1,
    ],
  )
  return toPage(rows, limit, toClosed, (row) => [row.closed_at_ms, row.position])
}

function toClosed(row: ClosedRow): WireClosedPosition {
  const profit = Number(row.profit)
  return {
    id: String(row.position),
    symbol: row.market,
    side: row.side,
    mode: row.mode,
    leverage: row.leverage,
    openPrice: row.open_price,
    openQuantity: row.opened_quantity,
    openAmount: row.opened_margin,
    totalOpenAmount: row.opened_value,
    settlePrice: row.settle_price,
    settleProfit: row.profit,
    realised: row.realised,
    fees: row.fees,
    funding: row.funding,
    result: profit > 0 ? 'win' : profit < 0 ? 'loss' : 'even',
    cause: row.cause,
    openedAt: row.opened_at_ms,
    completedAt: row.closed_at_ms,
    holdingMs: row.closed_at_ms - row.opened_at_ms,
  }
}

type PaymentRow = { seq: number; line: number; at_ms: number; market: string; quantity: string; rate: string; amount: string }

/** Funding that a user paid and received, newest first. */
export async function fundingPayments(pool: pg.Pool, user: UserId, filter: TimedFilter = {}): Promise<WirePage<WireFunding>> {
  const limit = pageLimit(filter.limit)
  const cursor = decodeCursor(filter.before, 3)
  const { rows } = await pool.query<PaymentRow>(
    `select found.* from markets
     cross join lateral (
       select seq, line, at_ms, market, quantity, rate, trim_scale(amount) as amount from funding_payments
       where user_id = $1 and market = symbol and at_ms between $7 and $8 and (at_ms, seq, line) < ($3::bigint, $4::bigint, $5::bigint)
       order by at_ms desc, seq desc, line desc limit $6
     ) found
     where definition ? 'perp' and ($2::bigint is null or markets.id = $2)
     order by at_ms desc, seq desc, line desc limit $6`,
    [user, filter.market ?? null, ...cursor, limit + 1, filter.from ?? 0, Math.min(filter.to ?? endOfTime, cursor[0] as number)],
  )
  return toPage(rows, limit, toFunding, (row) => [row.at_ms, row.seq, row.line])
}

function toFunding({ seq, line, at_ms, market, quantity, rate, amount }: PaymentRow): WireFunding {
  return { id: `${seq}-${line}`, symbol: market, rate, quantity, amount, time: at_ms }
}

/** Settled rates of one market or of all, newest first. */
export async function fundingRates(pool: pg.Pool, filter: PageFilter = {}): Promise<WirePage<WireFundingRate>> {
  const limit = pageLimit(filter.limit)
  const cursor = decodeCursor(filter.before, 2)
  const { rows } = await pool.query<{ number: number; market: string; at_ms: number; rate: string; mark: string }>(
    `select found.* from markets
     cross join lateral (
       select markets.id as number, market, at_ms, rate, mark from funding_rates
       where market = symbol and at_ms <= $2 and (at_ms, markets.id) < ($2::bigint, $3::bigint)
       order by at_ms desc limit $4
     ) found
     where definition ? 'perp' and ($1::bigint is null or markets.id = $1)
     order by at_ms desc, number desc limit $4`,
    [filter.market ?? null, ...cursor, limit + 1],
  )
  return toPage(
    rows,
    limit,
    ({ market, at_ms, rate, mark }) => ({ symbol: market, rate, mark, time: at_ms }),
    (row) => [row.at_ms, row.number],
  )
}
