/** Futures orders that sleep or, after waking, wait to act: their counts and held margin. */
import type { UserId } from '../../../protocol/ids.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { State } from '../../state/state.ts'
import { ceilingOf } from '../../state/ceiling.ts'
import { checkLeverage } from '../rules/checks.ts'
import { sleepingNeed, usableBy } from '../rules/money.ts'
import type { Contract, Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { F, FLAGS, I, LEFT, PENDING, WAKING } = fields
const { CLOSING, REDUCE_ONLY } = layout

/** Largest number of sleeping orders of a user, in one Futures market and in all of them. */
export const asleepMax = 20
export const asleepInAllMax = 200
/** Largest number of exits that a user gives one position: sleeping orders that only reduce. */
export const exitsMax = 10

/** Whether a sleeping order is removed with its position, because it only reduces. */
export function diesWithPosition(flags: OrderFlags): boolean {
  return (flags & (CLOSING | REDUCE_ONLY)) !== 0
}

/** Whether an order sleeps or waits to act. */
export function isAsleep(flags: OrderFlags): boolean {
  return (flags & (PENDING | WAKING)) !== 0
}

/** Whether one more sleeping order would be too many for this user. */
export function hasTooManyAsleep(x: State, contract: Contract, user: UserId): boolean {
  let inMarket = 0
  let inAll = 0
  for (const holding of x.perp.knownAccount(user)?.holdings ?? []) {
    inAll += holding.asleep
    if (holding.contract === contract) inMarket += holding.asleep
  }
  return inMarket >= asleepMax || inAll >= asleepInAllMax
}

/**
 * Whether a user can pay the margin of an order that may open when it wakes. `price`: used for its value. `before`: the value (tick ×
 * lot) for which it holds margin already.
 */
export function checkAsleep(x: State, holding: Holding, price: Ticks, lots: Lots, before = 0 as Units): Refusal | undefined {
  const value = price * lots
  if (holding.leverage > ceilingOf(x, holding.user)) return 'LEVERAGE_CEILING'
  const wrong = checkLeverage(holding.contract, (value * holding.contract.q) as Units, holding.leverage)
  if (wrong !== undefined) return wrong
  const more = sleepingNeed(holding, value - before) - sleepingNeed(holding, 0)
  return more > usableBy(x, holding) ? 'MARGIN_INSUFFICIENT' : undefined
}

/** Whether a position already has as many exits as a user may give it. */
export function hasAllExits(holding: Holding, flags: OrderFlags): boolean {
  return diesWithPosition(flags) && holding.sleeping >= exitsMax
}

/** Adds a sleeping order to a position. `price`: used for the value of an order that may open. */
export function fallAsleep(x: State, holding: Holding, slot: OrderSlot, price: Ticks): void {
  holding.asleep++
  if (diesWithPosition(x.orders.i[slot * I + FLAGS] as OrderFlags)) {
    holding.sleeping++
    return
  }
  const value = (price * x.orders.f[slot * F + LEFT]!) as Units
  x.orders.extra(slot).held = value
  holding.sleepingValue += value
  x.perp.touch(holding, false)
}

/** Removes an order from the sleeping ones. Returns the price used for its value; 0: it held nothing. */
export function leaveSleep(x: State, holding: Holding, slot: OrderSlot): Ticks {
  holding.asleep--
  if (diesWithPosition(x.orders.i[slot * I + FLAGS] as OrderFlags)) {
    holding.sleeping--
    return 0 as Ticks
  }
  const extra = x.orders.extra(slot)
  const { held } = extra
  extra.held = 0 as Units
  holding.sleepingValue -= held
  // The value is a multiple of the lots and far below 2^53.
  return held === 0 ? (0 as Ticks) : (Math.round(held / x.orders.f[slot * F + LEFT]!) as Ticks)
}

/** Restores the count and the hold of an order after a restart, as they were dumped. */
export function restoreAsleep(x: State, holding: Holding, slot: OrderSlot): void {
  holding.asleep++
  if (diesWithPosition(x.orders.i[slot * I + FLAGS] as OrderFlags)) holding.sleeping++
  else holding.sleepingValue += x.orders.extra(slot).held
}
