import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import type { SideNumber } from '../../book/codes.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as own from '../../protocol/codec/order-list/layout.ts'
import { clientIdSlots } from '../../protocol/codec/text.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import { ordersOfList } from '../../protocol/command/order-list.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import * as rules from '../../risk/spot.ts'
import { checkTrigger } from '../../risk/trigger.ts'
import * as entry from '../requests/entry.ts'
import type { Handler } from '../state/handler.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { actAsLimit } from './act.ts'
import { checkDisplay, checkMarketShape, checkShape, hasTooMany, opensRisk } from './checks.ts'
import { bookHold } from './close.ts'
import { enterPair, pairNeed } from './enter.ts'
import { payingRow } from './funds.ts'
import { copyClientId, sleep, worstTrigger } from './place-sleeping.ts'
import { isOverTurnover, turnoverOfList } from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAccepted } = writers
const { CLIENT_ID, FALLS, IOC, MARKET_ORDER, POST_ONLY, SELL, STOP, TIF_MASK, TRAILING, USER } = layout
const { ORDERS_FIRST, ORDERS_MARKET, ORDERS_SHAPE, ORDERS_WORK } = own
const { LISTED_ACTIVATION, LISTED_CLIENT_ID, LISTED_DISPLAY, LISTED_FLAGS, LISTED_LOTS, LISTED_PRICE, LISTED_SLOTS, LISTED_TRIGGER } = own
const { CHAINED, FLAGS, I, LISTED, PENDING } = fields
const { BUY } = codes
const { bandHigh, bandLow, checkLots, isPrice, notionalMax, worstPrice } = rules
const { UNKNOWN } = entry

/** Takes the place of a command's code when an order's client id is remembered. No command has this code, so no body equals it. */
const partCode = -1
const noSlot = -1 as OrderSlot
const idSlots = Array.from({ length: clientIdSlots }, (_, slot) => slot)

/** An order of the command, read once. */
type Part = {
  readonly at: number
  readonly flags: OrderFlags
  readonly side: SideNumber
  readonly price: Ticks
  readonly lots: Lots
  readonly display: Lots
  readonly trigger: Ticks
  readonly activation: Ticks
  /** The worst price at which it could trade. */
  readonly limit: Ticks
}

/**
 * `spot.placeList`: a working order with one or two that wait for it, or a pair of legs. A waiting order has a number and counts as an
 * order, but holds nothing and is checked against its funds when it enters.
 */
export const placeList: Handler = (x, data, start) => {
  const venue = x.spotVenue(data[start + ORDERS_MARKET] as MarketId)
  const user = data[start + USER] as UserId
  if (x.isFrozen(user)) return 'USER_FROZEN'
  const shape = data[start + ORDERS_SHAPE]!
  const isWorking = shape > ORDERS_WORK
  const count = isWorking ? shape - ORDERS_WORK + 1 : shape
  const places = Array.from({ length: count }, (_, n) => start + ORDERS_FIRST + n * LISTED_SLOTS)
  if (areIdsUsed(x, user, data, [start + CLIENT_ID, ...places.map((at) => at + LISTED_CLIENT_ID)])) return 'CLIENT_ID_REUSED'
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const first = Math.max(1, isWorking ? data[start + ORDERS_FIRST + LISTED_PRICE]! : venue.lastPrice) as Ticks
  const parts = places.map((at) => partAt({ venue, data, at, reference: first }))
  if (x.isResting(user) && parts.some(({ flags, lots }) => opensRisk(x, venue, user, flags, lots, noSlot))) return 'RESTING'
  if (x.atMs < venue.opensAtMs) return 'MARKET_HALTED'
  const legs = isWorking ? parts.slice(1) : parts
  const [one, other] = legs as [Part, Part | undefined]
  if (!isWorking && other === undefined) return 'ORDER_TYPE_INVALID'
  const wrong =
    (isWorking ? checkWorking(x, venue, parts[0]!) : undefined) ??
    checkLeg(x, venue, one, first) ??
    (other === undefined ? undefined : (checkLeg(x, venue, other, first) ?? checkPair(one, other, isWorking ? 0 : venue.lastPrice)))
  if (wrong !== undefined) return wrong
  const hasNoPrice = venue.lastPrice === 0 && (!isWorking || legs.some(({ flags }) => (flags & TRAILING) !== 0))
  if (hasNoPrice) return 'NO_REFERENCE_PRICE'
  if (hasTooMany(x, venue, user, count)) return 'TOO_MANY_OPEN_ORDERS'
  const now = isWorking ? parts.slice(0, 1) : legs
  const need = Math.max(...now.map((part) => bookHold(venue, part.side, part.limit, part.lots)))
  if (need > notionalMax) return 'NOTIONAL_TOO_LARGE'
  if (x.ledger.available(payingRow(x, venue, now[0]!.side, user, 0 as OrderFlags)) < need) return 'INSUFFICIENT_BALANCE'
  const [{ flags, side, price }] = now as [Part]
  const isMaker = (flags & POST_ONLY) !== 0 && (flags & (STOP | TRAILING)) === 0
  if (isMaker && venue.book.crosses(side, price)) return 'POST_ONLY_WOULD_TAKE'
  if (isOverTurnover(x, user, turnoverOf(x, venue, parts, isWorking), noSlot)) return 'TURNOVER_LIMIT'

  const list = (x.lastOrder + 1) as OrderId
  const numbers = ordersOfList(isWorking ? (other === undefined ? 'oto' : 'otoco') : 'oco', list)
  x.lastOrder = numbers.at(-1)!
  x.order = list
  const slots = parts.map((part, n) => store(x, venue, user, data, { list, order: numbers[n]!, part, isChained: isWorking }))
  if (other !== undefined) join(x, slots.at(-2)!, slots.at(-1)!)
  if (isWorking) begin(x, venue, slots[0]!)
  else enterPair(x, venue, slots[0]!, slots[1]!, pairNeed(x, venue, slots[0]!, slots[1]!))
  return undefined
}

/** Where an order of the command is. `reference`: the price from which a trailing order is taken to start. */
type Place = { readonly venue: Venue; readonly data: Float64Array; readonly at: number; readonly reference: Ticks }

function partAt({ venue, data, at, reference }: Place): Part {
  const given = (data[at + LISTED_FLAGS]! | 0) as OrderFlags
  const isMarket = (given & MARKET_ORDER) !== 0
  const flags = (isMarket && (given & TIF_MASK) === 0 ? given | IOC : given) as OrderFlags
  const trigger = data[at + LISTED_TRIGGER] as Ticks
  const activation = data[at + LISTED_ACTIVATION] as Ticks
  const price = (isMarket ? 0 : data[at + LISTED_PRICE]!) as Ticks
  const side = (flags & SELL) as SideNumber
  const from = (flags & (STOP | TRAILING)) === 0 ? reference : worstTrigger(flags, trigger, activation, reference)
  return {
    at,
    flags,
    side,
    price,
    lots: data[at + LISTED_LOTS] as Lots,
    display: data[at + LISTED_DISPLAY] as Lots,
    trigger,
    activation,
    limit: isMarket ? worstPrice(side as 0 | 1, from, venue.market.terms.slippagePpm) : price,
  }
}

function checkWorking(x: State, venue: Venue, { flags, price, lots, display }: Part): Refusal | undefined {
  if ((flags & (STOP | TRAILING | MARKET_ORDER)) !== 0) return 'ORDER_TYPE_INVALID'
  return (
    checkShape(flags) ??
    (isPrice(price) ? undefined : 'PRICE_INVALID') ??
    checkLots(venue.market.terms, venue.quotePerTickLot, price, lots) ??
    checkDisplay(flags, lots, display) ??
    (venue.isInBand(price, x.atMs) ? undefined : 'PRICE_OUTSIDE_BAND')
  )
}

/**
 * Checks everything about a leg that does not depend on the funds and prices of later. The band of its price is measured from its
 * trigger; without a trigger, from the working order's price or from the market's, because the leg may enter at either.
 */
function checkLeg(x: State, venue: Venue, part: Part, reference: Ticks): Refusal | undefined {
  const { flags, price, lots, display, trigger, activation, limit } = part
  const { terms } = venue.market
  const isMarket = (flags & MARKET_ORDER) !== 0
  const wrong =
    (isMarket ? checkMarketShape(flags) : checkShape(flags)) ??
    (isMarket || isPrice(price) ? undefined : 'PRICE_INVALID') ??
    checkLots(terms, venue.quotePerTickLot, limit, lots) ??
    checkDisplay(flags, lots, display) ??
    // Whether a price has reached it is a question of the pair, or of the time when the leg enters.
    checkTrigger(flags, trigger, activation, 0 as Ticks)
  if (wrong !== undefined || isMarket) return wrong
  const isAsleep = (flags & (STOP | TRAILING)) !== 0
  const middle = isAsleep ? worstTrigger(flags, trigger, activation, reference) : reference
  if (!isAsleep && venue.isInBand(price, x.atMs)) return undefined
  return price < bandLow(middle, terms.bandPpm) || price > bandHigh(middle, terms.bandPpm) ? 'PRICE_OUTSIDE_BAND' : undefined
}

/**
 * The first leg takes a profit: it rests in the book, or has a trigger on the side of a profit, or trails. The second is a stop or
 * trails. `last`: the last price, which lies between them; 0 for legs that wait, whose prices only have to be in this order.
 */
function checkPair(profit: Part, loss: Part, last: Ticks | 0): Refusal | undefined {
  const { side } = profit
  const rises = side === BUY ? FALLS : 0
  const rests = (profit.flags & (STOP | TRAILING)) === 0
  const isProfit = rests ? (profit.flags & POST_ONLY) !== 0 : isTowards(profit, side, rises as OrderFlags)
  const isLoss = (loss.flags & (STOP | TRAILING)) !== 0 && isTowards(loss, side, (FALLS ^ rises) as OrderFlags)
  if (!isProfit || !isLoss || side !== loss.side || profit.lots !== loss.lots) return 'ORDER_TYPE_INVALID'
  const gain = rests ? profit.price : (profit.flags & STOP) !== 0 ? profit.trigger : profit.activation
  const stop = (loss.flags & STOP) !== 0 ? loss.trigger : loss.activation
  const better = (a: Ticks | 0, b: Ticks | 0): boolean => a === 0 || b === 0 || (side === BUY ? a < b : a > b)
  return better(gain, last) && better(last, stop) && better(gain, stop) ? undefined : 'OCO_PRICES_INVALID'
}

/** Whether a leg's stop has this direction. A trailing order trails opposite to its side. */
function isTowards({ flags }: Part, side: SideNumber, direction: OrderFlags): boolean {
  return (flags & FALLS) === ((flags & STOP) !== 0 ? direction : side === BUY ? 0 : FALLS)
}

/** The most that the working order and the larger of the others can execute together, in USDT units. */
function turnoverOf(x: State, venue: Venue, parts: readonly Part[], isWorking: boolean): Units {
  const values = parts.map(({ flags, limit, lots }) => turnoverOfList(x, venue, limit, lots, (flags & (MARKET_ORDER | TIF_MASK)) === 0))
  const [working, legs] = isWorking ? [values[0]!, values.slice(1)] : [0, values]
  return (working + Math.max(...legs)) as Units
}

type Stored = { readonly list: OrderId; readonly order: OrderId; readonly part: Part; readonly isChained: boolean }

/** Stores an order outside the book, with all of its fields, and announces it. */
function store(x: State, venue: Venue, user: UserId, data: Float64Array, { list, order, part, isChained }: Stored): OrderSlot {
  const { flags, price, lots, display, trigger, activation } = part
  const id = part.at + LISTED_CLIENT_ID
  writeAccepted(x.events, order, list, user, data, id, venue.id, flags, price, lots, 0, display, trigger, activation)
  const slot = sleep(x, venue, order, user, (isChained ? flags | CHAINED : flags) as OrderFlags, price, lots, 0 as Units)
  const extra = x.orders.extra(slot)
  extra.list = list
  extra.display = display
  extra.trigger = trigger
  extra.activation = activation
  extra.isParked = true
  copyClientId(x, slot, data, id)
  if (data[id] !== 0) x.requests.add(user, data, id, partCode, 0, 0, order, 0)
  return slot
}

function join(x: State, first: OrderSlot, second: OrderSlot): void {
  x.orders.extra(first).sibling = second
  x.orders.extra(second).sibling = first
  for (const slot of [first, second]) x.orders.i[slot * I + FLAGS] = x.orders.i[slot * I + FLAGS]! | LISTED
}

/** The working order acts: it takes and rests, or ends, and the waiting orders with it. */
function begin(x: State, venue: Venue, slot: OrderSlot): void {
  x.orders.i[slot * I + FLAGS] = x.orders.i[slot * I + FLAGS]! & ~PENDING
  x.orders.extra(slot).isParked = false
  actAsLimit(x, venue, slot)
}

/**
 * Whether a client id of an order names an earlier request, the list, or another of its orders. `places`: where the id of the list is
 * and, after it, those of its orders.
 */
function areIdsUsed(x: State, user: UserId, data: Float64Array, places: readonly number[]): boolean {
  return places.some((place, n) => {
    if (n === 0 || data[place] === 0) return false
    const isTwice = places.slice(0, n).some((earlier) => idSlots.every((slot) => data[earlier + slot] === data[place + slot]))
    return isTwice || x.requests.find(user, data, place) !== UNKNOWN
  })
}
