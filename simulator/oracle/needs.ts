import type { Order, OracleState, Venue } from './state.ts'

/** Quote units of lots at a price. */
export function worth(venue: Venue, price: number, lots: number): bigint {
  return BigInt(price) * BigInt(lots) * BigInt(venue.market.quotePerTickLot)
}

export function baseOf(venue: Venue, lots: number): bigint {
  return BigInt(lots) * BigInt(venue.market.basePerLot)
}

/** The other leg of an order's list that is alive. */
export function siblingOf(state: OracleState, order: Order): Order | undefined {
  if (order.list === 0) return undefined
  return [...state.orders.values()].find((one) => one.list === order.list && one.order !== order.order)
}

/** Lots of which neither became anything. */
export function leftOf({ lots, executedLots, preventedLots }: Pick<Order, 'lots' | 'executedLots' | 'preventedLots'>): number {
  return lots - executedLots - preventedLots
}

/** What a resting order can still cost its owner. */
export function restingNeed(venue: Venue, order: Order, price = order.price, left = leftOf(order)): bigint {
  return order.side === 'buy' ? worth(venue, price, left) : baseOf(venue, left)
}

/** What an order holds: in the book, what it can still cost; asleep, what was worked out when it was placed. */
export function needOf(venue: Venue, order: Order): bigint {
  if (order.isParked) return 0n
  if (order.triggeredAt !== undefined) return order.workingNeed
  return order.status === 'open' ? restingNeed(venue, order) : order.sleepingNeed
}
