import type { SideNumber } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import type { CloseNumber, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import * as fields from '../../../book/order-fields.ts'
import type { Triggers } from '../../../book/triggers.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import { closeReasons } from '../../../protocol/event/index.ts'
import type { CloseReason } from '../../../protocol/event/index.ts'
import type { State } from '../../state/state.ts'
import { diesWithPosition, isAsleep, leaveSleep } from './asleep.ts'
import { fitOrders } from './fill.ts'
import { allOrdersOf, closable, sideOfFlags } from '../rules/money.ts'
import { removeSlot } from '../records/held-orders.ts'
import type { Contract, Holding, PerpAccount } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAmended, writeClosed, writeLevel } = writers
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ID, LEFT, MARKET, OWNER, PRICE, UPDATED_AT, WAKING } = fields
const { BY_MARK, CLOSING, HAS_EXITS, HAS_TERMS, REDUCE_ONLY, SELL } = layout

/** Returned instead of a number of dropped orders when others are left. */
export const UNFINISHED = -1

export function reasonNumber(reason: CloseReason): CloseNumber {
  return closeReasons.indexOf(reason) as CloseNumber
}

/** The position that an order belongs to. */
export function holdingOf(x: State, contract: Contract, slot: OrderSlot): Holding {
  const { i } = x.orders
  return x.perp.holding(i[slot * I + OWNER] as UserId, contract, sideOfFlags(i[slot * I + FLAGS] as OrderFlags))
}

/** The sleeping orders among which an order with these flags sleeps. */
export function sleepersOf(contract: Contract, flags: OrderFlags): Triggers {
  return (flags & BY_MARK) !== 0 ? contract.markTriggers : contract.venue.triggers
}

/** Adds to the sums of a position's orders in the book, or with negative lots subtracts. */
export function count(holding: Holding, flags: OrderFlags, price: Ticks, lots: Lots): void {
  const side = (flags & SELL) as 0 | 1
  if ((flags & REDUCE_ONLY) !== 0) {
    holding.reduceLots[side] += lots
    return
  }
  holding.openLots[side] += lots
  holding.openValue[side] += lots * price
}

/** Takes an order out of the core, whether it sleeps or is in the book, and releases its hold. */
export function drop(x: State, contract: Contract, slot: OrderSlot, reason: CloseNumber): void {
  const { f, i } = x.orders
  const { venue } = contract
  const flags = i[slot * I + FLAGS] as OrderFlags
  const holding = holdingOf(x, contract, slot)
  x.perp.touch(holding, false)
  if (isAsleep(flags)) {
    if ((flags & WAKING) === 0) sleepersOf(contract, flags).remove(slot)
    else forget(x, contract, f[slot * F + ID] as OrderId)
    leaveSleep(x, holding, slot)
  } else {
    const price = f[slot * F + PRICE] as Ticks
    const lots = venue.book.remove(slot, (flags & SELL) as SideNumber)
    writeLevel(x.events, venue.id, ++venue.lastUpdate, flags & SELL, price, lots)
    count(holding, flags, price, -f[slot * F + LEFT]! as Lots)
  }
  discard(x, contract, slot, reason)
  fitOrders(x, holding)
}

/** Removes a triggered order from those that wait to act. */
function forget(x: State, contract: Contract, order: OrderId): void {
  const at = contract.waiting.findIndex((one) => one.order === order)
  if (at >= 0) contract.waiting.splice(at, 1)
  else x.wakes.remove(contract.id, order)
}

/** Reduces an order in the book to `left` lots; it keeps its place in the queue. */
export function shrink(x: State, contract: Contract, slot: OrderSlot, left: Lots): void {
  const { c, f, i } = x.orders
  const { venue } = contract
  const at = slot * F
  const flags = i[slot * I + FLAGS] as OrderFlags
  const holding = holdingOf(x, contract, slot)
  const price = f[at + PRICE] as Ticks
  count(holding, flags, price, (left - f[at + LEFT]!) as Lots)
  writeAmended(x.events, f[at + ID] as OrderId, i[slot * I + OWNER] as UserId, venue.id, price, (left + f[at + EXECUTED_LOTS]!) as Lots, 1)
  writeLevel(x.events, venue.id, ++venue.lastUpdate, flags & SELL, price, venue.book.shrink(slot, left))
  c[slot * C + UPDATED_AT] = x.atMs
  fitOrders(x, holding)
  x.perp.touch(holding, false)
}

/** Emits that an order is closed and frees its slot. It must be in no book and not asleep. */
export function discard(x: State, contract: Contract, slot: OrderSlot, reason: CloseNumber): void {
  const { f, i } = x.orders
  const at = slot * F
  const value = (f[at + EXECUTED]! * contract.q) as Units
  writeClosed(x.events, f[at + ID] as OrderId, i[slot * I + OWNER] as UserId, contract.id, reason, f[at + EXECUTED_LOTS] as Lots, value)
  if ((i[slot * I + FLAGS]! & (HAS_EXITS | HAS_TERMS)) !== 0) x.perp.forget(f[at + ID] as OrderId)
  const holding = holdingOf(x, contract, slot)
  removeSlot(holding, slot)
  x.orders.remove(slot)
}

/**
 * Drops orders of a position, at most `most`; for a cross account, those of all markets. Stops stay: they hold nothing, and the rest
 * of the position still needs them. Returns the number of dropped orders, or `UNFINISHED` when others are left.
 */
export function dropSome(x: State, holding: Holding, reason: CloseNumber, most: number): number {
  const holdings = holding.isCross ? holdingsOf(holding.account) : [holding]
  let dropped = 0
  for (const each of holdings) {
    if (each.slots.size === each.sleeping) continue
    for (const slot of allOrdersOf(x, each)) {
      if (isStop(x.orders.i[slot * I + FLAGS] as OrderFlags)) continue
      if (dropped === most) return UNFINISHED
      drop(x, each.contract, slot as OrderSlot, reason)
      dropped++
    }
  }
  return dropped
}

/** Whether an order sleeps or waits to act, and only reduces. */
function isStop(flags: OrderFlags): boolean {
  return isAsleep(flags) && diesWithPosition(flags)
}

/** Reduces stops that are larger than the rest of their position after a liquidation. */
export function trimStops(x: State, holding: Holding): void {
  const { f, i } = x.orders
  for (const slot of allOrdersOf(x, holding)) {
    const flags = i[slot * I + FLAGS] as OrderFlags
    const left = closable(holding, (flags & SELL) as SideNumber)
    if (!isStop(flags) || (flags & CLOSING) !== 0 || left === 0 || f[slot * F + LEFT]! <= left) continue
    f[slot * F + LEFT] = left
    writeAmended(
      x.events,
      f[slot * F + ID] as OrderId,
      holding.user,
      holding.market,
      f[slot * F + PRICE] as Ticks,
      (left + f[slot * F + EXECUTED_LOTS]!) as Lots,
      1,
    )
  }
}

/** A user's holdings in all Futures markets, by market and side. */
export function holdingsOf(account: PerpAccount): Holding[] {
  return [...account.holdings].sort((a, b) => a.market - b.market || a.side - b.side)
}

/** The contract to which an order belongs. */
export function contractOf(x: State, slot: OrderSlot): Contract {
  return x.perp.contract(x.orders.f[slot * F + MARKET] as MarketId)!
}
