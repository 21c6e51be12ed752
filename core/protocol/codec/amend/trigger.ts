/** Slots of the trigger price that an amend gives an order that sleeps, and of the same price in the event that reports it. */
import type { Lots, Ticks } from '../../../money/brand.ts'
import * as at from '../layout.ts'
import { head, opcodeOf } from '../records.ts'
import type { Records } from '../records.ts'
import { readLots, readTicks } from '../slots.ts'
import type { Read } from '../slots.ts'

/** One more slot for an amend of a sleeping order: its new trigger price. The slot of `AMEND_MATCH` stands before it, unused. */
export const AMEND_TRIGGER = at.AMEND_LENGTH + 1
export const AMEND_HAS_TRIGGER = 16
export const AMEND_TRIGGER_SLOTS = 2

/** The values that an amend of a sleeping order names; undefined where the order keeps its own. */
export type Change = { readonly trigger: Ticks; readonly price: Ticks | undefined; readonly lots: Lots | undefined }

export const readChange: Read<Change> = (data, start) => {
  const given = data[start + at.AMEND_FLAGS]!
  return {
    trigger: readTicks(data, start + AMEND_TRIGGER),
    price: (given & at.AMEND_HAS_PRICE) === 0 ? undefined : readTicks(data, start + at.AMEND_PRICE),
    lots: (given & at.AMEND_HAS_LOTS) === 0 ? undefined : readLots(data, start + at.AMEND_LOTS),
  }
}

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
