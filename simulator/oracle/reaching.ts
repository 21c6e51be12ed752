import type { Order, OracleState, Venue } from './state.ts'

/** Trades moved through these prices: orders with a trigger between them are queued to be triggered. */
export function reach(state: OracleState, venue: Venue, prices: readonly number[]): void {
  const [first, last] = [prices[0], prices.at(-1)]
  if (first === undefined || last === undefined) return
  for (const price of first === last ? [first] : [first, last]) {
    const asleep = [...state.orders.values()].filter(
      (order) => order.market === venue.market.id && order.status === 'pending' && !order.isParked && !state.wakes.includes(order),
    )
    for (const order of asleep) follow(order, price)
    state.wakes.push(...reached(asleep, 'rises-to', price), ...reached(asleep, 'falls-to', price))
  }
}

/** Orders whose trigger was reached, in the direction of the move; for equal triggers, in the order in which they went to sleep with them. */
function reached(asleep: readonly Order[], direction: 'rises-to' | 'falls-to', price: number): readonly Order[] {
  const sign = direction === 'rises-to' ? 1n : -1n
  const at = BigInt(price) * 1_000_000n
  return asleep
    .flatMap((order) => {
      const trigger = triggerOf(order)
      return order.trigger?.direction === direction && trigger !== undefined ? [{ order, trigger }] : []
    })
    .filter(({ trigger }) => sign * (at - trigger) >= 0n)
    .sort((a, b) => Number(sign * (a.trigger - b.trigger)) || a.order.updatedAt - b.order.updatedAt || a.order.order - b.order.order)
    .map(({ order }) => order)
}

/** Trigger price of an order in millionths of a tick; undefined for a trailing order that is not active. */
function triggerOf({ trigger, peak }: Order): bigint | undefined {
  if (trigger === undefined) return undefined
  if (trigger.kind === 'stop') return BigInt(trigger.price) * 1_000_000n
  if (peak === 0) return undefined
  const trail = BigInt(trigger.trailPpm)
  return BigInt(peak) * (trigger.direction === 'falls-to' ? 1_000_000n - trail : 1_000_000n + trail)
}

/** Updates a trailing order with a price: it starts at its activation price and follows the best price. */
function follow(order: Order, price: number): void {
  const { trigger } = order
  if (trigger?.kind !== 'trailing') return
  const falls = trigger.direction === 'falls-to'
  const isActive = trigger.activation === undefined || (falls ? price >= trigger.activation : price <= trigger.activation)
  if (order.peak === 0 && isActive) order.peak = price
  if (order.peak !== 0) order.peak = falls ? Math.max(order.peak, price) : Math.min(order.peak, price)
}
