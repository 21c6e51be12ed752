/** The limit of the daily spot turnover of customers without a certificate, in production. */
import type { SideNumber } from '../../book/codes.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { UserId } from '../../protocol/ids.ts'
import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import { turnoverMax } from '../state/ceiling.ts'
import * as desks from '../state/desks.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'

const { BUY } = codes
const { EXECUTED, EXTRA, F, FLAGS, I, LEFT, LISTED, MARKET, OWNER, PENDING, PRICE, SLOT, USER_NEXT } = fields
const { MARKET_ORDER, POST_ONLY, SELL, STOP, TIF_MASK } = layout
const { ANY_MARGIN } = desks

/** Value that no limit allows: the order could be worth any amount when it trades. */
const UNKNOWN = Infinity as Units

/** A sum that is worth something in every asset with a price. */
const priced = (2 ** 50) as Units

/**
 * Whether the user is capped and this value (in USDT units), today's turnover, and what the open orders could still execute together
 * exceed the limit. Accepted quotes count. `slot`: an order that does not, with the other leg of its list; −1 for none.
 */
export function isOverTurnover(x: State, user: UserId, value: Units, slot = -1 as OrderSlot): boolean {
  if (!x.isCapped(user)) return false
  return x.volumes.today(user, x.atMs) + openTurnover(x, user, slot) + x.convert.waiting(user) + value > turnoverMax(x)
}

/** Whether a new order is one of the spot account of a capped user, and too much for the limit. */
export function isTooMuch(x: State, venue: Venue, user: UserId, flags: OrderFlags, price: Ticks, lots: Lots): boolean {
  if (!x.isCapped(user) || (flags & ANY_MARGIN) !== 0) return false
  return isOverTurnover(x, user, turnoverOf(x, venue, flags, price, lots), -1 as OrderSlot)
}

/** The same of an order that acts again, at this price and quantity. */
export function isTooMuchNow(x: State, venue: Venue, slot: OrderSlot, price: Ticks, lots: Lots): boolean {
  const user = x.orders.i[(slot & SLOT) * I + OWNER] as UserId
  const flags = x.orders.i[(slot & SLOT) * I + FLAGS] as OrderFlags
  if (!x.isCapped(user) || (flags & ANY_MARGIN) !== 0) return false
  return isOverTurnover(x, user, turnoverOf(x, venue, flags, price, lots), slot)
}

/**
 * The most that an order acting now can execute, now or while it rests, in USDT units. A sell may trade at the best bid. An order
 * that may rest in a market of another quote asset could be worth more when it trades.
 */
function turnoverOf(x: State, venue: Venue, flags: OrderFlags, price: Ticks, lots: Lots): Units {
  if ((flags & (MARKET_ORDER | TIF_MASK)) === 0 && venue.quote !== x.usdt) return UNKNOWN
  const takes = (flags & SELL) !== 0 && (flags & POST_ONLY) === 0
  const best = takes ? Math.max(price, venue.book.best(BUY as SideNumber)) : price
  return valueIn(x, venue, (best * lots * venue.quotePerTickLot) as Units)
}

/** A sum of a market's quote asset in USDT units. */
export function valueIn(x: State, venue: Venue, quote: Units): Units {
  if (venue.quote === x.usdt) return quote
  const value = x.usdtValue(venue.quote, quote)
  // Without a price, trades of any size would count nothing.
  return value > 0 || x.usdtValue(venue.quote, priced) > 0 ? value : UNKNOWN
}

/**
 * Value that the open orders of the user's spot account could still execute, in USDT units. The legs of a list count once. `except`: an
 * order that does not count.
 */
export function openTurnover(x: State, user: UserId, except: OrderSlot = -1 as OrderSlot): Units {
  const { extras, i } = x.orders
  let sum = 0
  for (let slot = x.orders.firstOf(user); slot >= 0; slot = i[slot * I + USER_NEXT]! as OrderSlot) {
    const sibling = (i[slot * I + FLAGS]! & LISTED) === 0 ? -1 : extras.get(i[slot * I + EXTRA]!)!.sibling
    if (slot === except || (sibling >= 0 && sibling === except)) continue
    const own = restingTurnover(x, slot as OrderSlot)
    if (sibling < 0) sum += own
    else if (slot < sibling) sum += Math.max(own, restingTurnover(x, sibling as OrderSlot))
  }
  return sum as Units
}

/**
 * Value that an open order of the spot account could still execute, in USDT units: exact in the book of a market in USDT. A sleeping order
 * counts at its limit or trigger, and is checked again when it acts.
 */
function restingTurnover(x: State, slot: OrderSlot): Units {
  const { extras, f, i } = x.orders
  const venue = x.venues[f[slot * F + MARKET]!]!
  const flags = i[slot * I + FLAGS]!
  if (!venue.isSpot || (flags & ANY_MARGIN) !== 0) return 0 as Units
  const extra = extras.get(i[slot * I + EXTRA]!)
  const executed = f[slot * F + EXECUTED]! * venue.quotePerTickLot
  if (extra !== undefined && extra.spend > 0) return valueIn(x, venue, (extra.spend - executed) as Units)
  const isInBook = (flags & (PENDING | MARKET_ORDER)) === 0
  if (isInBook && venue.quote !== x.usdt) return UNKNOWN
  const near = (flags & STOP) !== 0 && extra !== undefined ? extra.trigger : venue.lastPrice
  const price = (flags & MARKET_ORDER) === 0 ? f[slot * F + PRICE]! : near
  return valueIn(x, venue, (price * f[slot * F + LEFT]! * venue.quotePerTickLot) as Units)
}

/** The most that a list can execute, in USDT units: that of its larger leg. `rests`: whether a leg may rest in the book. */
export function turnoverOfList(x: State, venue: Venue, price: Ticks, lots: Lots, rests: boolean): Units {
  return rests && venue.quote !== x.usdt ? UNKNOWN : valueIn(x, venue, (price * lots * venue.quotePerTickLot) as Units)
}

/** The most that a triggered market order can execute now, in USDT units. `held`: what it has to pay with. */
export function turnoverOfMarket(x: State, venue: Venue, slot: OrderSlot, held: Units): Units {
  const { f, i } = x.orders
  const { spend } = x.orders.extra(slot)
  const executed = f[slot * F + EXECUTED]! * venue.quotePerTickLot
  if (spend > 0) return valueIn(x, venue, (spend - executed) as Units)
  if ((i[slot * I + FLAGS]! & SELL) === 0) return valueIn(x, venue, held)
  return valueIn(x, venue, (venue.book.best(BUY as SideNumber) * f[slot * F + LEFT]! * venue.quotePerTickLot) as Units)
}
