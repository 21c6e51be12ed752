/** Orders that waited for the working order of their list, and the pairs of lists: how they take their place in the market. */
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { OrderId, UserId } from '../../protocol/ids.ts'
import type { SideNumber } from '../../book/codes.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import { notionalMax, worstPrice } from '../../risk/spot.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { actAsLimit } from './act.ts'
import { bookHold, discard, reasonNumber } from './close.ts'
import { payingRow } from './funds.ts'
import { closeParked, returnParked, toSleep } from './legs.ts'
import { worstTrigger } from './place-sleeping.ts'
import { actAsMarket, isBarredByRest } from './retry.ts'
import { isOverTurnover, turnoverOfList } from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeEntered, writeLevel } = writers
const { C, CHAINED, F, FLAGS, I, ICEBERG, ID, LEFT, LISTED, OWNER, PENDING, PRICE, UPDATED_AT, VISIBLE, WAKING } = fields
const { MARKET_ORDER, POST_ONLY, SELL, STOP, TIF_MASK, TRAILING } = layout

const BALANCE = reasonNumber('balance')
const RESTING = reasonNumber('resting')
const TURNOVER = reasonNumber('turnover')
const noSlot = -1 as OrderSlot

/**
 * The working order of a list is filled, and the turn of its waiting order has come: the order is paid for from what the account has
 * now, and sleeps or acts. What can't be paid ends with the reason `balance`. Of a pair, `slot` is the first leg.
 */
export function enter(x: State, venue: Venue, slot: OrderSlot): void {
  const { f, i } = x.orders
  const user = i[slot * I + OWNER] as UserId
  const second = ((i[slot * I + FLAGS]! & LISTED) === 0 ? noSlot : x.orders.extra(slot).sibling) as OrderSlot
  for (const one of second < 0 ? [slot] : [slot, second]) {
    i[one * I + FLAGS] = i[one * I + FLAGS]! & ~(CHAINED | WAKING)
    x.orders.c[one * C + UPDATED_AT] = x.atMs
    writeEntered(x.events, f[one * F + ID] as OrderId, user, venue.id)
  }
  const need = (second < 0 ? needOf(x, venue, slot) : pairNeed(x, venue, slot, second)) as Units
  const row = payingRow(x, venue, (i[slot * I + FLAGS]! & SELL) as SideNumber, user, 0 as OrderFlags)
  if (isBarredByRest(x, venue, slot)) return end(x, venue, slot, second, RESTING)
  if (need > notionalMax || x.ledger.available(row) < need) return end(x, venue, slot, second, BALANCE)
  if (isTooMuchToSleep(x, venue, slot, second)) return end(x, venue, slot, second, TURNOVER)
  if (second < 0) enterAlone(x, venue, slot, need)
  else enterPair(x, venue, slot, second, need)
}

function end(x: State, venue: Venue, slot: OrderSlot, second: OrderSlot, reason: ReturnType<typeof reasonNumber>): void {
  discard(x, venue, slot, reason)
  if (second >= 0) discard(x, venue, second, reason)
}

function enterAlone(x: State, venue: Venue, slot: OrderSlot, need: Units): void {
  const { i } = x.orders
  const flags = i[slot * I + FLAGS] as OrderFlags
  if ((flags & (STOP | TRAILING)) === 0) {
    i[slot * I + FLAGS] = flags & ~PENDING
    if ((flags & MARKET_ORDER) === 0) actAsLimit(x, venue, slot)
    else actAsMarket(x, venue, slot, need)
    return
  }
  x.orders.extra(slot).held = need
  x.ledger.hold(payingRow(x, venue, (flags & SELL) as SideNumber, i[slot * I + OWNER] as UserId, flags), need)
  toSleep(x, venue, slot)
}

/**
 * Two legs of which one cancels the other take their places. They have to be stored as pending and parked, and `need` to be available.
 * When the price of the first leg is reached already, it acts at once, as a leg that returns does.
 */
export function enterPair(x: State, venue: Venue, first: OrderSlot, second: OrderSlot, need: Units): void {
  const { c, f, i } = x.orders
  const flags = i[first * I + FLAGS] as OrderFlags
  const side = (flags & SELL) as SideNumber
  const price = f[first * F + PRICE] as Ticks
  const waits = (flags & (STOP | TRAILING)) !== 0
  if (!waits && venue.book.crosses(side, price)) {
    i[first * I + FLAGS] = flags & ~(PENDING | LISTED | POST_ONLY)
    x.orders.extra(first).isParked = false
    x.orders.extra(first).sibling = noSlot
    if (actAsLimit(x, venue, first)) returnParked(x, venue, second, need)
    else closeParked(x, venue, second)
    return
  }
  const ownNeed = needOf(x, venue, first)
  for (const leg of [first, second]) x.orders.extra(leg).isParked = false
  x.orders.extra(second).held = (need - ownNeed) as Units
  x.ledger.hold(payingRow(x, venue, side, i[first * I + OWNER] as UserId, flags), need)
  if (waits) {
    x.orders.extra(first).held = ownNeed
    toSleep(x, venue, first)
  } else {
    i[first * I + FLAGS] = flags & ~PENDING
    const left = f[first * F + LEFT]!
    f[first * F + VISIBLE] = (flags & ICEBERG) === 0 ? left : Math.min(left, x.orders.extra(first).display)
    c[first * C + UPDATED_AT] = x.atMs
    writeLevel(x.events, venue.id, ++venue.lastUpdate, side, price, venue.book.insert(first, side))
  }
  toSleep(x, venue, second)
}

/** Hold of two legs: that of the larger one. */
export function pairNeed(x: State, venue: Venue, first: OrderSlot, second: OrderSlot): Units {
  return Math.max(needOf(x, venue, first), needOf(x, venue, second)) as Units
}

/** The most that a stored order could need: a limit order its value, another its cost at the worst price at which it could act. */
export function needOf(x: State, venue: Venue, slot: OrderSlot): Units {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS] as OrderFlags
  return bookHold(venue, (flags & SELL) as SideNumber, limitOf(x, venue, slot), f[slot * F + LEFT] as Lots)
}

function limitOf(x: State, venue: Venue, slot: OrderSlot): Ticks {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS] as OrderFlags
  if ((flags & MARKET_ORDER) === 0) return f[slot * F + PRICE] as Ticks
  const extra = x.orders.extra(slot)
  const isAsleep = (flags & (STOP | TRAILING)) !== 0
  const from = isAsleep ? worstTrigger(flags, extra.trigger as Ticks, extra.activation, venue.lastPrice) : venue.protection(x.atMs)
  return worstPrice((flags & SELL) as 0 | 1, Math.max(1, from) as Ticks, venue.market.terms.slippagePpm)
}

/** Orders that act at once are checked when they act. */
function isTooMuchToSleep(x: State, venue: Venue, slot: OrderSlot, second: OrderSlot): boolean {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS]!
  if (second < 0 && (flags & (STOP | TRAILING)) === 0) return false
  const price = Math.max(limitOf(x, venue, slot), second < 0 ? 0 : limitOf(x, venue, second)) as Ticks
  const mayRest = (one: OrderSlot): boolean => one >= 0 && (i[one * I + FLAGS]! & (MARKET_ORDER | TIF_MASK)) === 0
  const value = turnoverOfList(x, venue, price, f[slot * F + LEFT] as Lots, mayRest(slot) || mayRest(second))
  return isOverTurnover(x, i[slot * I + OWNER] as UserId, value, slot)
}
