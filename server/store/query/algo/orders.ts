import type { Decimal, Millis } from '@candor/core/money/brand.ts'
import type { ScaledShape } from '@candor/core/protocol/command/algo.ts'
import type { PositionSide } from '@candor/core/protocol/command/perp.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { AlgoEnd } from '@candor/core/protocol/event/algo.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireAlgo } from '@candor/core/protocol/wire/algo/algo.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type pg from 'pg'
import { decodeCursor, pageLimit, toPage } from '../page.ts'

type Row = {
  readonly id: number
  readonly client_id: string
  readonly market: string
  readonly kind: WireAlgo['kind']
  readonly side: Side
  readonly position: PositionSide | null
  readonly reduce_only: boolean
  readonly quantity: Decimal
  readonly parts: number
  readonly every_ms: number
  readonly from_price: Decimal | null
  readonly to_price: Decimal | null
  readonly shape: ScaledShape | null
  readonly executed: Decimal
  readonly executed_quote: Decimal
  readonly average: Decimal | null
  readonly placed_at_ms: Millis
  readonly parts_left: number
  readonly missed: number
  readonly last_refusal: Refusal | null
  readonly next_at_ms: Millis | null
  readonly end_reason: AlgoEnd | null
  readonly ended_at_ms: Millis | null
}

/** What the parts executed together. The average is rounded to eight digits for display; the sums are exact. */
const select = `select algo.*, trim_scale(done.executed) as executed, trim_scale(done.quote) as executed_quote,
    case when done.executed > 0 then trim_scale(round(done.quote / done.executed, 8)) end as average
  from algo_orders algo cross join lateral (
    select coalesce(sum(executed), 0) as executed, coalesce(sum(executed_quote), 0) as quote from orders where algo_id = algo.id
  ) done`

/** A user's running orders in parts, newest first. */
export async function runningAlgos(pool: pg.Pool, user: UserId): Promise<readonly WireAlgo[]> {
  const { rows } = await pool.query<Row>(`${select} where user_id = $1 and end_reason is null order by placed_at_ms desc, id desc`, [user])
  return rows.map(toAlgo)
}

/** A user's orders in parts that have ended, latest placed first. */
export async function algoHistory(
  pool: pg.Pool,
  user: UserId,
  { before, limit }: { readonly before?: string | undefined; readonly limit?: number | undefined },
): Promise<WirePage<WireAlgo>> {
  const [at, id] = decodeCursor(before, 2)
  const most = pageLimit(limit)
  const { rows } = await pool.query<Row>(
    `${select} where user_id = $1 and end_reason is not null and (placed_at_ms, id) < ($2, $3)
     order by placed_at_ms desc, id desc limit $4`,
    [user, at, id, most + 1],
  )
  return toPage(rows, most, toAlgo, (row) => [row.placed_at_ms, row.id])
}

/** One of a user's orders in parts; undefined for none of this number. */
export async function algoById(pool: pg.Pool, user: UserId, id: OrderId): Promise<WireAlgo | undefined> {
  const { rows } = await pool.query<Row>(`${select} where user_id = $1 and id = $2`, [user, id])
  return rows[0] === undefined ? undefined : toAlgo(rows[0])
}

function toAlgo(row: Row): WireAlgo {
  const isTwap = row.kind === 'twap'
  return {
    ...{ id: String(row.id), clientId: row.client_id, symbol: row.market, kind: row.kind, side: row.side },
    ...(row.position === null ? {} : { position: row.position }),
    ...{ reduceOnly: row.reduce_only, quantity: row.quantity, parts: row.parts },
    ...(isTwap ? { every: row.every_ms / 1000 } : {}),
    ...(row.from_price === null ? {} : isTwap ? { worst: row.from_price } : { from: row.from_price }),
    ...(row.to_price === null ? {} : { to: row.to_price }),
    ...(row.shape === null ? {} : { shape: row.shape }),
    ...{ executed: row.executed, executedQuote: row.executed_quote },
    ...(row.average === null ? {} : { average: row.average }),
    ...{ partsLeft: row.parts_left, missed: row.missed },
    ...(row.last_refusal === null ? {} : { lastRefusal: row.last_refusal }),
    ...(row.next_at_ms === null ? {} : { nextAt: row.next_at_ms }),
    placedAt: row.placed_at_ms,
    ...(row.ended_at_ms === null ? {} : { endedAt: row.ended_at_ms }),
    ...(row.end_reason === null ? {} : { end: row.end_reason }),
  }
}
