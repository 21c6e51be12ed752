/** Slots of the trigger price that an amend gives an order that sleeps, and of the same price in the event that reports it. */
import type { Ticks } from '../../../money/brand.ts'
import * as at from '../layout.ts'
import { head, opcodeOf } from '../records.ts'
import type { Records } from '../records.ts'

/** One more slot for an amend of a sleeping order: its new trigger price. The slot of `AMEND_MATCH` stands before it, unused. */
export const AMEND_TRIGGER = at.AMEND_LENGTH + 1
export const AMEND_HAS_TRIGGER = 16
export const AMEND_TRIGGER_SLOTS = 2

/** Length of `order.amended`, without and with a trigger price, which stands last. */
export const AMENDED_LENGTH = 7
export const AMENDED_WITH_TRIGGER = 8

/** Adds the new trigger price of a sleeping order to `order.amended`, which must be the last event written. */
export function appendTrigger(into: Records, trigger: Ticks): void {
  const at = into.reserve(1)
  const { data } = into
  data[at - AMENDED_LENGTH] = head(opcodeOf(data[at - AMENDED_LENGTH]!), AMENDED_WITH_TRIGGER)
  data[at] = trigger
}
