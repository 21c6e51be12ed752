import type { Order, OracleState, Venue } from './state.ts'

/** Trades went from the first of these prices to the last: orders that waited for one between join those that wake. */
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

/** Orders that the price reached, the nearest trigger to where it came from first, of equal ones the oldest. */
function reached(asleep: readonly Order[], direction: 'rises-to' | 'falls-to', price: number): readonly Order[] {
  const sign = direction === 'rises-to' ? 1n : -1n
  const at = BigInt(price) * 1_000_000n
  return asleep
    .flatMap((order) => {
      const trigger = triggerOf(order)
      return order.trigger?.direction === direction && trigger !== undefined ? [{ order, trigger }] : []
    })
    .filter(({ trigger }) => sign * (at - trigger) >= 0n)
    .sort((a, b) => Number(sign * (a.trigger - b.trigger)) || a.order.order - b.order.order)
    .map(({ order }) => order)
}

/** Where an order wakes, in millionths of a tick; a trailing one that is not active wakes nowhere. */
function triggerOf({ trigger, peak }: Order): bigint | undefined {
  if (trigger === undefined) return undefined
  if (trigger.kind === 'stop') return BigInt(trigger.price) * 1_000_000n
  if (peak === 0) return undefined
  const trail = BigInt(trigger.trailPpm)
  return BigInt(peak) * (trigger.direction === 'falls-to' ? 1_000_000n - trail : 1_000_000n + trail)
}

/** A trailing order sees the price: it starts at its activation and follows to the best price. */
function follow(order: Order, price: number): void {
  const { trigger } = order
  if (trigger?.kind !== 'trailing') return
  const falls = trigger.direction === 'falls-to'
  const isActive = trigger.activation === undefined || (falls ? price >= trigger.activation : price <= trigger.activation)
  if (order.peak === 0 && isActive) order.peak = price
  if (order.peak !== 0) order.peak = falls ? Math.max(order.peak, price) : Math.min(order.peak, price)
}
