/** Spot orders that belong to lever accounts. */
import * as fields from '../../book/order-fields.ts'
import { closeReasons } from '../../protocol/event/index.ts'
import type { State } from '../state.ts'
import type { Account } from './account.ts'
import { isOrderOf } from './value.ts'

const { F, FLAGS, I, ID, LISTED, MARKET } = fields
const LIQUIDATION = closeReasons.indexOf('liquidation')

/** Orders that one step of a liquidation cancels at most; the other leg of a list goes with the one that is cancelled. */
const cancelsMax = 50

/** Cancels the account's oldest orders, as many as one step may. Returns whether there were any. */
export function dropOrders(x: State, account: Account): boolean {
  const { orders } = x
  const numbers = x
    .ordersOf(account.user)
    .filter((slot) => isOrderOf(x, account, slot))
    .slice(0, cancelsMax)
    .map((slot) => orders.f[slot * F + ID]!)
  for (const number of numbers) {
    const slot = orders.find(number)
    if (slot < 0) continue
    const venue = x.venues[orders.f[slot * F + MARKET]!]!
    if ((orders.i[slot * I + FLAGS]! & LISTED) !== 0) x.desks.spot.drop(x, venue, orders.extra(slot).sibling, LIQUIDATION)
    x.desks.spot.drop(x, venue, slot, LIQUIDATION)
  }
  return numbers.length > 0
}
