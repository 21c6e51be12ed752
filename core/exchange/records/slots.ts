import type { OrderSlot } from '../../book/order-fields.ts'

/** Slots of the orders of one account or position, in no order that a restored exchange would have too. */
export type Slots = ReadonlySet<number>

/** What the many have that have no orders: nothing is allocated for them. */
export const noSlots: Slots = new Set()

/** The same with one more. The set that is given is not to be used any more. */
export function withSlot(slots: Slots, slot: OrderSlot): Slots {
  return slots === noSlots ? new Set([slot]) : (slots as Set<number>).add(slot)
}

/** The same without one. The set that is given is not to be used any more. */
export function withoutSlot(slots: Slots, slot: OrderSlot): Slots {
  if (slots !== noSlots) (slots as Set<number>).delete(slot)
  return slots.size === 0 ? noSlots : slots
}
