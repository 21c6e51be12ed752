import * as fields from '../../book/order-fields.ts'
import type { State } from '../state.ts'
import type { Venue } from '../venue.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { F, FLAGS, I, ID, WAKING } = fields

/** Trades were made from the first price to the last: whoever waited for a price between joins the wake queue. */
export function reach(x: State, venue: Venue, first: number, last: number): void {
  const { i, f } = x.orders
  const wake = (slot: number): void => {
    i[slot * I + FLAGS] = i[slot * I + FLAGS]! | WAKING
    x.wakes.add(venue.id, f[slot * F + ID]!)
  }
  venue.triggers.reach(first, wake)
  if (last !== first) venue.triggers.reach(last, wake)
}
