import * as fields from '../../../book/order-fields.ts'
import type { Triggers } from '../../../book/triggers.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import { closeReasons } from '../../../protocol/event/index.ts'
import type { CloseReason } from '../../../protocol/event/index.ts'
import { withoutSlot } from '../../records/slots.ts'
import type { State } from '../../state/state.ts'
import { diesWithPosition, isAsleep, leaveSleep } from './asleep.ts'
import { fitOrders } from './fill.ts'
import { allOrdersOf, closable, sideOfFlags } from '../rules/money.ts'
import type { Contract, Holding, PerpAccount } from '../records/state.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { writeAmended, writeClosed, writeLevel } = writers
const { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ID, LEFT, MARKET, OWNER, PRICE, UPDATED_AT, WAKING } = fields
const { BY_MARK, CLOSING, HAS_EXITS, REDUCE_ONLY, SELL } = layout

export function reasonNumber(reason: CloseReason): number {
  return closeReasons.indexOf(reason)
}

/** The position that an order belongs to. */
export function holdingOf(x: State, contract: Contract, slot: number): Holding {
  const { i } = x.orders
  return x.perp.holding(i[slot * I + OWNER]!, contract, sideOfFlags(i[slot * I + FLAGS]!))
}

/** Where an order with these flags sleeps. */
export function sleepersOf(contract: Contract, flags: number): Triggers {
  return (flags & BY_MARK) !== 0 ? contract.markTriggers : contract.venue.triggers
}

/** Adds to (or with lots below zero takes off) the sums of a position's orders in the book. */
export function count(holding: Holding, flags: number, price: number, lots: number): void {
  const side = (flags & SELL) as 0 | 1
  if ((flags & REDUCE_ONLY) !== 0) {
    holding.reduceLots[side] += lots
    return
  }
  holding.openLots[side] += lots
  holding.openValue[side] += lots * price
}

/** Takes an order out of the core, sleeping or in the book, and frees what it held. */
export function drop(x: State, contract: Contract, slot: number, reason: number): void {
  const { f, i } = x.orders
  const { venue } = contract
  const flags = i[slot * I + FLAGS]!
  const holding = holdingOf(x, contract, slot)
  x.perp.touch(holding, false)
  if (isAsleep(flags)) {
    if ((flags & WAKING) === 0) sleepersOf(contract, flags).remove(slot)
    else forget(x, contract, f[slot * F + ID]!)
    leaveSleep(x, holding, slot)
  } else {
    const price = f[slot * F + PRICE]!
    const lots = venue.book.remove(slot, flags & SELL)
    writeLevel(x.events, venue.id, ++venue.lastUpdate, flags & SELL, price, lots)
    count(holding, flags, price, -f[slot * F + LEFT]!)
  }
  discard(x, contract, slot, reason)
  fitOrders(x, holding)
}

/** An order whose trigger was reached waits no longer for its turn, nor until it may act. */
function forget(x: State, contract: Contract, order: number): void {
  const at = contract.waiting.findIndex((one) => one.order === order)
  if (at >= 0) contract.waiting.splice(at, 1)
  else x.wakes.remove(contract.id, order)
}

/** Leaves an order in the book `left` lots, fewer than before; it keeps its place. */
export function shrink(x: State, contract: Contract, slot: number, left: number): void {
  const { c, f, i } = x.orders
  const { venue } = contract
  const at = slot * F
  const flags = i[slot * I + FLAGS]!
  const holding = holdingOf(x, contract, slot)
  const price = f[at + PRICE]!
  count(holding, flags, price, left - f[at + LEFT]!)
  writeAmended(x.events, f[at + ID]!, i[slot * I + OWNER]!, venue.id, price, left + f[at + EXECUTED_LOTS]!, 1)
  writeLevel(x.events, venue.id, ++venue.lastUpdate, flags & SELL, price, venue.book.shrink(slot, left))
  c[slot * C + UPDATED_AT] = x.atMs
  fitOrders(x, holding)
  x.perp.touch(holding, false)
}

/** Says that an order is closed and gives its slot back. It is in no book and asleep nowhere. */
export function discard(x: State, contract: Contract, slot: number, reason: number): void {
  const { f, i } = x.orders
  const at = slot * F
  const value = f[at + EXECUTED]! * contract.q
  writeClosed(x.events, f[at + ID]!, i[slot * I + OWNER]!, contract.id, reason, f[at + EXECUTED_LOTS]!, value)
  if ((i[slot * I + FLAGS]! & HAS_EXITS) !== 0) x.perp.exits.delete(f[at + ID]!)
  const holding = holdingOf(x, contract, slot)
  holding.slots = withoutSlot(holding.slots, slot)
  x.orders.remove(slot)
}

/**
 * Drops the orders of a position, of a cross account those of all contracts. Its stops stay: they hold nothing, and what
 * is left of the position still wants them.
 */
export function dropAll(x: State, holding: Holding, reason: number): void {
  const holdings = holding.isCross ? holdingsOf(holding.account) : [holding]
  for (const each of holdings) {
    for (const slot of allOrdersOf(x, each)) if (!isStop(x.orders.i[slot * I + FLAGS]!)) drop(x, each.contract, slot, reason)
  }
}

/** Whether an order sleeps, or waits to act, and only ever reduces. */
function isStop(flags: number): boolean {
  return isAsleep(flags) && diesWithPosition(flags)
}

/** Stops larger than what a liquidation left of their position are told to be as large as that. */
export function trimStops(x: State, holding: Holding): void {
  const { f, i } = x.orders
  for (const slot of allOrdersOf(x, holding)) {
    const flags = i[slot * I + FLAGS]!
    const left = closable(holding, flags & SELL)
    if (!isStop(flags) || (flags & CLOSING) !== 0 || left === 0 || f[slot * F + LEFT]! <= left) continue
    f[slot * F + LEFT] = left
    writeAmended(x.events, f[slot * F + ID]!, holding.user, holding.market, f[slot * F + PRICE]!, left + f[slot * F + EXECUTED_LOTS]!, 1)
  }
}

/** A user's places in all contracts, by market and side. */
export function holdingsOf(account: PerpAccount): Holding[] {
  return [...account.holdings].sort((a, b) => a.market - b.market || a.side - b.side)
}

/** The contract that an order stands in. */
export function contractOf(x: State, slot: number): Contract {
  return x.perp.contract(x.orders.f[slot * F + MARKET]!)!
}
