import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { isOf, type OrderAccount } from './orders.ts'
import { type FillRange, type FillRow, fillsBetween } from '../fills-between.ts'

/** A user's side of a trade in a spot market. */
export type ApiFillRow = FillRow & { readonly list_id: OrderId | null }

/** A user's fills of one account in one market, oldest first; both sides of a trade in which the user is both maker and taker. */
export async function fillsIn(
  pool: pg.Pool,
  user: UserId,
  symbol: string,
  account: OrderAccount,
  range: FillRange,
): Promise<readonly ApiFillRow[]> {
  return fillsBetween<ApiFillRow>(pool, user, symbol, range, {
    columns: () => 'own.list_id',
    join: (role) => `join orders own on own.id = ${role}_order`,
    where: isOf('$8', 'own'),
    value: account,
  })
}
