/** What an order is at a price, exact. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { notional, parseLots, parseTicks, quotePerTickLot } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'

/** The price at which an order acts: its trigger while it sleeps, else its limit. Undefined for orders without a fixed price. */
export function actingPrice(order: WireOrder): Decimal | undefined {
  if (order.status !== 'pending') return order.type === 'limit' ? order.price : undefined
  return order.trigger?.kind === 'stop' ? order.trigger.price : undefined
}

/** The price at which an order trades, as far as it is known, when its line is at `at`: a stop with a limit trades at that. */
export function tradingPrice(order: WireOrder, at: Decimal): Decimal {
  return order.status === 'pending' ? (order.price ?? at) : at
}

/** What is left of an order in lots; 0 without a quantity. */
export function leftOf(order: WireOrder, { lot }: Pick<WireMarket, 'lot'>): number {
  return Math.max(0, (parseLots(order.quantity ?? '0', lot) ?? 0) - (parseLots(order.executed, lot) ?? 0))
}

/** Value of the rest of an order at a price: price × quantity, exact. */
export function valueAt(order: WireOrder, price: Decimal, market: WireMarket, quoteScale: number): Decimal | undefined {
  const ticks = parseTicks(price, market.tick)
  const perTickLot = quotePerTickLot(market.tick, market.lot, quoteScale)
  const lots = leftOf(order, market)
  if (ticks === undefined || perTickLot === undefined || lots === 0) return undefined
  return formatUnits(notional(ticks, lots, { quotePerTickLot: perTickLot }), quoteScale)
}
