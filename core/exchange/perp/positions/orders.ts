import type { SideNumber } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ticks } from '../../../money/brand.ts'
import type { CloseNumber, OrderId } from '../../../protocol/ids.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import { bankruptcyPrice, isBeyondBankruptcy } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { count, discard, reasonNumber } from './close.ts'
import { closable, cushionOf, openingLimitOf } from '../rules/money.ts'
import { addSlot, forgetPrices } from '../records/held-orders.ts'
import type { Holding } from '../records/state.ts'
import { take } from './settle.ts'
import { protectionPrice, soundLimit } from '../rules/sound.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeLevel } = writers
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, LEFT, PLACED_AT, PRICE, UPDATED_AT, VISIBLE } = fields
const { FOK, POST_ONLY, REDUCE_ONLY, SELF_TRADE_MASK, SELF_TRADE_SHIFT, SELL, TIF_MASK } = layout

const FILLED = reasonNumber('filled')
const EXPIRED = reasonNumber('ioc')
const NOT_FILLABLE = reasonNumber('fok')
const SELF_TRADE = reasonNumber('self-trade')
const SLIPPAGE = reasonNumber('slippage')
const REDUCED = reasonNumber('reduce-only')
const WOULD_TAKE = reasonNumber('post-only')

/** Takes a slot for an order that is not yet in the book or asleep. */
export function store(x: State, holding: Holding, order: OrderId, flags: OrderFlags, price: Ticks, lots: Lots): OrderSlot {
  const { orders } = x
  const slot = orders.add(order, holding.user, holding.market)
  addSlot(holding, slot)
  const at = slot * F
  orders.f[at + PRICE] = price
  orders.f[at + LEFT] = lots
  orders.f[at + VISIBLE] = 0
  orders.f[at + EXECUTED_LOTS] = 0
  orders.f[at + EXECUTED] = 0
  orders.f[at + PLACED_AT] = x.atMs
  orders.c[slot * C + UPDATED_AT] = x.atMs
  orders.i[slot * I + FLAGS] = flags
  return slot
}

export function copyClientId(x: State, slot: OrderSlot, from: Float64Array, start: number): void {
  for (let n = 0; n < 6; n++) x.orders.c[slot * C + n] = from[start + n]!
}

/** Puts a stored order into the book; `flush` raises the hold. */
export function rest(x: State, holding: Holding, slot: OrderSlot): void {
  const { f, i } = x.orders
  const { venue } = holding.contract
  const side = (i[slot * I + FLAGS]! & SELL) as SideNumber
  const price = f[slot * F + PRICE] as Ticks
  f[slot * F + VISIBLE] = f[slot * F + LEFT]!
  forgetPrices(holding, side)
  count(holding, i[slot * I + FLAGS] as OrderFlags, price, f[slot * F + LEFT] as Lots)
  x.perp.touch(holding, false)
  writeLevel(x.events, venue.id, ++venue.lastUpdate, side, price, venue.book.insert(slot, side))
}

/**
 * Worst price of a market order: its protection price, limited to the bankruptcy price of the position that it closes, and to the
 * prices at which maintenance margin and cushion remain for the lots that it opens and for its account.
 */
export function marketLimit(x: State, holding: Holding, side: SideNumber, lots: Lots): Ticks {
  const { contract } = holding
  const standing = closable(holding, side)
  const worst = protectionPrice(x, contract, side)
  const opening = lots > standing ? openingLimitOf(holding, side) : worst
  const nearest = side === 0 ? (Math.min(worst, opening) as Ticks) : (Math.max(worst, opening) as Ticks)
  const limit = lots > standing ? soundLimit(x, holding, side, lots, nearest) : nearest
  if (standing === 0) return limit
  const cushion = cushionOf(x, holding)
  if (!isBeyondBankruptcy(holding.lots, holding.cost, cushion, limit, contract.q)) return limit
  return bankruptcyPrice(holding.lots, holding.cost, cushion, contract.q)
}

export function selfTradeOf(flags: OrderFlags): number {
  return (flags & SELF_TRADE_MASK) >>> SELF_TRADE_SHIFT
}

/** Reason why an order that can't rest ended after its match. */
export function immediateReason(holding: Holding, side: SideNumber, left: Lots, isMarket: boolean): CloseNumber {
  const { book } = holding.contract.venue
  if (left === 0) return FILLED
  if (book.isSelfStopped) return SELF_TRADE
  return isMarket && book.best((1 - side) as SideNumber) !== 0 ? SLIPPAGE : EXPIRED
}

/** Lets a stored limit order act after it woke, or after an amend sent it to the end of the queue: it takes, then rests or closes. */
export function actAsLimit(x: State, holding: Holding, slot: OrderSlot, order: OrderId): void {
  const { f, i } = x.orders
  const { contract } = holding
  const { book } = contract.venue
  const at = slot * F
  const flags = i[slot * I + FLAGS] as OrderFlags
  const side = (flags & SELL) as SideNumber
  const price = f[at + PRICE] as Ticks
  x.orders.c[slot * C + UPDATED_AT] = x.atMs
  if ((flags & POST_ONLY) !== 0 && book.crosses(side, price)) return discard(x, contract, slot, WOULD_TAKE)
  const asked = f[at + LEFT] as Lots
  if ((flags & TIF_MASK) === FOK && !book.canFill(side, price, asked, holding.user, selfTradeOf(flags)))
    return discard(x, contract, slot, NOT_FILLABLE)
  const left = take(x, holding, side, order, price, asked, selfTradeOf(flags))
  f[at + LEFT] = left
  f[at + EXECUTED_LOTS] = f[at + EXECUTED_LOTS]! + book.takenLots
  f[at + EXECUTED] = f[at + EXECUTED]! + book.taken
  if (left === 0 || book.isSelfStopped || (flags & TIF_MASK) !== 0) {
    return discard(x, contract, slot, immediateReason(holding, side, left, false))
  }
  if ((flags & REDUCE_ONLY) !== 0 && closable(holding, side) === 0) return discard(x, contract, slot, REDUCED)
  rest(x, holding, slot)
}
