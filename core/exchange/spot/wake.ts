import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import { worstPrice } from '../../risk/spot.ts'
import type { State } from '../state.ts'
import type { Venue } from '../venue.ts'
import { bookHold, discard, forget, markPrevented, reasonNumber } from './close.ts'
import { marketLimit, mayAct, payingRow, withoutLoan } from './funds.ts'
import { take } from './settle.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { writeLevel, writeTriggered } = writers
const { BUY } = codes
const {
  C,
  EXECUTED,
  EXECUTED_LOTS,
  F,
  FLAGS,
  I,
  ICEBERG,
  ID,
  LEFT,
  LISTED,
  MARKET,
  OWNER,
  PENDING,
  PREVENTED,
  PRICE,
  SLOT,
  UPDATED_AT,
  VISIBLE,
  WAKING,
} = fields
const { DECREMENTS, DECREMENT_SHIFT, FOK, MARKET_ORDER, POST_ONLY, SELF_TRADE_MASK, SELF_TRADE_SHIFT, SELL, TIF_MASK } = layout

/** Orders that one command wakes at most; the others follow with the next commands. */
export const wakesMax = 32

const OCO = reasonNumber('oco')
const FILLED = reasonNumber('filled')
const EXPIRED = reasonNumber('ioc')
const SELF_TRADE = reasonNumber('self-trade')
const SLIPPAGE = reasonNumber('slippage')
const BALANCE = reasonNumber('balance')
const HALTED = reasonNumber('halted')
const MARGIN = reasonNumber('margin')
const WOULD_TAKE = reasonNumber('post-only')
const NOT_FILLABLE = reasonNumber('fok')

/** Lets those in the wake queues act, as many as one command may. They can wake others, which queue behind. */
export function wakeSome(x: State): void {
  const isOpen = (): boolean => true
  for (let woken = 0; woken < wakesMax && x.wakes.count > 0; woken++) {
    const slot = x.orders.find(x.wakes.next(isOpen))
    const venue = x.venues[x.orders.f[(slot & SLOT) * F + MARKET]!]!
    if (venue.hooks === undefined) wake(x, venue, slot)
    else venue.hooks.wake(x, venue, slot)
  }
}

function wake(x: State, venue: Venue, slot: number): void {
  const { orders, ledger } = x
  const { f, i } = orders
  const user = i[(slot & SLOT) * I + OWNER]!
  const flags = i[(slot & SLOT) * I + FLAGS]! & ~(PENDING | WAKING | LISTED)
  const side = flags & SELL
  const extra = orders.extra(slot)
  writeTriggered(x.events, f[(slot & SLOT) * F + ID]!, user, venue.id)
  if (extra.sibling >= 0) {
    extra.held += takeOver(x, venue, extra.sibling)
    extra.sibling = -1
  }
  i[(slot & SLOT) * I + FLAGS] = flags
  const held = extra.held
  extra.held = 0
  if (held > 0) ledger.release(payingRow(x, venue, side, user, flags), held)
  if (!venue.market.terms.isTrading) discard(x, venue, slot, HALTED)
  else if ((flags & MARKET_ORDER) !== 0) actAsMarket(x, venue, slot, held)
  else if (!mayAct(x, venue, user, flags, f[(slot & SLOT) * F + PRICE]!, f[(slot & SLOT) * F + LEFT]!)) discard(x, venue, slot, MARGIN)
  else actAsLimit(x, venue, slot)
}

/** Closes the leg of an OCO whose other leg wakes; returns what it held, which the other goes on with. */
function takeOver(x: State, venue: Venue, leg: number): number {
  const { f, i } = x.orders
  const flags = i[leg * I + FLAGS]!
  let held: number
  if ((flags & PENDING) !== 0) {
    held = x.orders.extra(leg).held
    forget(x, venue, leg)
  } else {
    const side = flags & SELL
    const price = f[leg * F + PRICE]!
    const lots = venue.book.remove(leg, side)
    writeLevel(x.events, venue.id, ++venue.lastUpdate, side, price, lots)
    held = bookHold(venue, side, price, f[leg * F + LEFT]!)
  }
  discard(x, venue, leg, OCO)
  return held
}

/** A woken market order never spends more than it held: the price may have run away from what was foreseen. */
function actAsMarket(x: State, venue: Venue, slot: number, held: number): void {
  const { f, i } = x.orders
  const user = i[(slot & SLOT) * I + OWNER]!
  const flags = i[(slot & SLOT) * I + FLAGS]!
  const side = flags & SELL
  const { spend } = x.orders.extra(slot)
  const worst = worstPrice(side as 0 | 1, venue.reference(x.atMs), venue.market.terms.slippagePpm)
  const whole = spend === 0 ? f[(slot & SLOT) * F + LEFT]! : side === BUY ? venue.market.terms.lotsMax : Math.floor(held / venue.basePerLot)
  const budget =
    side === BUY ? Math.floor(held / venue.quotePerTickLot) : spend === 0 ? Infinity : Math.floor(spend / venue.quotePerTickLot)
  const mode = ((flags & SELF_TRADE_MASK) >>> SELF_TRADE_SHIFT) | ((flags & DECREMENTS) >>> DECREMENT_SHIFT)
  const limit = marketLimit(x, venue, side, user, withoutLoan(flags), whole, side === BUY ? held : spend, worst)
  if (limit === 0) return discard(x, venue, slot, SLIPPAGE)
  const left = take(x, venue, side, user, f[(slot & SLOT) * F + ID]!, limit, whole, budget, mode, flags)
  f[(slot & SLOT) * F + EXECUTED_LOTS] = venue.book.takenLots
  f[(slot & SLOT) * F + EXECUTED] = venue.book.taken
  discard(x, venue, slot, marketReason(venue, side, left, spend > 0))
}

/** Why a market order ended, after its match. */
export function marketReason(venue: Venue, side: number, left: number, isBySpend: boolean): number {
  const { book } = venue
  if (book.preventedLots > 0 && (left === 0 || book.isBudgetSpent)) return SELF_TRADE
  if (left === 0) return FILLED
  if (book.isSelfStopped) return SELF_TRADE
  if (book.isBudgetSpent && !isBySpend) return BALANCE
  if (book.isBudgetSpent) return book.takenLots > 0 ? FILLED : EXPIRED
  return book.best(1 - side) === 0 ? EXPIRED : SLIPPAGE
}

/**
 * Lets a stored limit order act that is neither asleep nor in the book and holds nothing: what woke up, or was amended
 * to the end of the queue. It takes, then rests or closes.
 */
export function actAsLimit(x: State, venue: Venue, slot: number): void {
  const { orders } = x
  const { f, i } = orders
  const user = i[(slot & SLOT) * I + OWNER]!
  const flags = i[(slot & SLOT) * I + FLAGS]!
  const side = flags & SELL
  const price = f[(slot & SLOT) * F + PRICE]!
  const mode = ((flags & SELF_TRADE_MASK) >>> SELF_TRADE_SHIFT) | ((flags & DECREMENTS) >>> DECREMENT_SHIFT)
  const { book } = venue
  orders.c[(slot & SLOT) * C + UPDATED_AT] = x.atMs
  if ((flags & POST_ONLY) !== 0 && book.crosses(side, price)) return discard(x, venue, slot, WOULD_TAKE)
  const isFok = (flags & TIF_MASK) === FOK
  if (isFok && !book.canFill(side, price, f[(slot & SLOT) * F + LEFT]!, user, mode)) return discard(x, venue, slot, NOT_FILLABLE)
  const left = take(x, venue, side, user, f[(slot & SLOT) * F + ID]!, price, f[(slot & SLOT) * F + LEFT]!, Infinity, mode, flags)
  f[(slot & SLOT) * F + LEFT] = left
  f[(slot & SLOT) * F + EXECUTED_LOTS] = f[(slot & SLOT) * F + EXECUTED_LOTS]! + book.takenLots
  f[(slot & SLOT) * F + EXECUTED] = f[(slot & SLOT) * F + EXECUTED]! + book.taken
  if (book.preventedLots > 0) markPrevented(x, slot, book.preventedLots)
  if (left === 0) return discard(x, venue, slot, (i[(slot & SLOT) * I + FLAGS]! & PREVENTED) === 0 ? FILLED : SELF_TRADE)
  if (book.isSelfStopped) return discard(x, venue, slot, SELF_TRADE)
  if ((flags & TIF_MASK) !== 0) return discard(x, venue, slot, EXPIRED)
  f[(slot & SLOT) * F + VISIBLE] = (flags & ICEBERG) === 0 ? left : Math.min(left, orders.extra(slot).display)
  x.ledger.hold(payingRow(x, venue, side, user, flags), bookHold(venue, side, price, left))
  const shown = book.insert(slot, side)
  writeLevel(x.events, venue.id, ++venue.lastUpdate, side, price, shown)
}
