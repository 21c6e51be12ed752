import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { CloseNumber, OrderId, UserId } from '../../protocol/ids.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { SideNumber } from '../../book/codes.ts'
import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import { listKindOf, ordersOfList, workingOf } from '../../protocol/command/order-list.ts'
import { closeReasons } from '../../protocol/event/index.ts'
import type { CloseReason } from '../../protocol/event/index.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import * as desks from '../state/desks.ts'
import * as funds from './funds.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeClosed, writeLevel } = writers
const { BUY } = codes
const { CHAINED, EXECUTED, EXECUTED_LOTS, EXTRA, F, FLAGS, I, ID, LEFT, LISTED, OWNER, PENDING, PREVENTED, PRICE, SLOT, WAKING } = fields
const { SELL } = layout
const { ANY_MARGIN } = desks
const { payingRow } = funds

const CANCELLED = closeReasons.indexOf('cancelled') as CloseNumber
const FILLED = closeReasons.indexOf('filled') as CloseNumber
const OCO = closeReasons.indexOf('oco') as CloseNumber

/** Units that an order in the book holds: a buy its value, a sell its quantity. */
export function bookHold(venue: Venue, side: SideNumber, price: Ticks, lots: Lots): Units {
  return side === BUY ? ((price * lots * venue.quotePerTickLot) as Units) : ((lots * venue.basePerLot) as Units)
}

/** Cancels an order on behalf of its owner; the other orders of its list, if they depend on it, are cancelled too. */
export function cancel(x: State, venue: Venue, slot: OrderSlot, reason: CloseNumber = CANCELLED): void {
  if (!venue.isSpot) return x.desks.perp.cancel(x, slot, reason)
  if ((x.orders.i[(slot & SLOT) * I + FLAGS]! & (LISTED | CHAINED)) !== 0) cancelListed(x, venue, slot, reason)
  else drop(x, venue, slot, reason)
}

/** An order that waits for the working order of its list ends with it: neither is of use without the other. */
function cancelListed(x: State, venue: Venue, slot: OrderSlot, reason: CloseNumber): void {
  const flags = x.orders.i[(slot & SLOT) * I + FLAGS]!
  const { list, sibling } = x.orders.extra(slot)
  const order = x.orders.f[(slot & SLOT) * F + ID] as OrderId
  const working = ((flags & CHAINED) === 0 ? -1 : x.orders.find(workingOf({ order, list }) ?? order)) as OrderSlot
  if (working >= 0) return drop(x, venue, working, reason)
  if ((flags & LISTED) !== 0) drop(x, venue, sibling, OCO)
  drop(x, venue, slot, reason)
}

/**
 * The working order of a list has ended. Filled completely, it lets the waiting orders enter, at their turn, because they may trade;
 * otherwise they end with it.
 */
export function endWorking(x: State, venue: Venue, slot: OrderSlot, reason: CloseNumber): void {
  const { orders } = x
  const { list } = orders.extra(slot)
  const order = orders.f[(slot & SLOT) * F + ID] as OrderId
  const numbers = ordersOfList(listKindOf({ order, list })!, list).slice(1)
  if (reason !== FILLED) {
    const told = reason === CANCELLED ? CANCELLED : OCO
    for (const number of numbers) discard(x, venue, orders.find(number) as OrderSlot, told)
    return
  }
  // Of a pair, the first enters for both.
  const first = numbers[0]!
  const waiting = orders.find(first) as OrderSlot
  orders.extra(waiting).isParked = false
  orders.i[(waiting & SLOT) * I + FLAGS] = orders.i[(waiting & SLOT) * I + FLAGS]! | WAKING
  x.wakes.add(venue.id, first)
}

/** Closes the other leg of an OCO, because the order has begun to trade or is gone. */
export function leaveList(x: State, venue: Venue, slot: OrderSlot): void {
  const extra = x.orders.extra(slot)
  const { sibling } = extra
  extra.sibling = -1 as OrderSlot
  x.orders.i[(slot & SLOT) * I + FLAGS] = x.orders.i[(slot & SLOT) * I + FLAGS]! & ~LISTED
  drop(x, venue, sibling, OCO)
}

/** Takes an order out of the core, whether it sleeps or is in the book, and releases its money. */
export function drop(x: State, venue: Venue, slot: OrderSlot, reason: CloseNumber): void {
  const { orders, ledger } = x
  const { f, i } = orders
  const flags = i[(slot & SLOT) * I + FLAGS] as OrderFlags
  const side = (flags & SELL) as SideNumber
  const user = i[(slot & SLOT) * I + OWNER] as UserId
  const extra = i[(slot & SLOT) * I + EXTRA] === 0 ? undefined : orders.extra(slot)
  let held = extra?.held ?? 0
  if (extra !== undefined && extra.wokeAtMs !== 0) x.retries.remove(venue.id, side, f[(slot & SLOT) * F + ID] as OrderId)
  else if (extra?.isParked) held = 0
  else if ((flags & PENDING) !== 0) forget(x, venue, slot)
  else {
    const price = f[(slot & SLOT) * F + PRICE] as Ticks
    const lots = venue.book.remove(slot, side)
    writeLevel(x.events, venue.id, ++venue.lastUpdate, side, price, lots)
    held += bookHold(venue, side, price, f[(slot & SLOT) * F + LEFT] as Lots)
  }
  if (held > 0) ledger.release(payingRow(x, venue, side, user, flags), held as Units)
  discard(x, venue, slot, reason)
}

/** Makes sure that a sleeping or triggered order no longer wakes. */
export function forget(x: State, venue: Venue, slot: OrderSlot): void {
  const { f, i } = x.orders
  if ((i[(slot & SLOT) * I + FLAGS]! & WAKING) === 0) venue.triggers.remove(slot)
  else x.wakes.remove(venue.id, f[(slot & SLOT) * F + ID] as OrderId)
}

/** Emits that an order is closed and frees its slot. The order must hold nothing and be in no book. */
export function discard(x: State, venue: Venue, slot: OrderSlot, reason: CloseNumber): void {
  const { f, i } = x.orders
  const at = (slot & SLOT) * F
  const user = i[(slot & SLOT) * I + OWNER] as UserId
  const flags = i[(slot & SLOT) * I + FLAGS]!
  if ((flags & ANY_MARGIN) !== 0) x.desks.margin.ended(x, venue, slot)
  writeClosed(
    x.events,
    f[at + ID] as OrderId,
    user,
    venue.id,
    reason,
    f[at + EXECUTED_LOTS] as Lots,
    (f[at + EXECUTED]! * venue.quotePerTickLot) as Units,
  )
  if ((flags & (CHAINED | PENDING)) === CHAINED) endWorking(x, venue, slot, reason)
  x.orders.remove(slot)
}

/** Notes that self-trade prevention removed a part of the order, in the market's last prevented match. */
export function markPrevented(x: State, venue: Venue, slot: OrderSlot, lots: Lots): void {
  const { i } = x.orders
  const extra = x.orders.extra(slot)
  i[(slot & SLOT) * I + FLAGS] = i[(slot & SLOT) * I + FLAGS]! | PREVENTED
  extra.prevented += lots
  extra.preventedMatch = venue.lastPrevented
}

export function reasonNumber(reason: CloseReason): CloseNumber {
  return closeReasons.indexOf(reason) as CloseNumber
}
