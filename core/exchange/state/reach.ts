import type { Ticks } from '../../money/brand.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { MarketId, OrderId } from '../../protocol/ids.ts'
import * as fields from '../../book/order-fields.ts'
import type { Triggers } from '../../book/triggers.ts'
import type { State } from './state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { F, FLAGS, I, ID, WAKING } = fields

/** Adds the orders that a command's `first` or `last` price triggers to the wake queue. */
export function reach(x: State, market: MarketId, triggers: Triggers, first: Ticks, last: Ticks): void {
  const { f, i } = x.orders
  const wake = (slot: OrderSlot): void => {
    i[slot * I + FLAGS] = i[slot * I + FLAGS]! | WAKING
    x.wakes.add(market, f[slot * F + ID] as OrderId)
  }
  triggers.reach(first, wake)
  if (last !== first) triggers.reach(last, wake)
}
