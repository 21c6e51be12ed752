import type { SideNumber } from '../../book/codes.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import * as fields from '../../book/order-fields.ts'
import * as amending from '../../protocol/codec/amend/trigger.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { bandHigh, bandLow, checkLots, notionalMax, worstPrice } from '../../risk/spot.ts'
import { checkChange, checkTrigger } from '../../risk/trigger.ts'
import * as desks from '../state/desks.ts'
import type { Handler } from '../state/handler.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { hasTooManyParts, lotsOfSpend, opensRisk } from './checks.ts'
import { bookHold } from './close.ts'
import { needOf } from './enter.ts'
import { findOrder } from './find.ts'
import { fundOrder, payingRow } from './funds.ts'
import { spendHold, worstTrigger } from './place-sleeping.ts'
import { isOverTurnover, isTooMuchNow, valueIn } from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { ANY_MARGIN } = desks
const { writeAmended } = writers
const { appendTrigger, readChange } = amending
const { AMEND_FLAGS, AMEND_KEEPS, FALLS, HAS_SPEND, MARKET_ORDER, REF_MARKET, SELL, STOP, USER } = layout
const { C, CHAINED, F, FLAGS, I, ICEBERG, ID, LEFT, LISTED, PENDING, PRICE, UPDATED_AT, WAKING } = fields

/** The terms that a stop has after the amend. */
type Terms = {
  readonly trigger: Ticks
  /** 0 for a market order. */
  readonly price: Ticks
  /** 0 for an order by amount. */
  readonly lots: Lots
  /** Worst price at which it could trade. */
  readonly limit: Ticks
}

type Holds = {
  /** The amount that this stop needs on its own. */
  readonly own: Units
  /** The new hold of the stop, or of the first leg of its pair. */
  readonly first: Units
  /** The new hold of the second leg, on top of the first; 0 without a pair. */
  readonly second: Units
  /** The total hold of the stop or the pair: before the amend, and after it. */
  readonly was: Units
  readonly whole: Units
}

/**
 * `spot.amend` with a trigger price: gives a stop that sleeps another trigger, limit price or quantity. The checks are those of a new
 * order with these terms; the stop keeps its number, its direction and its kind. A leg of a pair keeps the quantity of both, and is
 * named itself. The market is known, and the user not frozen.
 */
export const amendSleeping: Handler = (x, data, start) => {
  const { f, i } = x.orders
  const venue = x.spotVenue(data[start + REF_MARKET] as MarketId)!
  const user = data[start + USER] as UserId
  const slot = findOrder(x, data, start, false)
  const change = readChange(data, start)
  const { trigger, price, lots } = change
  const flags = (slot < 0 ? 0 : i[slot * I + FLAGS]) as OrderFlags
  const opens = slot >= 0 && opensRisk(x, venue, user, flags, lots ?? (f[slot * F + LEFT] as Lots), slot)
  if (opens && x.isResting(user)) return 'RESTING'
  if (x.atMs < venue.opensAtMs) return 'MARKET_HALTED'
  if ((data[start + AMEND_FLAGS]! & AMEND_KEEPS) !== 0 || hasWrongFields(flags, price, lots)) return 'ORDER_TYPE_INVALID'
  const malformed = checkChange(change, slot >= 0, slot >= 0 && isAsleep(x, slot))
  if (malformed !== undefined) return malformed

  const terms = termsOf(x, venue, slot, change)
  const holds = holdsOf(x, venue, slot, terms)
  const wrong = checkTerms(x, venue, slot, terms) ?? checkMoney(x, venue, slot, user, { terms, holds })
  if (wrong !== undefined) return wrong

  const order = f[slot * F + ID] as OrderId
  x.order = order
  venue.triggers.remove(slot)
  f[slot * F + PRICE] = terms.price
  f[slot * F + LEFT] = terms.lots
  x.orders.c[slot * C + UPDATED_AT] = x.atMs
  x.orders.extra(slot).trigger = trigger
  venue.triggers.add(slot, venue.lastPrice)
  writeAmended(x.events, order, user, venue.id, terms.price, terms.lots, 0)
  appendTrigger(x.events, trigger)
  rehold(x, venue, slot, user, holds)
  return undefined
}

/** Whether this is a stop that neither acts nor waits to, for a working order, or for the other leg of its pair. */
function isAsleep(x: State, slot: OrderSlot): boolean {
  const kind = STOP | PENDING | WAKING | CHAINED
  return (x.orders.i[slot * I + FLAGS]! & kind) === (STOP | PENDING) && !x.orders.extra(slot).isParked
}

/** Whether an order is given a price or a quantity that orders of its kind don't have, or that its pair shares. */
function hasWrongFields(flags: OrderFlags, price: Ticks | undefined, lots: Lots | undefined): boolean {
  if (price !== undefined && (flags & MARKET_ORDER) !== 0) return true
  return lots !== undefined && (flags & (LISTED | HAS_SPEND)) !== 0
}

function termsOf(x: State, venue: Venue, slot: OrderSlot, { trigger, price, lots }: amending.Change): Terms {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS] as OrderFlags
  const isMarket = (flags & MARKET_ORDER) !== 0
  const at = price ?? (f[slot * F + PRICE] as Ticks)
  const worst = worstTrigger(flags, trigger, 0 as Ticks, venue.lastPrice)
  const limit = isMarket ? worstPrice((flags & SELL) as 0 | 1, worst, venue.market.terms.slippagePpm) : at
  return { trigger, price: at, lots: lots ?? (f[slot * F + LEFT] as Lots), limit }
}

/** Whether the terms fit the market, its prices of now, and the other leg. */
function checkTerms(x: State, venue: Venue, slot: OrderSlot, { trigger, price, lots, limit }: Terms): Refusal | undefined {
  const { terms } = venue.market
  const flags = x.orders.i[slot * I + FLAGS] as OrderFlags
  const { display, spend } = x.orders.extra(slot)
  const isTooSmall = spend > 0 && lotsOfSpend(venue, (flags & SELL) as SideNumber, spend, limit) < terms.lotsMin
  const isShown = (flags & ICEBERG) === 0 || (display < lots && !hasTooManyParts(lots, display))
  return (
    (spend > 0 ? undefined : checkLots(terms, venue.quotePerTickLot, limit, lots)) ??
    (isTooSmall ? 'QUANTITY_TOO_SMALL' : undefined) ??
    (isShown ? undefined : 'DISPLAY_INVALID') ??
    checkTrigger(flags, trigger, 0 as Ticks, venue.lastPrice) ??
    (isApart(x, slot, trigger) ? undefined : 'OCO_PRICES_INVALID') ??
    (price === 0 || (price >= bandLow(trigger, terms.bandPpm) && price <= bandHigh(trigger, terms.bandPpm))
      ? undefined
      : 'PRICE_OUTSIDE_BAND')
  )
}

/** Whether a leg stays on its side of the other one. */
function isApart(x: State, slot: OrderSlot, trigger: Ticks): boolean {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS]!
  if ((flags & LISTED) === 0) return true
  const other = x.orders.extra(slot).sibling
  const kind = i[other * I + FLAGS]!
  const extra = x.orders.extra(other)
  const at = (kind & PENDING) === 0 ? f[other * F + PRICE]! : (kind & STOP) !== 0 ? extra.trigger : extra.activation
  // A trailing leg without an activation price has no fixed side.
  if (at === 0) return true
  return (flags & FALLS) !== 0 ? trigger < at : trigger > at
}

type Asked = { readonly terms: Terms; readonly holds: Holds }

/** Whether the account can pay for the terms and may have such an order, and whether anything changes. */
function checkMoney(
  x: State,
  venue: Venue,
  slot: OrderSlot,
  user: UserId,
  { terms: { trigger, price, lots, limit }, holds: { own, was, whole } }: Asked,
): Refusal | undefined {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS] as OrderFlags
  const { spend, trigger: wasTrigger } = x.orders.extra(slot)
  const isMargin = (flags & ANY_MARGIN) !== 0
  if (own > notionalMax) return 'NOTIONAL_TOO_LARGE'
  const isSame = trigger === wasTrigger && price === f[slot * F + PRICE]
  if (isMargin) {
    const isSmaller = isSame && lots < f[slot * F + LEFT]!
    const refusal = x.desks.margin.checkAmend(x, venue, slot, { more: (whole - was) as Units, price: 0 as Ticks, lots, isSmaller })
    if (refusal !== undefined) return refusal
  } else if (x.ledger.available(payingRow(x, venue, (flags & SELL) as SideNumber, user, flags)) + was < whole) return 'INSUFFICIENT_BALANCE'
  if (isSame && lots === f[slot * F + LEFT]) return 'AMEND_UNCHANGED'
  if (isMargin) return undefined
  const isMuch = spend > 0 ? isOverTurnover(x, user, valueIn(x, venue, spend), slot) : isTooMuchNow(x, venue, slot, limit, lots)
  return isMuch ? 'TURNOVER_LIMIT' : undefined
}

/** Computes the holds under these terms. In a pair, the first leg holds its own need and the second leg only the excess over it. */
function holdsOf(x: State, venue: Venue, slot: OrderSlot, { lots, limit }: Terms): Holds {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS] as OrderFlags
  const side = (flags & SELL) as SideNumber
  const { held, sibling, spend } = x.orders.extra(slot)
  const own = spend > 0 ? spendHold(venue, side, spend, limit) : bookHold(venue, side, limit, lots)
  if ((flags & LISTED) === 0) return { own, first: own, second: 0 as Units, was: held, whole: own }
  const isFirst = f[slot * F + ID]! < f[sibling * F + ID]!
  const [first, second] = isFirst ? [slot, sibling] : [sibling, slot]
  const firstHeld = heldBy(x, venue, first)
  const more = x.orders.extra(second).held
  const was = (firstHeld + more) as Units
  // A second leg that needs no more than the first is not known to the unit: at most what the pair held was enough.
  const other = isFirst ? (more > 0 ? was : Math.min(was, needOf(x, venue, second))) : firstHeld
  const whole = Math.max(own, other) as Units
  const base = isFirst ? own : firstHeld
  return { own, first: base, second: (whole - base) as Units, was, whole }
}

/** Returns the hold of a pair's first leg, in the book or asleep. */
function heldBy(x: State, venue: Venue, leg: OrderSlot): Units {
  const { f, i } = x.orders
  const flags = i[leg * I + FLAGS]!
  if ((flags & PENDING) !== 0) return x.orders.extra(leg).held
  return bookHold(venue, (flags & SELL) as SideNumber, f[leg * F + PRICE] as Ticks, f[leg * F + LEFT] as Lots)
}

/** Replaces the hold of a stop, or of its pair; a margin order borrows what is missing. Already checked. */
function rehold(x: State, venue: Venue, slot: OrderSlot, user: UserId, { first, second, was, whole }: Holds): void {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS] as OrderFlags
  const extra = x.orders.extra(slot)
  const isLeg = (flags & LISTED) !== 0
  const isFirst = !isLeg || f[slot * F + ID]! < f[extra.sibling * F + ID]!
  if (isFirst) extra.held = first
  if (isLeg) x.orders.extra(isFirst ? extra.sibling : slot).held = second
  const row = payingRow(x, venue, (flags & SELL) as SideNumber, user, flags)
  x.ledger.release(row, was)
  fundOrder(x, venue, user, flags, whole, f[slot * F + ID] as OrderId)
  x.ledger.hold(row, whole)
}
