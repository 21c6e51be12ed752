import type { Decimal } from '@candor/core/money/brand.ts'
import type { SelfTradeMode } from '@candor/core/protocol/command/spot.ts'
import type { OrderId, PreventedMatchId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import type { OrderAccount } from './orders.ts'

/** A match that self-trade prevention kept from happening. A quantity is null for an order that lost nothing. */
export type PreventedRow = {
  readonly id: PreventedMatchId
  readonly at_ms: number
  readonly mode: SelfTradeMode
  readonly price: Decimal
  readonly maker_order: OrderId
  readonly maker_quantity: Decimal | null
  readonly taker_order: OrderId
  readonly taker_quantity: Decimal | null
}

const columns = 'match_id as id, at_ms, mode, price, maker_order, maker_quantity, taker_order, taker_quantity'

/** The match with this number in one market, if an order of this account of the user was in it. */
export async function preventedMatch(
  pool: pg.Pool,
  user: UserId,
  symbol: string,
  account: OrderAccount,
  match: PreventedMatchId,
): Promise<readonly PreventedRow[]> {
  const { rows } = await pool.query<PreventedRow>(
    `select ${columns} from prevented_matches
     where market = $2 and match_id = $4 and user_id = $1 and $3 in (maker_account, taker_account)`,
    [user, symbol, account, match],
  )
  return rows
}

/** The oldest matches of an order, from a number on; none for an order of another user or account. */
export async function preventedOf(
  pool: pg.Pool,
  user: UserId,
  symbol: string,
  account: OrderAccount,
  { order, from, limit }: { readonly order: OrderId; readonly from: PreventedMatchId | 0; readonly limit: number },
): Promise<readonly PreventedRow[]> {
  const side = (role: 'maker' | 'taker'): string =>
    `(select ${columns} from prevented_matches
      where user_id = $1 and market = $2 and ${role}_order = $4 and match_id >= $5 and ${role}_account = $3
      order by match_id limit $6)`
  const { rows } = await pool.query<PreventedRow>(
    `select * from (${side('maker')} union all ${side('taker')}) found order by id limit $6`,
    [user, symbol, account, order, from, limit],
  )
  return rows
}
