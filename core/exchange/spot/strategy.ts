/** The strategy numbers that a program attaches to an order: reported with the order, kept while it is alive, without effect. */
import type { OrderSlot } from '../../book/order-fields.ts'
import { appendStrategy } from '../../protocol/codec/event-write.ts'
import { PLACE_STRATEGY, PLACE_STRATEGY_TYPE } from '../../protocol/codec/layout.ts'
import type { State } from '../state/state.ts'

/** Adds the command's strategy numbers to the event that was just written. */
export function tellStrategy(x: State, data: Float64Array, start: number): void {
  appendStrategy(x.events, data[start + PLACE_STRATEGY]!, data[start + PLACE_STRATEGY_TYPE]!)
}

export function keepStrategy(x: State, slot: OrderSlot, data: Float64Array, start: number): void {
  const extra = x.orders.extra(slot)
  extra.strategy = data[start + PLACE_STRATEGY]!
  extra.strategyType = data[start + PLACE_STRATEGY_TYPE]!
}
