import type { SideNumber } from '../../book/codes.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as text from '../../protocol/codec/text.ts'
import { packText, unpackText } from '../../protocol/codec/text.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import type { MarketTerms } from '../../protocol/market.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { bandHigh, bandLow, checkLots, isPrice, worstPrice } from '../../risk/spot.ts'
import * as entry from '../requests/entry.ts'
import * as desks from '../state/desks.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { bookHold } from './close.ts'
import * as funds from './funds.ts'
import { checkFunds, fundOrder, payingRow } from './funds.ts'
import { copyClientId, sleep } from './place-sleeping.ts'
import { hasTooMany, opensRisk } from './checks.ts'
import { isOverTurnover, turnoverOfList } from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { ANY_MARGIN } = desks
const { writeAccepted, writeLevel } = writers
const {
  CLIENT_ID,
  DECREMENTS,
  FALLS,
  IOC,
  MARKET_ORDER,
  OCO_FLAGS,
  OCO_HAS_LIMIT_ID,
  OCO_HAS_LIMIT_TRIGGER,
  OCO_HAS_STOP_ID,
  OCO_HAS_STOP_LIMIT,
  OCO_LIMIT,
  OCO_LIMIT_ID,
  OCO_LIMIT_TAKES,
  OCO_LIMIT_TIF_SHIFT,
  OCO_LIMIT_TRIGGER,
  OCO_LOTS,
  OCO_MARKET,
  OCO_STOP,
  OCO_STOP_ID,
  OCO_STOP_LIMIT,
  OCO_STOP_TIF_SHIFT,
  POST_ONLY,
  SELF_TRADE_MASK,
  SELL,
  STOP,
  TIF_SHIFT,
  USER,
} = layout
const { BUY } = codes
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, LEFT, LISTED, PLACED_AT, PRICE, UPDATED_AT, VISIBLE } = fields
const { clientIdSlots } = text
const { UNKNOWN } = entry
const { MARGIN_ORDER } = funds

const listIdMax = 30
/** Takes the place of a command's code when a leg's client id is remembered. No command has this code, so no body equals it. */
const legCode = -1
/** Client ids of the limit leg and, after it, of the stop leg. */
const legIds = new Float64Array(2 * clientIdSlots)

/**
 * `spot.placeOco`: a limit order in the book, or one that waits to take a profit, and a stop, on either side of the last price.
 * One hold covers the more expensive of the two. Both legs belong to the same account, spot or margin. The list has the first
 * number, the limit leg the second, the stop leg the third.
 */
export function placeOco(x: State, data: Float64Array, start: number): Refusal | undefined {
  const venue = x.spotVenue(data[start + OCO_MARKET] as MarketId)
  const user = data[start + USER] as UserId
  const given = data[start + OCO_FLAGS]! | 0
  if (x.isFrozen(user)) return 'USER_FROZEN'
  const ids = nameLegs(x, user, given, data, start)
  if (ids !== undefined) return ids
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const { terms } = venue.market
  const owned = (given & (MARGIN_ORDER | SELL)) as OrderFlags
  const lots = data[start + OCO_LOTS] as Lots
  if (x.isResting(user) && opensRisk(x, venue, user, owned, lots, -1 as OrderSlot)) return 'RESTING'
  if (x.atMs < venue.opensAtMs) return 'MARKET_HALTED'

  const side = (given & SELL) as SideNumber
  const margin = (given & MARGIN_ORDER) as OrderFlags
  const limit = data[start + OCO_LIMIT] as Ticks
  const waits = (given & OCO_HAS_LIMIT_TRIGGER) !== 0
  const takes = (given & OCO_LIMIT_TAKES) !== 0
  const trigger = (waits ? data[start + OCO_LIMIT_TRIGGER]! : 0) as Ticks
  const stop = data[start + OCO_STOP] as Ticks
  const stopLimit = data[start + OCO_STOP_LIMIT] as Ticks
  const isStopLimit = (given & OCO_HAS_STOP_LIMIT) !== 0
  const limitTif = (given >>> OCO_LIMIT_TIF_SHIFT) & 3
  const stopTif = (given >>> OCO_STOP_TIF_SHIFT) & 3
  if ((takes && !waits) || (limitTif !== 0 && (takes || !waits)) || (stopTif !== 0 && !isStopLimit)) return 'ORDER_TYPE_INVALID'
  if ((!takes && !isPrice(limit)) || (isStopLimit && !isPrice(stopLimit))) return 'PRICE_INVALID'
  const dearest = takes ? worstPrice(side as 0 | 1, (isPrice(trigger) ? trigger : 1) as Ticks, terms.slippagePpm) : limit
  const worst = isStopLimit ? stopLimit : worstPrice(side as 0 | 1, (isPrice(stop) ? stop : 1) as Ticks, terms.slippagePpm)
  const wrong = checkLots(terms, venue.quotePerTickLot, dearest, lots) ?? checkLots(terms, venue.quotePerTickLot, worst, lots)
  if (wrong !== undefined) return wrong
  if (!isPrice(stop) || (waits && !isPrice(trigger))) return 'TRIGGER_INVALID'
  const last = venue.lastPrice
  const gain = waits ? trigger : limit
  const isApart = side === BUY ? gain < last && last < stop : gain > last && last > stop
  if (last !== 0 && !isApart) return 'OCO_PRICES_INVALID'
  // A sleeping leg's price is measured from its trigger.
  const isInBand = waits ? takes || isNear(terms, limit, trigger) : venue.isInBand(limit, x.atMs)
  if (!isInBand || (isStopLimit && !isNear(terms, stopLimit, stop))) return 'PRICE_OUTSIDE_BAND'
  if (last === 0) return 'NO_REFERENCE_PRICE'
  if (hasTooMany(x, venue, user, 2)) return 'TOO_MANY_OPEN_ORDERS'
  const limitHold = bookHold(venue, side, dearest, lots)
  const need = Math.max(limitHold, bookHold(venue, side, worst, lots)) as Units
  const unfunded = checkFunds(x, venue, side, user, owned, need, waits ? (0 as Ticks) : limit, lots)
  if (unfunded !== undefined) return unfunded
  if (!waits && venue.book.crosses(side, limit)) return 'POST_ONLY_WOULD_TAKE'
  const rests = !waits || (!takes && limitTif === 0) || (isStopLimit && stopTif === 0)
  const value = turnoverOfList(x, venue, Math.max(dearest, worst) as Ticks, lots, rests)
  if ((owned & ANY_MARGIN) === 0 && isOverTurnover(x, user, value, -1 as OrderSlot)) return 'TURNOVER_LIMIT'

  const list = (x.lastOrder + 1) as OrderId
  x.lastOrder = (x.lastOrder + 3) as OrderId
  x.order = list
  const mode = given & (SELF_TRADE_MASK | DECREMENTS)
  // The take-profit triggers in the opposite direction to the stop.
  const waiting = STOP | (side === BUY ? FALLS : 0) | (takes ? MARKET_ORDER | IOC : limitTif << TIF_SHIFT)
  const limitFlags = (side | mode | margin | (waits ? waiting : POST_ONLY)) as OrderFlags
  const stopFlags = side | mode | margin | STOP | (side === BUY ? 0 : FALLS) | (isStopLimit ? stopTif << TIF_SHIFT : MARKET_ORDER | IOC)
  const [stopPrice, limitOrder, stopOrder] = [isStopLimit ? stopLimit : (0 as Ticks), (list + 1) as OrderId, (list + 2) as OrderId]
  writeAccepted(x.events, limitOrder, list, user, legIds, 0, venue.id, limitFlags, limit, lots, 0, 0, trigger, 0)
  writeAccepted(x.events, stopOrder, list, user, legIds, clientIdSlots, venue.id, stopFlags as OrderFlags, stopPrice, lots, 0, 0, stop, 0)
  const limitLeg = waits
    ? sleep(x, venue, limitOrder, user, (limitFlags | LISTED) as OrderFlags, limit, lots, limitHold)
    : rest(x, venue, limitOrder, user, limitFlags, limit, lots)
  const stopLeg = sleep(x, venue, stopOrder, user, (stopFlags | LISTED) as OrderFlags, stopPrice, lots, (need - limitHold) as Units)
  copyClientId(x, limitLeg, legIds, 0)
  copyClientId(x, stopLeg, legIds, clientIdSlots)
  join(x, limitLeg, stopLeg, list)
  x.orders.extra(stopLeg).trigger = stop
  venue.triggers.add(stopLeg, last)
  if (waits) {
    x.orders.extra(limitLeg).trigger = trigger
    venue.triggers.add(limitLeg, last)
  }
  fundOrder(x, venue, user, limitFlags, need, list)
  x.ledger.hold(payingRow(x, venue, side, user, margin), need)
  rememberLegs(x, user, list)
  return undefined
}

/** Whether a sleeping leg's price is in the band around its trigger. */
function isNear({ bandPpm }: MarketTerms, price: Ticks, trigger: Ticks): boolean {
  return price >= bandLow(trigger, bandPpm) && price <= bandHigh(trigger, bandPpm)
}

function rest(x: State, venue: Venue, order: OrderId, user: UserId, flags: OrderFlags, price: Ticks, lots: Lots): OrderSlot {
  const { orders } = x
  const slot = orders.add(order, user, venue.id)
  const ft = slot * F
  orders.f[ft + PRICE] = price
  orders.f[ft + LEFT] = lots
  orders.f[ft + VISIBLE] = lots
  orders.f[ft + EXECUTED_LOTS] = 0
  orders.f[ft + EXECUTED] = 0
  orders.f[ft + PLACED_AT] = x.atMs
  orders.c[slot * C + UPDATED_AT] = x.atMs
  orders.i[slot * I + FLAGS] = flags | LISTED
  if ((flags & ANY_MARGIN) !== 0) x.desks.margin.placed(x, slot)
  writeLevel(x.events, venue.id, ++venue.lastUpdate, flags & SELL, price, venue.book.insert(slot, (flags & SELL) as SideNumber))
  return slot
}

function join(x: State, limitLeg: OrderSlot, stopLeg: OrderSlot, list: OrderId): void {
  const first = x.orders.extra(limitLeg)
  const second = x.orders.extra(stopLeg)
  first.list = list
  second.list = list
  first.sibling = stopLeg
  second.sibling = limitLeg
}

/** Determines the legs' client ids. If the list has none, neither have the legs. */
function nameLegs(x: State, user: UserId, given: number, data: Float64Array, start: number): Refusal | undefined {
  const name = unpackText(data, start + CLIENT_ID, clientIdSlots)
  const isNamed = name !== ''
  for (const [leg, has, place, suffix] of [
    [0, OCO_HAS_LIMIT_ID, OCO_LIMIT_ID, '-limit'],
    [1, OCO_HAS_STOP_ID, OCO_STOP_ID, '-stop'],
  ] as const) {
    const isGiven = (given & has) !== 0
    if (!isGiven && isNamed && name.length > listIdMax) return 'CLIENT_ID_INVALID'
    const text = isGiven ? unpackText(data, start + place, clientIdSlots) : isNamed ? name + suffix : ''
    packText(text, legIds, leg * clientIdSlots, clientIdSlots)
    if (text === '') continue
    if (text === name || x.requests.find(user, legIds, leg * clientIdSlots) !== UNKNOWN) return 'CLIENT_ID_REUSED'
  }
  const isSame = legIds[0] !== 0 && legIds.slice(0, clientIdSlots).every((slot, i) => slot === legIds[clientIdSlots + i])
  return isSame ? 'CLIENT_ID_REUSED' : undefined
}

/** Reserves a leg's client id: from now on it names the leg's order, and no other request can use it. */
function rememberLegs(x: State, user: UserId, list: OrderId): void {
  for (let leg = 0; leg < 2; leg++) {
    if (legIds[leg * clientIdSlots] === 0) continue
    x.requests.add(user, legIds, leg * clientIdSlots, legCode, 0, 0, list + 1 + leg, 0)
  }
}
