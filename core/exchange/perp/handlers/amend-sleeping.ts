import type { OrderSlot } from '../../../book/order-fields.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import type { Lots, Ticks } from '../../../money/brand.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as amending from '../../../protocol/codec/amend/trigger.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { checkChange, checkTrigger } from '../../../risk/trigger.ts'
import type { State } from '../../state/state.ts'
import { checkAsleep, diesWithPosition, fallAsleep, leaveSleep } from '../positions/asleep.ts'
import { holdingOf, sleepersOf } from '../positions/close.ts'
import { checkExits, followed } from '../positions/exits.ts'
import { fitOrders } from '../positions/fill.ts'
import { flush } from '../positions/flush.ts'
import { checkPhase, isHalted } from '../market/gate.ts'
import { checkPosition, isInBand } from '../rules/checks.ts'
import { checkCertified, checkSize } from './place.ts'
import type { Contract, Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAmended } = writers
const { appendTrigger, readChange } = amending
const { AMEND_FLAGS, AMEND_HAS_MATCH, BY_MARK, CLOSING, MARKET_ORDER, STOP } = layout
const { C, F, FLAGS, I, ID, LEFT, PENDING, PRICE, UPDATED_AT, WAKING } = fields

/**
 * `perp.amend` with a trigger price: gives a stop that sleeps another trigger, limit price or quantity. The checks are those of a new
 * order with these terms; the stop keeps its number, its direction and its kind. `slot` below zero: no such order.
 */
export function amendSleeping(
  x: State,
  contract: Contract,
  slot: OrderSlot,
  user: UserId,
  data: Float64Array,
  start: number,
): Refusal | undefined {
  const { f, i } = x.orders
  const change = readChange(data, start)
  const { trigger, price, lots } = change
  const flags = (slot < 0 ? 0 : i[slot * I + FLAGS]) as OrderFlags
  const reduces = diesWithPosition(flags)
  const shut = slot < 0 ? undefined : checkPhase(contract, reduces, false)
  if (slot >= 0 && !reduces && x.isResting(user)) return 'RESTING'
  if (slot >= 0 && ((!reduces && isHalted(contract)) || shut === 'MARKET_HALTED')) return 'MARKET_HALTED'
  if ((data[start + AMEND_FLAGS]! & AMEND_HAS_MATCH) !== 0 || (slot >= 0 && hasWrongFields(x, slot, flags, price, lots)))
    return 'ORDER_TYPE_INVALID'
  const isAsleep = slot >= 0 && (flags & (STOP | PENDING | WAKING)) === (STOP | PENDING)
  const malformed = checkChange(change, slot >= 0, isAsleep)
  if (malformed !== undefined) return malformed
  const holding = holdingOf(x, contract, slot)
  const wrong = checkTerms(x, holding, slot, change) ?? shut ?? checkPlace(x, holding, slot, trigger, lots)
  if (wrong !== undefined) return wrong

  const now = followed(contract, (flags & BY_MARK) !== 0)
  const order = f[slot * F + ID] as OrderId
  x.order = order
  sleepersOf(contract, flags).remove(slot)
  leaveSleep(x, holding, slot)
  if (price !== undefined) f[slot * F + PRICE] = price
  if (lots !== undefined) f[slot * F + LEFT] = lots
  x.orders.c[slot * C + UPDATED_AT] = x.atMs
  x.orders.extra(slot).trigger = trigger
  sleepersOf(contract, flags).add(slot, now)
  fallAsleep(x, holding, slot, trigger)
  fitOrders(x, holding)
  writeAmended(x.events, order, user, contract.id, f[slot * F + PRICE] as Ticks, f[slot * F + LEFT] as Lots, 0)
  appendTrigger(x.events, trigger)
  flush(x)
  return undefined
}

/** Whether an order is given a price or a quantity that orders of its kind don't have. */
function hasWrongFields(x: State, slot: OrderSlot, flags: OrderFlags, price: Ticks | undefined, lots: Lots | undefined): boolean {
  if (lots !== undefined && (flags & CLOSING) !== 0) return true
  return price !== undefined && ((flags & MARKET_ORDER) !== 0 || x.orders.f[slot * F + PRICE] === 0)
}

/** Whether the new terms fit the market and the prices of now. */
function checkTerms(x: State, holding: Holding, slot: OrderSlot, change: amending.Change): Refusal | undefined {
  const { f, i } = x.orders
  const { contract, user } = holding
  const flags = i[slot * I + FLAGS] as OrderFlags
  const { trigger } = change
  const [wasPrice, wasLots, wasTrigger] = [f[slot * F + PRICE] as Ticks, f[slot * F + LEFT] as Lots, x.orders.extra(slot).trigger]
  const price = change.price ?? wasPrice
  const lots = change.lots ?? wasLots
  const counted = price === 0 ? contract.mark : price
  const isSame = price === wasPrice && lots === wasLots
  return (
    (isSame || (flags & CLOSING) !== 0 ? undefined : checkSize(contract, holding, flags, counted, lots)) ??
    checkTrigger(flags, trigger, 0 as Ticks, followed(contract, (flags & BY_MARK) !== 0)) ??
    checkExits(contract, flags, price === 0 ? trigger : price, x.perp.exits.get(f[slot * F + ID]!)) ??
    (price === 0 || isInBand(contract, price, trigger) ? undefined : 'PRICE_OUTSIDE_BAND') ??
    (isSame && trigger === wasTrigger ? 'AMEND_UNCHANGED' : undefined) ??
    (diesWithPosition(flags) ? undefined : checkCertified(x, user))
  )
}

/** Whether the position and the account let the order sleep with these terms. */
function checkPlace(x: State, holding: Holding, slot: OrderSlot, trigger: Ticks, lots: Lots | undefined): Refusal | undefined {
  const wrong = checkPosition(holding, holding.account.isHedge)
  if (wrong !== undefined || diesWithPosition(x.orders.i[slot * I + FLAGS] as OrderFlags)) return wrong
  return checkAsleep(x, holding, trigger, lots ?? (x.orders.f[slot * F + LEFT] as Lots), x.orders.extra(slot).held)
}
