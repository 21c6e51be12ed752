import type { Order, OracleState, Venue } from './state.ts'

/** Value of lots at a price, in quote units. */
export function worth(venue: Venue, price: number, lots: number): bigint {
  return BigInt(price) * BigInt(lots) * BigInt(venue.market.quotePerTickLot)
}

export function baseOf(venue: Venue, lots: number): bigint {
  return BigInt(lots) * BigInt(venue.market.basePerLot)
}

/** The other open leg of an order's pair. */
export function siblingOf(state: OracleState, order: Order): Order | undefined {
  if (order.list === 0 || order.role === 'working') return undefined
  return [...state.orders.values()].find((one) => one.list === order.list && one.order !== order.order && one.role !== 'working')
}

/** Lots that were neither executed nor removed by self-trade prevention. */
export function leftOf({ lots, executedLots, preventedLots }: Pick<Order, 'lots' | 'executedLots' | 'preventedLots'>): number {
  return lots - executedLots - preventedLots
}

/** The amount that a resting order can still cost its owner. */
export function restingNeed(venue: Venue, order: Order, price = order.price, left = leftOf(order)): bigint {
  return order.side === 'buy' ? worth(venue, price, left) : baseOf(venue, left)
}

/** The hold of an order: the amount that it can still cost; for a waiting order, the amount fixed when it was placed. */
export function needOf(venue: Venue, order: Order): bigint {
  if (order.isParked) return 0n
  if (order.triggeredAt !== undefined) return order.workingNeed
  return order.status === 'open' ? restingNeed(venue, order) : order.sleepingNeed
}
