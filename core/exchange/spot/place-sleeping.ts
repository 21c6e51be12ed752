import type { SideNumber } from '../../book/codes.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { OrderId, UserId } from '../../protocol/ids.ts'
import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import { mulDivCeil } from '../../money/mul-div.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import * as rules from '../../risk/spot.ts'
import { bandHigh, bandLow, checkLots, checkSpend, isPrice, worstPrice } from '../../risk/spot.ts'
import { checkTrigger, trailMaxPpm } from '../../risk/trigger.ts'
import * as desks from '../state/desks.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { bookHold } from './close.ts'
import { checkFunds, fundOrder, payingRow } from './funds.ts'
import { checkDisplay, checkMarketShape, checkShape, hasTooMany, lotsOfSpend } from './checks.ts'
import { keepStrategy, tellStrategy } from './strategy.ts'
import { isOverTurnover, isTooMuch, valueIn } from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { ANY_MARGIN } = desks
const { writeAccepted } = writers
const {
  CLIENT_ID,
  FALLS,
  HAS_ACTIVATION,
  HAS_DISPLAY,
  HAS_SPEND,
  HAS_STRATEGY,
  IOC,
  MARKET_ORDER,
  PLACE_ACTIVATION,
  PLACE_DISPLAY,
  PLACE_FLAGS_AT,
  PLACE_LOTS,
  PLACE_PRICE,
  PLACE_SPEND,
  PLACE_TRIGGER,
  SELL,
  STOP,
  TIF_MASK,
  TRAILING,
  USER,
} = layout
const { BUY } = codes
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ICEBERG, LEFT, PENDING, PLACED_AT, PRICE, UPDATED_AT, VISIBLE } = fields
const { notionalMax, ticksMax } = rules

/**
 * Places an order that sleeps until its trigger. It holds the most that it could need when it wakes: a limit order its value, a
 * market buy its cost at the worst price, measured from the worst price at which it could wake.
 */
export function placeSleeping(x: State, venue: Venue, data: Float64Array, start: number): Refusal | undefined {
  const { terms } = venue.market
  const user = data[start + USER] as UserId
  const flags = (data[start + PLACE_FLAGS_AT]! | 0) as OrderFlags
  const side = (flags & SELL) as SideNumber
  const isMarket = (flags & MARKET_ORDER) !== 0
  const price = (isMarket ? 0 : data[start + PLACE_PRICE]!) as Ticks
  const lots = data[start + PLACE_LOTS] as Lots
  const spend = data[start + PLACE_SPEND] as Units
  const isBySpend = (flags & HAS_SPEND) !== 0
  const display = data[start + PLACE_DISPLAY] as Lots
  const trigger = data[start + PLACE_TRIGGER] as Ticks
  const activation = data[start + PLACE_ACTIVATION] as Ticks
  const worst = worstTrigger(flags, trigger, activation, venue.lastPrice)
  const limit = isMarket ? worstPrice(side as 0 | 1, Math.max(1, worst) as Ticks, terms.slippagePpm) : price
  const wrong =
    (isMarket ? checkMarketShape(flags) : checkShape(flags)) ??
    (isMarket || isPrice(price) ? undefined : 'PRICE_INVALID') ??
    (isBySpend
      ? (checkSpend(terms, spend) ?? (lotsOfSpend(venue, side, spend, limit) < terms.lotsMin ? 'QUANTITY_TOO_SMALL' : undefined))
      : checkLots(terms, venue.quotePerTickLot, limit, lots)) ??
    checkDisplay(flags, lots, display) ??
    checkTrigger(flags, trigger, activation, venue.lastPrice)
  if (wrong !== undefined) return wrong
  if (!isMarket && (price < bandLow(worst, terms.bandPpm) || price > bandHigh(worst, terms.bandPpm))) return 'PRICE_OUTSIDE_BAND'
  if ((flags & TRAILING) !== 0 && venue.lastPrice === 0) return 'NO_REFERENCE_PRICE'
  if (hasTooMany(x, venue, user, 1)) return 'TOO_MANY_OPEN_ORDERS'
  const need = isBySpend ? spendHold(venue, side, spend, limit) : bookHold(venue, side, limit, lots)
  if (need > notionalMax) return 'NOTIONAL_TOO_LARGE'
  const unfunded = checkFunds(x, venue, side, user, flags, need, 0 as Ticks, lots)
  if (unfunded !== undefined) return unfunded
  const isMuch = isBySpend
    ? (flags & ANY_MARGIN) === 0 && isOverTurnover(x, user, valueIn(x, venue, spend), -1 as OrderSlot)
    : isTooMuch(x, venue, user, flags, limit, lots)
  if (isMuch) return 'TURNOVER_LIMIT'

  const order = ++x.lastOrder as OrderId
  x.order = order
  const told = (isMarket ? (flags & ~TIF_MASK) | IOC : flags) as OrderFlags
  const asked = isBySpend ? (0 as Lots) : lots
  writeAccepted(x.events, order, 0, user, data, start + CLIENT_ID, venue.id, told, price, asked, spend, display, trigger, activation)
  if ((flags & HAS_STRATEGY) !== 0) tellStrategy(x, data, start)
  const slot = sleep(x, venue, order, user, told, price, asked, need)
  copyClientId(x, slot, data, start + CLIENT_ID)
  if ((flags & HAS_STRATEGY) !== 0) keepStrategy(x, slot, data, start)
  const extra = x.orders.extra(slot)
  extra.spend = spend
  extra.display = display
  extra.trigger = trigger
  extra.activation = activation
  venue.triggers.add(slot, venue.lastPrice)
  fundOrder(x, venue, user, flags, need, order)
  x.ledger.hold(payingRow(x, venue, side, user, flags), need)
  return undefined
}

/** Stores a sleeping order that holds `held`. The caller sets its trigger. */
export function sleep(
  x: State,
  venue: Venue,
  order: OrderId,
  user: UserId,
  flags: OrderFlags,
  price: Ticks,
  lots: Lots,
  held: Units,
): OrderSlot {
  const { orders } = x
  const slot = orders.add(order, user, venue.id)
  const ft = slot * F
  orders.f[ft + PRICE] = price
  orders.f[ft + LEFT] = lots
  orders.f[ft + VISIBLE] = 0
  orders.f[ft + EXECUTED_LOTS] = 0
  orders.f[ft + EXECUTED] = 0
  orders.f[ft + PLACED_AT] = x.atMs
  orders.c[slot * C + UPDATED_AT] = x.atMs
  orders.i[slot * I + FLAGS] = flags | PENDING | ((flags & HAS_DISPLAY) !== 0 ? ICEBERG : 0)
  orders.extra(slot).held = held
  if ((flags & ANY_MARGIN) !== 0) x.desks.margin.placed(x, slot)
  return slot
}

export function copyClientId(x: State, slot: OrderSlot, from: Float64Array, start: number): void {
  for (let n = 0; n < 6; n++) x.orders.c[slot * C + n] = from[start + n]!
}

/** Price at which the order wakes; for a trailing order, the highest price at which it could wake if the price is `from` now. */
export function worstTrigger(flags: OrderFlags, trigger: Ticks, activation: Ticks, from: Ticks): Ticks {
  if ((flags & STOP) !== 0) return isPrice(trigger) ? trigger : (1 as Ticks)
  const start = (flags & HAS_ACTIVATION) !== 0 && isPrice(activation) ? activation : from
  if ((flags & FALLS) !== 0 || !(trigger >= 0 && trigger <= trailMaxPpm)) return Math.max(1, start) as Ticks
  return Math.min(ticksMax, Math.max(1, mulDivCeil(Math.max(start, 1), 1_000_000 + trigger, 1_000_000))) as Ticks
}

/** Hold of an order by amount: the amount when buying; when selling, the lots that may be needed to raise it. */
export function spendHold(venue: Venue, side: SideNumber, spend: Units, limit: Ticks): Units {
  return side === BUY ? spend : bookHold(venue, side, limit, lotsOfSpend(venue, side, spend, limit))
}
