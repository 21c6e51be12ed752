import type { OrderSlot } from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/perp-write.ts'
import { isBeyondBankruptcy, liquidationPrice } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { diesWithPosition, isAsleep } from './asleep.ts'
import { drop, reasonNumber, shrink } from './close.ts'
import { allOrdersOf, closable, crossMaintenance, cushionOf, fitTier, freeOf, maintenanceOf, ordersNeed } from '../rules/money.ts'
import { openingLimitOf, ordersOf, perpRow } from '../rules/money.ts'
import { protectSome } from './protect.ts'
import { settleShortages } from './shortage.ts'
import type { Holding } from '../records/state.ts'
import { setCrossLevels, setIsolatedLevel } from './watch.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writePosition, writePositionClosed } = writers
const { F, FLAGS, I, LEFT, PRICE } = fields
const { CLOSING, REDUCE_ONLY } = layout

const REDUCED = reasonNumber('reduce-only')
const GONE = reasonNumber('position-closed')
const MARGIN = reasonNumber('margin')

/**
 * Completes a command's changes of positions: pays shortages, adjusts the orders beside them, and emits their state. No match may
 * be waiting to be settled. Returns the amount that the insurance fund paid.
 */
export function flush(x: State): Units {
  const { dirty, dirtyAccounts, ended } = x.perp
  if (dirtyAccounts.length === 0) return 0 as Units
  const insured = settleShortages(x)
  for (const holding of dirty) if (holding.isChanged) fitTier(holding)
  // Both lists grow while the consequences for one position touch another.
  for (let n = 0; n < dirty.length; n++) putOrdersRight(x, dirty[n]!)
  for (let n = 0; n < dirtyAccounts.length; n++) {
    const account = dirtyAccounts[n]!
    // The list has an order that a restored exchange would not have.
    for (const holding of [...account.cross].sort((a, b) => a.id - b.id)) dropRuinous(x, holding)
    setCrossLevels(x, account)
    account.isDirty = false
  }
  for (const { record, isShort, cause } of ended) {
    writePosition(x.events, { ...record, lots: 0 as Lots, cost: 0 as Units, margin: 0 as Units }, 0 as Ticks)
    writePositionClosed(x.events, record, isShort ? 1 : 0, cause, x.atMs)
  }
  protectSome(x)
  for (const holding of dirty) {
    holding.isDirty = false
    holding.hasEnded = false
    if (!holding.isChanged) continue
    holding.isChanged = false
    if (!holding.isCross && holding.lots !== 0) setIsolatedLevel(holding)
    if (holding.lots !== 0) writePosition(x.events, holding, shownPrice(x, holding))
  }
  dirty.length = 0
  dirtyAccounts.length = 0
  ended.length = 0
  return insured
}

/**
 * Adjusts orders: those that may only reduce are fitted into the position, none may lose more than the position has behind it, and
 * the others must be paid for.
 */
function putOrdersRight(x: State, holding: Holding): void {
  trimReducing(x, holding, 0)
  trimReducing(x, holding, 1)
  if (holding.sleeping > 0 && (holding.hasEnded || holding.lots === 0)) dropSleeping(x, holding)
  if (!holding.isCross) dropRuinous(x, holding)
  dropUnsound(x, holding, 0)
  dropUnsound(x, holding, 1)
  payForOrders(x, holding)
}

/** Drops or shrinks orders that may only reduce, newest first, until all orders of their side fit into the position. */
function trimReducing(x: State, holding: Holding, side: 0 | 1): void {
  if (holding.reduceLots[side] === 0) return
  const allowed = Math.max(0, closable(holding, side) - holding.openLots[side])
  if (holding.reduceLots[side] <= allowed) return
  for (const slot of ordersOf(x, holding, side)) {
    const excess = holding.reduceLots[side] - allowed
    if (excess <= 0) return
    if ((x.orders.i[slot * I + FLAGS]! & REDUCE_ONLY) === 0) continue
    const left = x.orders.f[slot * F + LEFT]!
    if (left <= excess) drop(x, holding.contract, slot as OrderSlot, REDUCED)
    else shrink(x, holding.contract, slot as OrderSlot, (left - excess) as Lots)
  }
}

function dropSleeping(x: State, holding: Holding): void {
  for (const slot of allOrdersOf(x, holding)) {
    const flags = x.orders.i[slot * I + FLAGS] as OrderFlags
    if (!isAsleep(flags) || !diesWithPosition(flags)) continue
    drop(x, holding.contract, slot as OrderSlot, (flags & CLOSING) !== 0 ? GONE : REDUCED)
  }
}

/** Drops orders that would close the position at a loss beyond all the money behind it. */
function dropRuinous(x: State, holding: Holding): void {
  if (holding.lots === 0) return
  const side = holding.lots > 0 ? 1 : 0
  if (holding.openLots[side] === 0 && holding.reduceLots[side] === 0) return
  const cushion = cushionOf(x, holding)
  const isBeyond = (price: Ticks): boolean => isBeyondBankruptcy(holding.lots, holding.cost, cushion, price, holding.contract.q)
  // No order of the position has a price that loses more than the best of the book.
  if (!isBeyond(holding.contract.venue.book.best(side))) return
  for (const slot of ordersOf(x, holding, side)) {
    if (isBeyond(x.orders.f[slot * F + PRICE] as Ticks)) drop(x, holding.contract, slot as OrderSlot, MARGIN)
  }
}

/**
 * Drops orders that would open so far from the mark that the result would be liquidated at once, because the mark or the leverage
 * changed.
 */
function dropUnsound(x: State, holding: Holding, side: 0 | 1): void {
  if (holding.openLots[side] <= closable(holding, side)) return
  const best = holding.contract.venue.book.best(side)
  const limit = openingLimitOf(holding, side)
  const isBeyond = (price: Ticks): boolean => (side === 0 ? price > limit : price < limit)
  if (!isBeyond(best)) return
  for (const slot of ordersOf(x, holding, side)) {
    const isReducing = (x.orders.i[slot * I + FLAGS]! & REDUCE_ONLY) !== 0
    if (!isReducing && isBeyond(x.orders.f[slot * F + PRICE] as Ticks)) drop(x, holding.contract, slot as OrderSlot, MARGIN)
  }
}

/** Raises the hold to the need of the orders. Orders that can't be paid for any more are dropped, newest first. */
function payForOrders(x: State, holding: Holding): void {
  let need = ordersNeed(x, holding)
  if (need <= holding.ordersMargin) return
  const row = perpRow(x, holding.user)
  const free = freeOf(x, holding.user)
  if (need - holding.ordersMargin > free) {
    for (const slot of allOrdersOf(x, holding)) {
      if (diesWithPosition(x.orders.i[slot * I + FLAGS] as OrderFlags)) continue
      drop(x, holding.contract, slot as OrderSlot, MARGIN)
      need = ordersNeed(x, holding)
      if (need - holding.ordersMargin <= free) break
    }
  }
  if (need <= holding.ordersMargin) return
  x.ledger.hold(row, (need - holding.ordersMargin) as Units)
  holding.ordersMargin = need
}

function isolatedPrice(holding: Holding): Ticks {
  if (holding.lots === 0) return 0 as Ticks
  return liquidationPrice(holding.lots, holding.cost, holding.margin, holding.maintenancePpm, holding.contract.q)
}

/** Mark at which the position is liquidated if nothing else changes; for a cross position, while all other marks stay the same. */
export function shownPrice(x: State, holding: Holding): Ticks {
  if (!holding.isCross) return isolatedPrice(holding)
  const others = crossMaintenance(holding.account) - maintenanceOf(holding)
  const { lots, cost, contract } = holding
  return liquidationPrice(lots, cost, (cushionOf(x, holding) - others) as Units, holding.maintenancePpm, contract.q)
}
