/** Triggered market orders: they act, and are tried again at each index tick while part of them is left. */
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { OrderId, UserId } from '../../protocol/ids.ts'
import type { SideNumber } from '../../book/codes.ts'
import type { Lots, Millis, Ticks, Units } from '../../money/brand.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import { worstPrice } from '../../risk/spot.ts'
import * as desks from '../state/desks.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { marketReason } from './act.ts'
import { opensRisk } from './checks.ts'
import { discard, reasonNumber } from './close.ts'
import { marketLimit, payingRow, withoutLoan } from './funds.ts'
import { closeParked, returnParked } from './legs.ts'
import { take } from './settle.ts'
import { isOverTurnover, turnoverOfMarket } from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { BUY, SELL_SIDE } = codes
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ID, LEFT, LISTED, MARKET, OWNER, SLOT, UPDATED_AT } = fields
const { DECREMENTS, DECREMENT_SHIFT, SELF_TRADE_MASK, SELF_TRADE_SHIFT, SELL, STOP, TRAILING } = layout

const RESTING = reasonNumber('resting')
const TURNOVER = reasonNumber('turnover')
const { ANY_MARGIN } = desks

/** Time for which a triggered market order is tried again. */
export const retryForMs = 300_000
/** Largest number of orders that one command ends because their time is up. */
const endsMax = 32

/**
 * Lets a triggered market order act at the present protection price. `held` is available for it, and it spends no more. If what
 * is left could trade at another price, it is held again and tried again. Otherwise the order ends: the other leg of its list
 * ends too or, if nothing was traded, returns to its place.
 */
export function actAsMarket(x: State, venue: Venue, slot: OrderSlot, held: Units): void {
  const { f, i } = x.orders
  const { book, market, quotePerTickLot, basePerLot } = venue
  const ft = (slot & SLOT) * F
  const user = i[(slot & SLOT) * I + OWNER] as UserId
  const flags = i[(slot & SLOT) * I + FLAGS] as OrderFlags
  const side = (flags & SELL) as SideNumber
  const extra = x.orders.extra(slot)
  const { spend } = extra
  const order = f[ft + ID] as OrderId
  const parked = ((flags & LISTED) === 0 ? -1 : extra.sibling) as OrderSlot
  if (isBarredByRest(x, venue, slot)) {
    if (extra.wokeAtMs !== 0) x.retries.remove(venue.id, side, order)
    discard(x, venue, slot, RESTING)
    if (parked >= 0) closeParked(x, venue, parked)
    return
  }
  if ((flags & ANY_MARGIN) === 0 && isOverTurnover(x, user, turnoverOfMarket(x, venue, slot, held), slot)) {
    if (extra.wokeAtMs !== 0) x.retries.remove(venue.id, side, order)
    discard(x, venue, slot, TURNOVER)
    if (parked >= 0) returnParked(x, venue, parked, held)
    return
  }
  const whole = (spend === 0 ? f[ft + LEFT]! : side === BUY ? market.terms.lotsMax : Math.floor(held / basePerLot)) as Lots
  const wanted = spend === 0 ? Infinity : Math.floor(spend / quotePerTickLot) - f[ft + EXECUTED]!
  const budget = side === BUY ? Math.floor(held / quotePerTickLot) : wanted
  const limit = marketLimit(x, venue, side, user, withoutLoan(flags), whole, side === BUY ? held : spend, worstOf(x, venue, side))
  // An account that may trade at no price now takes nothing.
  const bound = (limit === 0 && side !== BUY ? (Infinity as Ticks) : limit) as Ticks
  const mode = ((flags & SELF_TRADE_MASK) >>> SELF_TRADE_SHIFT) | ((flags & DECREMENTS) >>> DECREMENT_SHIFT)
  const left = take(x, venue, side, user, order, bound, whole, budget, mode, flags)
  if (spend === 0) f[ft + LEFT] = left
  f[ft + EXECUTED_LOTS] = f[ft + EXECUTED_LOTS]! + book.takenLots
  f[ft + EXECUTED] = f[ft + EXECUTED]! + book.taken
  const rest = (held - (side === BUY ? book.taken * quotePerTickLot : book.takenLots * basePerLot)) as Units
  const isOver = extra.wokeAtMs !== 0 && x.atMs >= deadlineOf(venue, extra.wokeAtMs)
  // A market order without a trigger, which entered after the working order of its list, does not wait either.
  const goesOn =
    (flags & (STOP | TRAILING)) !== 0 && left > 0 && !book.isSelfStopped && !book.isBudgetSpent && book.preventedLots === 0 && !isOver
  const reason = marketReason(venue, side, left, spend > 0, f[ft + EXECUTED_LOTS] as Lots)
  if (parked >= 0 && book.takenLots > 0) {
    i[(slot & SLOT) * I + FLAGS] = flags & ~LISTED
    extra.sibling = -1 as OrderSlot
    closeParked(x, venue, parked)
  }
  if (goesOn) {
    x.orders.c[(slot & SLOT) * C + UPDATED_AT] = x.atMs
    if (extra.wokeAtMs === 0) x.retries.add(venue.id, side, order)
    if (extra.wokeAtMs === 0) extra.wokeAtMs = x.atMs
    extra.held = rest
    x.ledger.hold(payingRow(x, venue, side, user, flags), rest)
    return
  }
  if (extra.wokeAtMs !== 0) x.retries.remove(venue.id, side, order)
  discard(x, venue, slot, reason)
  if (parked >= 0 && book.takenLots === 0) returnParked(x, venue, parked, rest)
}

/** Whether the owner of an order that wants to act rests, and the order would open risk. */
export function isBarredByRest(x: State, venue: Venue, slot: OrderSlot): boolean {
  const { f, i } = x.orders
  const user = i[(slot & SLOT) * I + OWNER] as UserId
  return (
    x.isResting(user) && opensRisk(x, venue, user, i[(slot & SLOT) * I + FLAGS] as OrderFlags, f[(slot & SLOT) * F + LEFT] as Lots, slot)
  )
}

/** After an index tick has set the prices: on each side on which a waiting order could trade now, all of them are tried again. */
export function beginRetries(x: State): void {
  for (const { market, side } of x.retries.lines()) {
    const venue = x.venues[market]!
    if (x.atMs >= venue.opensAtMs && venue.book.crosses(side, worstOf(x, venue, side))) x.retries.begin(market, side)
  }
  endSome(x)
}

/** Tries the next waiting order again. */
export function tryNext(x: State): void {
  const slot = x.orders.find(x.retries.next()) as OrderSlot
  const venue = x.venues[x.orders.f[(slot & SLOT) * F + MARKET]!]!
  const side = (x.orders.i[(slot & SLOT) * I + FLAGS]! & SELL) as SideNumber
  if (!venue.book.crosses(side, worstOf(x, venue, side))) x.retries.stop(venue.id, side)
  else tryOne(x, venue, slot)
}

/** Orders whose time is up are tried once more and end. */
export function endSome(x: State): void {
  let ended = 0
  for (const { market, orders } of [...x.retries.lines()]) {
    const venue = x.venues[market]!
    while (ended < endsMax && orders.length > 0 && dueOf(x, venue, orders[0] as OrderId) <= x.atMs) {
      tryOne(x, venue, x.orders.find(orders[0] as OrderId) as OrderSlot)
      ended++
    }
  }
}

/** Time from which retried orders have something to do; Infinity if never. */
export function retriesDueAtMs(x: State): number {
  let due = x.retries.left > 0 ? x.atMs : Infinity
  for (const { market, orders } of x.retries.lines())
    due = Math.min(due, Math.max(x.atMs, dueOf(x, x.venues[market]!, orders[0] as OrderId)))
  return due
}

function tryOne(x: State, venue: Venue, slot: OrderSlot): void {
  const extra = x.orders.extra(slot)
  const flags = x.orders.i[(slot & SLOT) * I + FLAGS] as OrderFlags
  const { held } = extra
  extra.held = 0 as Units
  if (held > 0)
    x.ledger.release(payingRow(x, venue, (flags & SELL) as SideNumber, x.orders.i[(slot & SLOT) * I + OWNER] as UserId, flags), held)
  actAsMarket(x, venue, slot, held)
}

function worstOf(x: State, venue: Venue, side: SideNumber): Ticks {
  return worstPrice(side === SELL_SIDE ? 1 : 0, venue.protection(x.atMs), venue.market.terms.slippagePpm)
}

function dueOf(x: State, venue: Venue, order: OrderId): number {
  return deadlineOf(venue, x.orders.extra(x.orders.find(order) as OrderSlot).wokeAtMs)
}

/** Time while the market is shut, and the wait after it, does not count: the five minutes start again when it opens. */
function deadlineOf(venue: Venue, wokeAtMs: Millis): number {
  return Math.max(wokeAtMs, venue.opensAtMs) + retryForMs
}
