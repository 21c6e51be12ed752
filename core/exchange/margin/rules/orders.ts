/** Spot orders that belong to margin accounts. */
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { CloseNumber, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import * as fields from '../../../book/order-fields.ts'
import type { Lots } from '../../../money/brand.ts'
import { BORROW_MASK, BORROW_SHIFT, CROSS_MARGIN, SELL } from '../../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import { borrowModes } from '../../../protocol/command/margin.ts'
import { closeReasons } from '../../../protocol/event/index.ts'
import { ANY_MARGIN } from '../../state/desks.ts'
import { withoutSlot, withSlot } from '../../records/slots.ts'
import type { State } from '../../state/state.ts'
import type { Venue } from '../../records/venue.ts'
import type { Account } from '../records/account.ts'

const { EXTRA, F, FLAGS, I, ID, LEFT, LISTED, MARKET, OWNER } = fields
const BORROW = borrowModes.indexOf('borrow')
const REPAY = borrowModes.indexOf('repay')
const BOTH = borrowModes.indexOf('both')
const LIQUIDATION = closeReasons.indexOf('liquidation') as CloseNumber

/** Largest number of orders that one liquidation step cancels. The other leg of a list is cancelled in addition. */
const cancelsMax = 50

/** Notes an order in its margin account. Call it when the order has its slot and flags. */
export function noteOrder(x: State, slot: OrderSlot): void {
  const account = accountOf(x, slot)
  account.orders = withSlot(account.orders, slot)
}

/** Removes an order from its margin account. Call it before the order leaves the core. */
export function forgetOrder(x: State, slot: OrderSlot): void {
  const account = accountOf(x, slot)
  account.orders = withoutSlot(account.orders, slot)
}

/** Notes all orders of margin accounts after a restore. */
export function noteOrders(x: State): void {
  for (const slot of x.orders.slots()) {
    const isSpot = x.venues[x.orders.f[slot * F + MARKET]!]!.isSpot
    if (isSpot && (x.orders.i[slot * I + FLAGS]! & ANY_MARGIN) !== 0) noteOrder(x, slot as OrderSlot)
  }
}

function accountOf(x: State, slot: OrderSlot): Account {
  const { f, i } = x.orders
  return x.margin.account(
    i[slot * I + OWNER] as UserId,
    ((i[slot * I + FLAGS]! & CROSS_MARGIN) !== 0 ? 0 : f[slot * F + MARKET]!) as MarketId,
  )
}

/**
 * Whether an order of a margin account only reduces its debt or sells what it owns: it borrows nothing, and a buy repays a debt
 * in the base asset that is worth all the account's buys of it, to the lot. `slot`: see `MarginDesk.reduces`.
 */
export function reduces(x: State, venue: Venue, user: UserId, flags: OrderFlags, lots: Lots, slot: OrderSlot): boolean {
  const mode = (flags & BORROW_MASK) >>> BORROW_SHIFT
  if (mode === BORROW || mode === BOTH) return false
  if ((flags & SELL) !== 0) return true
  const account = x.margin.find(user, ((flags & CROSS_MARGIN) !== 0 ? 0 : venue.id) as MarketId)
  const debt = account?.debt(venue.base)
  if (account === undefined || debt === undefined || mode !== REPAY || lots <= 0) return false
  const { extras, f, i } = x.orders
  let bought = lots * venue.basePerLot
  for (const one of account.orders) {
    const sibling = (i[one * I + FLAGS]! & LISTED) === 0 ? -1 : extras.get(i[one * I + EXTRA]!)!.sibling
    const market = x.venues[f[one * F + MARKET]!]!
    // The legs of a list buy once.
    const isCounted = one === slot || (sibling >= 0 && (sibling === slot || sibling < one))
    if (isCounted || market.base !== venue.base || (i[one * I + FLAGS]! & SELL) !== 0) continue
    if (f[one * F + LEFT] === 0) return false
    bought += f[one * F + LEFT]! * market.basePerLot
  }
  return bought < debt.principal + debt.interest + venue.basePerLot
}

/** Cancels the account's oldest orders, up to the limit of one step. Returns whether there were any. */
export function dropOrders(x: State, account: Account): boolean {
  const { orders } = x
  const numbers = [...account.orders]
    .map((slot) => orders.f[slot * F + ID]!)
    .sort((a, b) => a - b)
    .slice(0, cancelsMax)
  for (const number of numbers) {
    const slot = orders.find(number as OrderId) as OrderSlot
    if (slot < 0) continue
    const venue = x.venues[orders.f[slot * F + MARKET]!]!
    if ((orders.i[slot * I + FLAGS]! & LISTED) !== 0) x.desks.spot.drop(x, venue, orders.extra(slot).sibling, LIQUIDATION)
    x.desks.spot.drop(x, venue, slot, LIQUIDATION)
  }
  return numbers.length > 0
}
