import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { SideNumber } from '../../book/codes.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import * as fields from '../../book/order-fields.ts'
import * as desks from '../state/desks.ts'
import * as amending from '../../protocol/codec/amend/trigger.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import * as rules from '../../risk/spot.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import * as checks from './checks.ts'
import * as close from './close.ts'
import * as funds from './funds.ts'
import * as finding from './find.ts'
import * as acting from './act.ts'
import { amendSleeping } from './amend-sleeping.ts'
import * as turnover from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAmended, writeLevel } = writers
const {
  AMEND_FLAGS,
  AMEND_HAS_LOTS,
  AMEND_HAS_PRICE,
  AMEND_KEEPS,
  AMEND_LOTS,
  AMEND_PRICE,
  MARKET_ORDER,
  POST_ONLY,
  REF_MARKET,
  SELL,
  USER,
} = layout
const { AMEND_HAS_TRIGGER } = amending
const { ANY_MARGIN } = desks
const { hasTooManyParts, opensRisk } = checks
const { bookHold } = close
const { fundOrder, payingRow } = funds
const { findOrder } = finding
const { checkLots, isPrice } = rules
const { actAsLimit } = acting
const { isTooMuchNow } = turnover
const { C, EXECUTED_LOTS, F, FLAGS, I, ICEBERG, ID, LEFT, LISTED, OWNER, PENDING, PREVENTED, PRICE, SLOT, UPDATED_AT } = fields

/**
 * `spot.amend`: a smaller quantity at the same price keeps its place in the queue. Any other change sends the order to the end of
 * its level, and it may take first. The order keeps its number and its executed part. An order of a margin account that was
 * placed to borrow borrows the additional amount. An order that sleeps is amended with its trigger price.
 */
export function amendOrder(x: State, data: Float64Array, start: number): Refusal | undefined {
  const { orders } = x
  const venue = x.spotVenue(data[start + REF_MARKET] as MarketId)
  const user = (data[start + USER]! | 0) as UserId
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const { terms } = venue.market
  const given = data[start + AMEND_FLAGS]! | 0
  if ((given & AMEND_HAS_TRIGGER) !== 0) return amendSleeping(x, data, start)
  const slot = findOrder(x, data, start)
  const { f, i } = orders
  const ft = (slot & SLOT) * F
  const price = (given & AMEND_HAS_PRICE) !== 0 || slot < 0 ? (data[start + AMEND_PRICE] as Ticks) : (f[ft + PRICE] as Ticks)
  const gone = slot < 0 ? 0 : f[ft + EXECUTED_LOTS]! + preventedOf(x, slot)
  const total = ((given & AMEND_HAS_LOTS) !== 0 || slot < 0 ? data[start + AMEND_LOTS]! : f[ft + LEFT]! + gone) as Lots
  if (slot >= 0 && x.isResting(user) && growsRisk(x, venue, slot, price, total)) return 'RESTING'
  if (x.atMs < venue.opensAtMs) return 'MARKET_HALTED'
  if ((given & AMEND_HAS_PRICE) !== 0 && !isPrice(price)) return 'PRICE_INVALID'
  if ((given & AMEND_HAS_LOTS) !== 0 && total <= 0) return 'QUANTITY_INVALID'
  if (slot < 0) return 'ORDER_UNKNOWN'
  const flags = i[(slot & SLOT) * I + FLAGS] as OrderFlags
  if ((flags & (PENDING | LISTED | MARKET_ORDER)) !== 0) return 'ORDER_NOT_AMENDABLE'
  const left = (total - gone) as Lots
  const wrong = left <= 0 ? 'QUANTITY_INVALID' : checkLots(terms, venue.quotePerTickLot, price, total)
  if (wrong !== undefined) return wrong
  if ((flags & ICEBERG) !== 0 && hasTooManyParts(total, orders.extra(slot).display)) return 'DISPLAY_INVALID'
  const wasPrice = f[ft + PRICE] as Ticks
  const wasLeft = f[ft + LEFT] as Lots
  if (price !== wasPrice && !venue.isInBand(price, x.atMs)) return 'PRICE_OUTSIDE_BAND'
  const side = (flags & SELL) as SideNumber
  const row = payingRow(x, venue, side, user, flags)
  const held = bookHold(venue, side, wasPrice, wasLeft)
  const need = bookHold(venue, side, price, left)
  const keepsPriority = price === wasPrice && left < wasLeft
  if ((flags & ANY_MARGIN) !== 0) {
    const amended = { more: (need - held) as Units, price, lots: left, isSmaller: keepsPriority }
    const refusal = x.desks.margin.checkAmend(x, venue, slot, amended)
    if (refusal !== undefined) return refusal
  } else if (x.ledger.available(row) + held < need) return 'INSUFFICIENT_BALANCE'
  if ((flags & POST_ONLY) !== 0 && venue.book.crosses(side, price)) return 'POST_ONLY_WOULD_TAKE'
  if (price === wasPrice && left === wasLeft) return 'AMEND_UNCHANGED'
  if (!keepsPriority && (given & AMEND_KEEPS) !== 0) return 'ORDER_NOT_AMENDABLE'
  if (!keepsPriority && isTooMuchNow(x, venue, slot, price, left)) return 'TURNOVER_LIMIT'

  const order = f[ft + ID] as OrderId
  x.order = order
  writeAmended(x.events, order, user, venue.id, price, total, keepsPriority ? 1 : 0)
  x.ledger.release(row, (keepsPriority ? held - need : held) as Units)
  if (keepsPriority) {
    writeLevel(x.events, venue.id, ++venue.lastUpdate, side, price, venue.book.shrink(slot, left))
    orders.c[(slot & SLOT) * C + UPDATED_AT] = x.atMs
    return undefined
  }
  fundOrder(x, venue, user, flags, need, order)
  requeue(x, venue, slot, side, price, left)
  return undefined
}

/** Whether an order that opens risk would be amended to anything but a smaller quantity. */
function growsRisk(x: State, venue: Venue, slot: OrderSlot, price: Ticks, total: Lots): boolean {
  const { f, i } = x.orders
  const ft = (slot & SLOT) * F
  const gone = f[ft + EXECUTED_LOTS]! + preventedOf(x, slot)
  if (price === f[ft + PRICE] && total < f[ft + LEFT]! + gone) return false
  const at = (slot & SLOT) * I
  return opensRisk(x, venue, i[at + OWNER] as UserId, i[at + FLAGS] as OrderFlags, (total - gone) as Lots, slot)
}

function requeue(x: State, venue: Venue, slot: OrderSlot, side: SideNumber, price: Ticks, left: Lots): void {
  const { f } = x.orders
  const was = f[(slot & SLOT) * F + PRICE] as Ticks
  const shown = venue.book.remove(slot, side)
  writeLevel(x.events, venue.id, ++venue.lastUpdate, side, was, shown)
  f[(slot & SLOT) * F + PRICE] = price
  f[(slot & SLOT) * F + LEFT] = left
  actAsLimit(x, venue, slot)
}

function preventedOf(x: State, slot: OrderSlot): number {
  return (x.orders.i[(slot & SLOT) * I + FLAGS]! & PREVENTED) === 0 ? 0 : x.orders.extra(slot).prevented
}
