/** The user's own orders in a book, which no order of theirs trades with. */
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useOpenOrders } from './own-orders.ts'

/** Prices of the user's orders on one side of a market's book. Those that wait for a trigger are not in it. */
export function useOwnResting(symbol: string, side: Side): ReadonlySet<string> {
  return restingPrices(useOpenOrders().data, symbol, side)
}

export function restingPrices(orders: readonly WireOrder[] | undefined, symbol: string, side: Side): ReadonlySet<string> {
  const isThere = (order: WireOrder): boolean => order.symbol === symbol && order.side === side && order.status !== 'pending'
  return new Set((orders ?? []).flatMap((order) => (isThere(order) && order.price !== undefined ? [order.price] : [])))
}
