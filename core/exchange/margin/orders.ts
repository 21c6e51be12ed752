/** Spot orders that belong to lever accounts. */
import * as fields from '../../book/order-fields.ts'
import { closeReasons } from '../../protocol/event/index.ts'
import type { State } from '../state.ts'
import type { Account } from './account.ts'
import { isOrderOf } from './value.ts'

const { F, MARKET } = fields
const LIQUIDATION = closeReasons.indexOf('liquidation')

/** Orders that one step of a liquidation cancels at most. */
const cancelsMax = 50

/** Cancels the account's oldest orders, as many as one step may. Returns whether there were any. */
export function dropOrders(x: State, account: Account): boolean {
  const { f } = x.orders
  const slots = x
    .ordersOf(account.user)
    .filter((slot) => isOrderOf(x, account, slot))
    .slice(0, cancelsMax)
  for (const slot of slots) x.desks.spot.drop(x, x.venues[f[slot * F + MARKET]!]!, slot, LIQUIDATION)
  return slots.length > 0
}
