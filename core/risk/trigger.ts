/** Triggers of orders that sleep, in Spot, Margin and Futures. */
import type { Ticks } from '../money/brand.ts'
import type { Change } from '../protocol/codec/amend/trigger.ts'
import * as layout from '../protocol/codec/layout.ts'
import type { OrderFlags } from '../protocol/codec/layout.ts'
import type { Refusal } from '../protocol/refusal.ts'
import { isPrice } from './orders.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { FALLS, HAS_ACTIVATION, STOP, TRAILING } = layout

/** Allowed distance of a trailing order behind the price: 0.1 % to 20 %. */
export const trailMinPpm = 1_000
export const trailMaxPpm = 200_000

/**
 * Whether an order may wait for its trigger: a price that a stop has not reached yet, or the trail of a trailing order. `now`: the price
 * that it follows; 0: none yet, or it does not matter.
 */
export function checkTrigger(flags: OrderFlags, trigger: Ticks, activation: Ticks, now: Ticks): Refusal | undefined {
  if ((flags & STOP) !== 0) {
    if (!isPrice(trigger)) return 'TRIGGER_INVALID'
    if (now === 0) return undefined
    return ((flags & FALLS) !== 0 ? now <= trigger : now >= trigger) ? 'TRIGGER_IMMEDIATE' : undefined
  }
  if ((flags & TRAILING) === 0) return undefined
  if ((flags & HAS_ACTIVATION) !== 0 && !isPrice(activation)) return 'TRIGGER_INVALID'
  return trigger >= trailMinPpm && trigger <= trailMaxPpm ? undefined : 'TRAIL_INVALID'
}

/**
 * Whether an amend names values that a stop can have, and a stop that sleeps. The trigger of such a stop is checked with its other new
 * terms, by `checkTrigger`.
 */
export function checkChange({ trigger, price, lots }: Change, isKnown: boolean, isAsleep: boolean): Refusal | undefined {
  if (price !== undefined && !isPrice(price)) return 'PRICE_INVALID'
  if (lots !== undefined && lots <= 0) return 'QUANTITY_INVALID'
  if (isAsleep) return undefined
  if (!isPrice(trigger)) return 'TRIGGER_INVALID'
  return isKnown ? 'ORDER_NOT_AMENDABLE' : 'ORDER_UNKNOWN'
}
