/** The legs of an OCO when one of them wakes: the other waits outside the book until it is known whether the first one traded. */
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { OrderId, UserId } from '../../protocol/ids.ts'
import type { SideNumber } from '../../book/codes.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { actAsLimit } from './act.ts'
import { bookHold, discard, forget, reasonNumber } from './close.ts'
import { payingRow } from './funds.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeLevel } = writers
const { F, FLAGS, I, ID, LEFT, LISTED, OWNER, PENDING, PRICE, WAKING } = fields
const { FALLS, POST_ONLY, SELL, TRAILING } = layout

const OCO = reasonNumber('oco')

/** Takes a leg out of the book or the sleeping orders. Returns its hold, which the waking leg uses. */
export function park(x: State, venue: Venue, leg: OrderSlot): number {
  const { f, i } = x.orders
  const flags = i[leg * I + FLAGS]!
  const extra = x.orders.extra(leg)
  extra.isParked = true
  if ((flags & PENDING) !== 0) {
    forget(x, venue, leg)
    i[leg * I + FLAGS] = flags & ~WAKING
    const { held } = extra
    extra.held = 0 as Units
    return held
  }
  const side = (flags & SELL) as SideNumber
  const price = f[leg * F + PRICE] as Ticks
  const lots = venue.book.remove(leg, side)
  writeLevel(x.events, venue.id, ++venue.lastUpdate, side, price, lots)
  return bookHold(venue, side, price, f[leg * F + LEFT] as Lots)
}

/** Closes the parked leg, because the triggered one has traded or rests. */
export function closeParked(x: State, venue: Venue, leg: OrderSlot): void {
  discard(x, venue, leg, OCO)
}

/**
 * Returns the parked leg, because the triggered one ended without trading: it goes to the end of its level or back to sleep.
 * `held`: the list's hold, which is now available. If its price or trigger was reached meanwhile, it acts.
 */
export function returnParked(x: State, venue: Venue, leg: OrderSlot, held: Units): void {
  const { f, i } = x.orders
  const extra = x.orders.extra(leg)
  extra.isParked = false
  extra.sibling = -1 as OrderSlot
  const flags = (i[leg * I + FLAGS]! & ~LISTED) as OrderFlags
  i[leg * I + FLAGS] = flags
  const side = (flags & SELL) as SideNumber
  if ((flags & PENDING) === 0) {
    if (venue.book.crosses(side, f[leg * F + PRICE] as Ticks)) i[leg * I + FLAGS] = flags & ~POST_ONLY
    actAsLimit(x, venue, leg)
    return
  }
  // Alone, a leg needs no more than its own price.
  const price = f[leg * F + PRICE] as Ticks
  const need = price === 0 ? held : (Math.min(held, bookHold(venue, side, price, f[leg * F + LEFT] as Lots)) as Units)
  extra.held = need
  x.ledger.hold(payingRow(x, venue, side, i[leg * I + OWNER] as UserId, flags), need)
  toSleep(x, venue, leg)
}

/** Lets an order with a trigger sleep. If the last price has reached the trigger of a stop already, it wakes at its turn. */
export function toSleep(x: State, venue: Venue, slot: OrderSlot): void {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS]!
  const { trigger } = x.orders.extra(slot)
  const sleeps = (flags & FALLS) !== 0 ? venue.lastPrice > trigger : venue.lastPrice < trigger
  if (sleeps || (flags & TRAILING) !== 0 || venue.lastPrice === 0) {
    venue.triggers.add(slot, venue.lastPrice)
    return
  }
  i[slot * I + FLAGS] = flags | WAKING
  x.wakes.add(venue.id, f[slot * F + ID] as OrderId)
}
