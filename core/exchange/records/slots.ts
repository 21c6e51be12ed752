import type { OrderSlot } from '../../book/order-fields.ts'

/** Slots of the orders of one account or position, in an order that a restored exchange would not have. */
export type Slots = ReadonlySet<number>

/** Shared by all accounts without orders, so that nothing is allocated for them. */
export const noSlots: Slots = new Set()

/** Adds a slot. The given set must not be used afterwards. */
export function withSlot(slots: Slots, slot: OrderSlot): Slots {
  return slots === noSlots ? new Set([slot]) : (slots as Set<number>).add(slot)
}

/** Removes a slot. The given set must not be used afterwards. */
export function withoutSlot(slots: Slots, slot: OrderSlot): Slots {
  if (slots !== noSlots) (slots as Set<number>).delete(slot)
  return slots.size === 0 ? noSlots : slots
}
