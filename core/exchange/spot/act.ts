import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { CloseNumber, OrderId, UserId } from '../../protocol/ids.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { Lots, Ticks } from '../../money/brand.ts'
import type { SideNumber } from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { bookHold, discard, markPrevented, reasonNumber } from './close.ts'
import { payingRow } from './funds.ts'
import { take } from './settle.ts'
import { isTooMuchNow } from './turnover.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeLevel } = writers
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ICEBERG, ID, LEFT, OWNER, PREVENTED, PRICE, SLOT, UPDATED_AT, VISIBLE } = fields
const { DECREMENTS, DECREMENT_SHIFT, FOK, POST_ONLY, SELF_TRADE_MASK, SELF_TRADE_SHIFT, SELL, TIF_MASK } = layout

const FILLED = reasonNumber('filled')
const EXPIRED = reasonNumber('ioc')
const SELF_TRADE = reasonNumber('self-trade')
const SLIPPAGE = reasonNumber('slippage')
const BALANCE = reasonNumber('balance')
const WOULD_TAKE = reasonNumber('post-only')
const NOT_FILLABLE = reasonNumber('fok')
const TURNOVER = reasonNumber('turnover')

/** Reason why a market order ended after its match. `executed`: lots that it traded in total. */
export function marketReason(venue: Venue, side: SideNumber, left: Lots, isBySpend: boolean, executed: Lots): CloseNumber {
  const { book } = venue
  if (book.preventedLots > 0 && (left === 0 || book.isBudgetSpent)) return SELF_TRADE
  if (left === 0) return FILLED
  if (book.isSelfStopped) return SELF_TRADE
  if (book.isBudgetSpent && !isBySpend) return BALANCE
  if (book.isBudgetSpent) return executed > 0 ? FILLED : EXPIRED
  return book.best((1 - side) as SideNumber) === 0 ? EXPIRED : SLIPPAGE
}

/**
 * Executes a stored limit order that was triggered, or amended and sent to the end of the queue. It must not sleep, be in the book
 * or hold anything. It takes, then rests or closes. Returns whether it closed without a trade.
 */
export function actAsLimit(x: State, venue: Venue, slot: OrderSlot): boolean {
  const { orders } = x
  const { f, i } = orders
  const user = i[(slot & SLOT) * I + OWNER] as UserId
  const flags = i[(slot & SLOT) * I + FLAGS] as OrderFlags
  const side = (flags & SELL) as SideNumber
  const price = f[(slot & SLOT) * F + PRICE] as Ticks
  const mode = ((flags & SELF_TRADE_MASK) >>> SELF_TRADE_SHIFT) | ((flags & DECREMENTS) >>> DECREMENT_SHIFT)
  const { book } = venue
  orders.c[(slot & SLOT) * C + UPDATED_AT] = x.atMs
  if ((flags & POST_ONLY) !== 0 && book.crosses(side, price)) return end(x, venue, slot, WOULD_TAKE)
  if (isTooMuchNow(x, venue, slot, price, f[(slot & SLOT) * F + LEFT] as Lots)) return end(x, venue, slot, TURNOVER)
  const isFok = (flags & TIF_MASK) === FOK
  if (isFok && !book.canFill(side, price, f[(slot & SLOT) * F + LEFT] as Lots, user, mode)) return end(x, venue, slot, NOT_FILLABLE)
  const left = take(
    x,
    venue,
    side,
    user,
    f[(slot & SLOT) * F + ID] as OrderId,
    price,
    f[(slot & SLOT) * F + LEFT] as Lots,
    Infinity,
    mode,
    flags,
  )
  f[(slot & SLOT) * F + LEFT] = left
  f[(slot & SLOT) * F + EXECUTED_LOTS] = f[(slot & SLOT) * F + EXECUTED_LOTS]! + book.takenLots
  f[(slot & SLOT) * F + EXECUTED] = f[(slot & SLOT) * F + EXECUTED]! + book.taken
  if (book.preventedLots > 0) markPrevented(x, venue, slot, book.preventedLots)
  const isUnfilled = book.takenLots === 0
  if (left === 0) {
    discard(x, venue, slot, (i[(slot & SLOT) * I + FLAGS]! & PREVENTED) === 0 ? FILLED : SELF_TRADE)
    return isUnfilled
  }
  if (book.isSelfStopped || (flags & TIF_MASK) !== 0) {
    discard(x, venue, slot, book.isSelfStopped ? SELF_TRADE : EXPIRED)
    return isUnfilled
  }
  f[(slot & SLOT) * F + VISIBLE] = (flags & ICEBERG) === 0 ? left : Math.min(left, orders.extra(slot).display)
  x.ledger.hold(payingRow(x, venue, side, user, flags), bookHold(venue, side, price, left))
  const shown = book.insert(slot, side)
  writeLevel(x.events, venue.id, ++venue.lastUpdate, side, price, shown)
  return false
}

function end(x: State, venue: Venue, slot: OrderSlot, reason: CloseNumber): boolean {
  discard(x, venue, slot, reason)
  return true
}
