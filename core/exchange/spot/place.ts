import type { OrderSlot } from '../../book/order-fields.ts'
import type { Row } from '../../ledger/row.ts'
import type { SideNumber } from '../../book/codes.ts'
import type { CloseNumber, MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as text from '../../protocol/codec/text.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import * as records from '../../protocol/codec/records.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import * as rules from '../../risk/spot.ts'
import * as desks from '../state/desks.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import * as close from './close.ts'
import * as funds from './funds.ts'
import * as checks from './checks.ts'
import { placeSleeping } from './place-sleeping.ts'
import { marketReason } from './act.ts'
import * as settling from './settle.ts'
import { keepStrategy, tellStrategy } from './strategy.ts'
import * as turnover from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { ANY_MARGIN } = desks
const { copyClientId } = text
const { writeAccepted, writeClosed, writeLevel } = writers
const {
  CLIENT_ID,
  DECREMENTS,
  DECREMENT_SHIFT,
  EXPIRES,
  FOK,
  HAS_SPEND,
  HAS_STRATEGY,
  IOC,
  MARKET_ORDER,
  PLACE_DISPLAY,
  PLACE_FLAGS_AT,
  PLACE_LOTS,
  PLACE_MARKET,
  PLACE_PRICE,
  PLACE_SPEND,
  POST_ONLY,
  SELF_TRADE_MASK,
  SELF_TRADE_SHIFT,
  SELL,
  STOP,
  TIF_MASK,
  TRAILING,
  USER,
} = layout
const { BUY } = codes
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ICEBERG, LEFT, PLACED_AT, PRICE, SLOT, UPDATED_AT, VISIBLE } = fields

const { MARGIN_ORDER, checkFunds, fundOrder, marketLimit, payingRow } = funds
const { checkDisplay, checkMarketShape, checkShape, hasTooMany, lotsOfSpend, opensRisk } = checks
const { checkLots, checkSpend, isPrice, worstPrice } = rules
const { bookHold, markPrevented, reasonNumber } = close
const { SLOTS } = records
const { take } = settling
const { isOverTurnover, isTooMuch, valueIn } = turnover

const noSlot = -1 as OrderSlot
const FILLED = reasonNumber('filled')
const EXPIRED = reasonNumber('ioc')
const NOT_FILLABLE = reasonNumber('fok')
const SELF_TRADE = reasonNumber('self-trade')

/** `spot.place`: a limit order takes and then rests, a market order takes, an order with a trigger sleeps. */
export function placeOrder(x: State, data: Float64Array, offset: number): Refusal | undefined {
  const start = offset & SLOTS
  const venue = x.spotVenue(data[start + PLACE_MARKET] as MarketId)
  const user = (data[start + USER]! | 0) as UserId
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const flags = (data[start + PLACE_FLAGS_AT]! | 0) as OrderFlags
  const lots = ((flags & HAS_SPEND) === 0 ? data[start + PLACE_LOTS]! : 0) as Lots
  if (x.isResting(user) && opensRisk(x, venue, user, flags, lots, noSlot)) return 'RESTING'
  if (x.atMs < venue.opensAtMs && !isQuote(venue, flags, data[start + PLACE_PRICE] as Ticks)) return 'MARKET_HALTED'
  if ((flags & (STOP | TRAILING)) !== 0) return placeSleeping(x, venue, data, start)
  if ((flags & MARKET_ORDER) !== 0) return placeMarket(x, venue, data, start)
  return placeLimit(x, venue, data, start)
}

/** Whether the order would rest without trading, in a market that comes back after a halt. */
function isQuote(venue: Venue, flags: OrderFlags, price: Ticks): boolean {
  return (flags & (STOP | TRAILING | MARKET_ORDER | TIF_MASK)) === 0 && venue.takesQuotes((flags & SELL) as SideNumber, price)
}

function placeLimit(x: State, venue: Venue, data: Float64Array, offset: number): Refusal | undefined {
  const { ledger, orders } = x
  const start = offset & SLOTS
  const { book } = venue
  const { terms } = venue.market
  const user = (data[start + USER]! | 0) as UserId
  const flags = (data[start + PLACE_FLAGS_AT]! | 0) as OrderFlags
  const price = data[start + PLACE_PRICE] as Ticks
  const lots = data[start + PLACE_LOTS] as Lots
  const display = data[start + PLACE_DISPLAY] as Lots
  const side = (flags & SELL) as SideNumber
  const mode = ((flags & SELF_TRADE_MASK) >>> SELF_TRADE_SHIFT) | ((flags & DECREMENTS) >>> DECREMENT_SHIFT)
  const isGtc = (flags & TIF_MASK) === 0

  const wrong =
    checkShape(flags) ??
    (isPrice(price) ? undefined : 'PRICE_INVALID') ??
    checkLots(terms, venue.quotePerTickLot, price, lots) ??
    checkDisplay(flags, lots, display) ??
    (venue.isInBand(price, x.atMs) ? undefined : 'PRICE_OUTSIDE_BAND')
  if (wrong !== undefined) return wrong
  if (isGtc && hasTooMany(x, venue, user, 1)) return 'TOO_MANY_OPEN_ORDERS'
  const need = bookHold(venue, side, price, lots)
  const row = (flags & MARGIN_ORDER) === 0 ? payingRow(x, venue, side, user, 0 as OrderFlags) : (0 as Row)
  // Same check as `checkFunds`, inlined because an extra call matters here.
  if ((flags & MARGIN_ORDER) !== 0) {
    const refusal = x.desks.margin.check(x, venue, user, flags, need, price, lots)
    if (refusal !== undefined) return refusal
  } else if (ledger.available(row) < need) return 'INSUFFICIENT_BALANCE'
  if ((flags & POST_ONLY) !== 0 && book.crosses(side, price)) return 'POST_ONLY_WOULD_TAKE'
  if ((flags & TIF_MASK) === FOK && !book.canFill(side, price, lots, user, mode)) return endUnfillable(x, venue, data, start)
  if (isTooMuch(x, venue, user, flags, price, lots)) return 'TURNOVER_LIMIT'

  // Up to here nothing has changed; from here on nothing can be refused.
  const order = ++x.lastOrder as OrderId
  x.order = order
  const { events } = x
  writeAccepted(events, order, 0, user, data, start + CLIENT_ID, venue.id, flags, price, lots, 0, display, 0, 0)
  if ((flags & HAS_STRATEGY) !== 0) tellStrategy(x, data, start)
  if ((flags & MARGIN_ORDER) !== 0) x.desks.margin.fund(x, venue, user, flags, need, order)
  let left = lots
  let isStopped = false
  let executed = 0
  let taken = 0
  let prevented = 0
  if (book.crosses(side, price)) {
    left = take(x, venue, side, user, order, price, lots, Infinity, mode, flags)
    isStopped = book.isSelfStopped
    executed = book.takenLots
    taken = book.taken
    prevented = book.preventedLots
  }
  if (left === 0 || isStopped || !isGtc) {
    const reason = isStopped || (left === 0 && prevented > 0) ? SELF_TRADE : left === 0 ? FILLED : EXPIRED
    writeClosed(events, order, user, venue.id, reason, executed as Lots, (taken * venue.quotePerTickLot) as Units)
    return undefined
  }

  const slot = orders.add(order, user, venue.id)
  const { f, i, c } = orders
  const ft = (slot & SLOT) * F
  f[ft + PRICE] = price
  f[ft + LEFT] = left
  f[ft + VISIBLE] = left
  f[ft + EXECUTED_LOTS] = executed
  f[ft + EXECUTED] = taken
  f[ft + PLACED_AT] = x.atMs
  i[(slot & SLOT) * I + FLAGS] = flags
  if ((flags & ANY_MARGIN) !== 0) x.desks.margin.placed(x, slot)
  const ct = (slot & SLOT) * C
  copyClientId(c, ct, data, start + CLIENT_ID)
  c[ct + UPDATED_AT] = x.atMs
  if (display !== 0) showPart(x, slot, display)
  if (prevented > 0) markPrevented(x, venue, slot, prevented as Lots)
  if ((flags & HAS_STRATEGY) !== 0) keepStrategy(x, slot, data, start)
  const payer = (flags & MARGIN_ORDER) === 0 ? row : payingRow(x, venue, side, user, flags)
  ledger.hold(payer, bookHold(venue, side, price, left))
  writeLevel(events, venue.id, ++venue.lastUpdate, side, price, book.insert(slot, side))
  return undefined
}

/** Ends a fill-or-kill order that the book can't fill: refuses it, or accepts and closes it if it asks for that. */
function endUnfillable(x: State, venue: Venue, data: Float64Array, start: number): Refusal | undefined {
  const user = (data[start + USER]! | 0) as UserId
  const flags = (data[start + PLACE_FLAGS_AT]! | 0) as OrderFlags
  const [price, lots, display] = [data[start + PLACE_PRICE] as Ticks, data[start + PLACE_LOTS] as Lots, data[start + PLACE_DISPLAY] as Lots]
  if ((flags & EXPIRES) === 0) return 'FOK_NOT_FILLABLE'
  writeAccepted(x.events, ++x.lastOrder as OrderId, 0, user, data, start + CLIENT_ID, venue.id, flags, price, lots, 0, display, 0, 0)
  if ((flags & HAS_STRATEGY) !== 0) tellStrategy(x, data, start)
  return endUnfilled(x, venue, user, NOT_FILLABLE)
}

/** Sets the shown part of an iceberg order that is about to rest. */
function showPart(x: State, slot: OrderSlot, display: number): void {
  const { f, i } = x.orders
  x.orders.extra(slot).display = display
  i[(slot & SLOT) * I + FLAGS] = i[(slot & SLOT) * I + FLAGS]! | ICEBERG
  f[(slot & SLOT) * F + VISIBLE] = Math.min(display, f[(slot & SLOT) * F + LEFT]!)
}

function placeMarket(x: State, venue: Venue, data: Float64Array, start: number): Refusal | undefined {
  const { terms } = venue.market
  const user = (data[start + USER]! | 0) as UserId
  const flags = (data[start + PLACE_FLAGS_AT]! | 0) as OrderFlags
  const side = (flags & SELL) as SideNumber
  const spend = data[start + PLACE_SPEND] as Units
  const isBySpend = (flags & HAS_SPEND) !== 0
  const wrongShape = checkMarketShape(flags) ?? (isBySpend ? checkSpend(terms, spend) : undefined)
  if (wrongShape !== undefined) return wrongShape
  const reference = venue.protection(x.atMs)
  const worst = reference === 0 ? (0 as Ticks) : worstPrice(side as 0 | 1, reference, terms.slippagePpm)
  const asked = (isBySpend ? 0 : data[start + PLACE_LOTS]!) as Lots
  const wrongSize = isBySpend ? undefined : checkLots(terms, venue.quotePerTickLot, (worst || 1) as Ticks, asked)
  if (wrongSize !== undefined && !(wrongSize === 'NOTIONAL_TOO_SMALL' && reference === 0)) return wrongSize
  if (reference === 0) return 'NO_REFERENCE_PRICE'
  const most = isBySpend ? terms.lotsMax : asked
  // If no price is good enough, the check of funds gives the reason.
  const limit = (marketLimit(x, venue, side, user, flags, most, isBySpend ? spend : (0 as Units), worst) || worst) as Ticks
  const lots = isBySpend ? lotsOfSpend(venue, side, spend, limit) : asked
  if (isBySpend && lots < terms.lotsMin) return 'QUANTITY_TOO_SMALL'
  const need = isBySpend && side === BUY ? spend : bookHold(venue, side, limit, lots)
  // The lots that the amount moves at the worst price, not the most that the market allows.
  const moved = isBySpend ? (Math.min(lots, Math.floor(spend / (limit * venue.quotePerTickLot))) as Lots) : lots
  const unfunded = checkFunds(x, venue, side, user, flags, need, limit, moved)
  if (unfunded !== undefined) return unfunded
  const isEmpty = venue.book.best((1 - side) as SideNumber) === 0
  if (isEmpty && (flags & EXPIRES) === 0) return 'NO_LIQUIDITY'
  const isMuch = isBySpend
    ? (flags & ANY_MARGIN) === 0 && isOverTurnover(x, user, valueIn(x, venue, spend), noSlot)
    : isTooMuch(x, venue, user, flags, limit, asked)
  if (isMuch) return 'TURNOVER_LIMIT'

  const order = ++x.lastOrder as OrderId
  x.order = order
  const ioc = ((flags & ~TIF_MASK) | IOC) as OrderFlags
  writeAccepted(x.events, order, 0, user, data, start + CLIENT_ID, venue.id, ioc, 0, asked, isBySpend ? spend : 0, 0, 0, 0)
  if ((flags & HAS_STRATEGY) !== 0) tellStrategy(x, data, start)
  if (isEmpty) return endUnfilled(x, venue, user, EXPIRED)
  fundOrder(x, venue, user, flags, need, order)
  const mode = ((flags & SELF_TRADE_MASK) >>> SELF_TRADE_SHIFT) | ((flags & DECREMENTS) >>> DECREMENT_SHIFT)
  const budget = isBySpend ? Math.floor(spend / venue.quotePerTickLot) : Infinity
  const left = take(x, venue, side, user, order, limit, lots, budget, mode, flags)
  const reason = marketReason(venue, side, left, isBySpend, venue.book.takenLots)
  writeClosed(x.events, order, user, venue.id, reason, venue.book.takenLots, (venue.book.taken * venue.quotePerTickLot) as Units)
  return undefined
}

/** Closes the order that was just accepted and traded nothing. */
function endUnfilled(x: State, venue: Venue, user: UserId, reason: CloseNumber): undefined {
  x.order = x.lastOrder
  writeClosed(x.events, x.lastOrder, user, venue.id, reason, 0 as Lots, 0 as Units)
}
