import type { Order, OracleState, Venue } from './state.ts'

/** Trades went from the first of these prices to the last: who waited for one between joins those that wake. */
export function reach(state: OracleState, venue: Venue, prices: readonly number[]): void {
  const [first, last] = [prices[0], prices.at(-1)]
  if (first === undefined || last === undefined) return
  for (const price of first === last ? [first] : [first, last]) {
    const asleep = [...state.orders.values()]
      .filter((order) => order.market === venue.market.id && order.status === 'pending' && !state.wakes.includes(order.order))
      .sort((a, b) => a.order - b.order)
    state.wakes.push(...stops(asleep, 'rises-to', price), ...stops(asleep, 'falls-to', price), ...trailing(asleep, price))
  }
}

/** Stops that the price reached, the nearest to where it came from first. */
function stops(asleep: readonly Order[], direction: 'rises-to' | 'falls-to', price: number): readonly number[] {
  const sign = direction === 'rises-to' ? 1 : -1
  return asleep
    .flatMap((order) =>
      order.trigger?.kind === 'stop' && order.trigger.direction === direction ? [{ order, at: order.trigger.price }] : [],
    )
    .filter(({ at }) => sign * (price - at) >= 0)
    .sort((a, b) => sign * (a.at - b.at))
    .map(({ order }) => order.order)
}

/** Trailing orders see the price: they start at their activation, follow to the best price, and wake a trail behind it. */
function trailing(asleep: readonly Order[], price: number): readonly number[] {
  const woken: number[] = []
  for (const order of asleep) {
    const { trigger } = order
    if (trigger?.kind !== 'trailing') continue
    const falls = trigger.direction === 'falls-to'
    const isActive = trigger.activation === undefined || (falls ? price >= trigger.activation : price <= trigger.activation)
    if (order.peak === 0 && isActive) order.peak = price
    if (order.peak === 0) continue
    order.peak = falls ? Math.max(order.peak, price) : Math.min(order.peak, price)
    const back = falls ? order.peak - price : price - order.peak
    if (BigInt(back) * 1_000_000n >= BigInt(order.peak) * BigInt(trigger.trailPpm)) woken.push(order.order)
  }
  return woken
}
