import type { SideNumber } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { MarketId, MatchNumber, OrderId, UserId } from '../../../protocol/ids.ts'
import type { Lots, Ticks } from '../../../money/brand.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as amending from '../../../protocol/codec/amend/trigger.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { isPrice } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import { checkBankruptcy, checkPosition, checkResting, isInBand } from '../rules/checks.ts'
import { count, holdingOf, shrink } from '../positions/close.ts'
import { checkExits } from '../positions/exits.ts'
import { findPerpOrder } from './find.ts'
import { fitOrders } from '../positions/fill.ts'
import { flush } from '../positions/flush.ts'
import { checkPhase } from '../market/gate.ts'
import { amendSleeping } from './amend-sleeping.ts'
import { closable } from '../rules/money.ts'
import { actAsLimit } from '../positions/orders.ts'
import { matchedPrice } from '../positions/terms.ts'
import { checkSize } from './place.ts'
import type { Contract, Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAmended, writeLevel } = writers
const { AMEND_FLAGS, AMEND_HAS_LOTS, AMEND_HAS_MATCH, AMEND_HAS_PRICE, AMEND_LOTS, AMEND_MATCH, AMEND_PRICE } = layout
const { AMEND_HAS_TRIGGER } = amending
const { POST_ONLY, REDUCE_ONLY, REF_MARKET, SELL, USER } = layout
const { EXECUTED_LOTS, F, FLAGS, I, ID, LEFT, PENDING, PRICE, VISIBLE, WAKING } = fields

/**
 * `perp.amend`: as in spot, a smaller quantity at the same price keeps its place in the queue; any other change sends the order
 * to the end of its level. An order that sleeps is amended with its trigger price.
 */
export function amendPerp(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { f, i } = x.orders
  const contract = x.perp.contract(data[start + REF_MARKET] as MarketId)
  const user = data[start + USER] as UserId
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (contract === undefined) return 'MARKET_UNKNOWN'
  const given = data[start + AMEND_FLAGS]! | 0
  const slot = findPerpOrder(x, data, start)
  if ((given & AMEND_HAS_TRIGGER) !== 0) return amendSleeping(x, contract, slot, user, data, start)
  const takesPrice = (given & AMEND_HAS_MATCH) !== 0 && slot >= 0
  const newPrice = takesPrice
    ? matchedPrice(contract, (i[slot * I + FLAGS]! & SELL) as SideNumber, data[start + AMEND_MATCH] as MatchNumber)
    : (given & AMEND_HAS_PRICE) === 0
      ? undefined
      : (data[start + AMEND_PRICE] as Ticks)
  const newLots = (given & AMEND_HAS_LOTS) === 0 ? undefined : (data[start + AMEND_LOTS] as Lots)
  const isSmaller = slot >= 0 && isShrink(x, slot, newPrice, newLots)
  const flags = (slot < 0 ? 0 : i[slot * I + FLAGS]) as OrderFlags
  if (slot >= 0 && x.isResting(user) && !isSmaller && (flags & REDUCE_ONLY) === 0) return 'RESTING'
  const shut = slot < 0 || isSmaller ? undefined : checkNow(contract, flags, newPrice ?? (f[slot * F + PRICE] as Ticks))
  if (shut === 'MARKET_HALTED') return shut
  if (newPrice !== undefined && !isPrice(newPrice)) return takesPrice ? 'PRICE_LEVEL_MISSING' : 'PRICE_INVALID'
  if (newLots !== undefined && newLots <= 0) return 'QUANTITY_INVALID'
  if (slot < 0) return 'ORDER_UNKNOWN'
  const at = slot * F
  if ((flags & (PENDING | WAKING)) !== 0) return 'ORDER_NOT_AMENDABLE'
  const wasPrice = f[at + PRICE] as Ticks
  const wasLeft = f[at + LEFT]!
  const price = newPrice ?? wasPrice
  const total = newLots ?? ((wasLeft + f[at + EXECUTED_LOTS]!) as Lots)
  const left = (total - f[at + EXECUTED_LOTS]!) as Lots
  const side = (flags & SELL) as SideNumber
  const holding = holdingOf(x, contract, slot)
  const wrong =
    (left <= 0 ? 'QUANTITY_INVALID' : checkSize(contract, holding, flags, price, total)) ??
    (price !== wasPrice ? checkExits(contract, flags, price, x.perp.exits.get(f[at + ID]!)) : undefined) ??
    (price !== wasPrice && !isInBand(contract, price) ? 'PRICE_OUTSIDE_BAND' : undefined) ??
    ((flags & POST_ONLY) !== 0 && contract.venue.book.crosses(side, price) ? 'POST_ONLY_WOULD_TAKE' : undefined) ??
    (price === wasPrice && left === wasLeft ? 'AMEND_UNCHANGED' : undefined) ??
    (isSmaller ? undefined : checkCertified(x, user, flags)) ??
    shut ??
    checkPosition(holding, holding.account.isHedge) ??
    checkRoom(x, holding, slot, price, left) ??
    checkBankruptcy(x, holding, side, price)
  if (wrong !== undefined) return wrong

  const order = f[at + ID] as OrderId
  x.order = order
  if (isSmaller) shrink(x, contract, slot, left)
  else {
    writeAmended(x.events, order, user, contract.id, price, total, 0)
    const shown = contract.venue.book.remove(slot, side)
    writeLevel(x.events, contract.id, ++contract.venue.lastUpdate, side, wasPrice, shown)
    count(holding, flags, wasPrice, -wasLeft as Lots)
    f[at + PRICE] = price
    f[at + LEFT] = left
    f[at + VISIBLE] = 0
    fitOrders(x, holding)
    actAsLimit(x, holding, slot, order)
  }
  flush(x)
  return undefined
}

/** Whether an amend only makes an order smaller, so that it keeps its place. */
function isShrink({ orders: { f } }: State, slot: OrderSlot, price: Ticks | undefined, lots: Lots | undefined): boolean {
  if (lots === undefined || (price !== undefined && price !== f[slot * F + PRICE])) return false
  return lots < f[slot * F + LEFT]! + f[slot * F + EXECUTED_LOTS]!
}

/** A user who lost verification may only reduce the quantity of an order that opens. */
function checkCertified(x: State, user: UserId, flags: OrderFlags): Refusal | undefined {
  return (flags & REDUCE_ONLY) !== 0 || x.isCertified(user) ? undefined : 'NOT_CERTIFIED'
}

/** Whether the contract lets an order trade or rest at another price now. */
function checkNow(contract: Contract, flags: OrderFlags, price: Ticks): Refusal | undefined {
  return checkPhase(contract, (flags & REDUCE_ONLY) !== 0, contract.venue.book.crosses((flags & SELL) as SideNumber, price))
}

/** Whether the amended order can be paid for, or fits into the position that it may only reduce. */
function checkRoom(x: State, holding: Holding, slot: OrderSlot, price: Ticks, left: Lots): Refusal | undefined {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS] as OrderFlags
  const side = (flags & SELL) as 0 | 1
  const was = f[slot * F + LEFT] as Lots
  if ((flags & REDUCE_ONLY) !== 0) {
    const others = holding.openLots[side] + holding.reduceLots[side] - was
    return left > closable(holding, side) - others ? 'REDUCE_ONLY_REJECTED' : undefined
  }
  // Counts without the order itself.
  count(holding, flags, f[slot * F + PRICE] as Ticks, -was as Lots)
  f[slot * F + VISIBLE] = 0
  const isSmaller = left * price <= was * f[slot * F + PRICE]!
  const wrong = checkResting(x, holding, side, price, left, isSmaller ? (0 as Lots) : left)
  f[slot * F + VISIBLE] = was
  count(holding, flags, f[slot * F + PRICE] as Ticks, was)
  return wrong
}
