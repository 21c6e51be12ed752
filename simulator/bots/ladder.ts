import { fixedChance } from './random.ts'
import { levels, sizeAt } from './terms.ts'

export type Side = 'buy' | 'sell'

/** A wanted quote: price in ticks, quantity in lots. */
export type Target = { readonly side: Side; readonly price: number; readonly lots: number }

/** An own open order. `executed` lots of its quantity are filled, `remaining` are not. */
export type OwnOrder = {
  readonly id: string
  readonly side: Side
  readonly price: number
  readonly remaining: number
  readonly executed: number
}

/**
 * Positions of quotes: on rungs a fixed number of ticks apart, so that when the price climbs one rung, one bid and one ask move
 * and all others stay. Two rungs lie between best bid and best ask.
 */
export type Ladder = { readonly rungTicks: number; readonly centre: number }

/**
 * The ladder for a price. It stays the same until the price has moved by more than half the spread (one rung) from its centre;
 * the distance of the rungs changes only when it is off by a fifth.
 */
export function ladderFor(indexTicks: number, spreadPpm: number, before: Ladder | undefined): Ladder {
  const wanted = Math.max(1, Math.round((indexTicks * spreadPpm) / 2_000_000))
  const rungTicks = before !== undefined && Math.abs(before.rungTicks - wanted) * 5 <= before.rungTicks ? before.rungTicks : wanted
  if (before !== undefined && rungTicks === before.rungTicks && Math.abs(indexTicks - before.centre * rungTicks) <= rungTicks) return before
  return { rungTicks, centre: Math.round(indexTicks / rungTicks) }
}

/**
 * Bids below and asks above the centre. Prices are slightly off their rung and sizes differ, always in the same way for
 * the same rung, so that a rung that stays needs no command.
 *
 * lotsOf    quantity of a level of this relative size on this side; below 1: the level is left out
 */
export function targets(symbol: string, ladder: Ladder, lotsOf: (side: Side, size: number) => number): readonly Target[] {
  const result: Target[] = []
  for (let level = 0; level < levels; level += 1) {
    for (const side of ['buy', 'sell'] as const) {
      const rung = ladder.centre + (side === 'buy' ? -1 - level : 1 + level)
      // Cut towards zero, two offsets never add up to a rung, so no two levels share a price.
      const offset = Math.trunc((fixedChance(`${symbol} ${rung}`) - 0.5) * 0.6 * ladder.rungTicks)
      const price = rung * ladder.rungTicks + offset
      const lots = Math.floor(lotsOf(side, sizeAt(level) * (0.6 + 0.8 * fixedChance(`${symbol} ${rung} size`))))
      if (price > 0 && lots >= 1) result.push({ side, price, lots })
    }
  }
  return result
}

export type Action =
  | { readonly kind: 'amend'; readonly order: OwnOrder; readonly price: number; readonly lots: number }
  | { readonly kind: 'place'; readonly target: Target }
  | { readonly kind: 'cancel'; readonly order: OwnOrder }

/**
 * The actions that bring the orders to the targets, most urgent first: orders on the wrong side of the centre, then orders far
 * from their target. An order without a target is moved to a target without an order; the lots of an amended order include its
 * fills.
 */
export function plan(orders: readonly OwnOrder[], wanted: readonly Target[], ladder: Ladder): readonly Action[] {
  const centre = ladder.centre * ladder.rungTicks
  const actions: { readonly action: Action; readonly urgency: number }[] = []
  for (const side of ['buy', 'sell'] as const) {
    const sign = side === 'buy' ? 1 : -1
    const open = wanted.filter((target) => target.side === side)
    const stray: OwnOrder[] = []
    for (const order of orders.filter((each) => each.side === side)) {
      const index = open.findIndex((target) => target.price === order.price)
      if (index < 0) stray.push(order)
      else if (order.remaining * 3 < open[index].lots) {
        // The level is mostly filled: replenish it when nothing is more urgent.
        actions.push({ action: { kind: 'amend', order, price: order.price, lots: order.executed + open[index].lots }, urgency: -1e15 })
        open.splice(index, 1)
      } else open.splice(index, 1)
    }
    // The order furthest on the dangerous side gets the furthest free rung.
    stray.sort((a, b) => (b.price - a.price) * sign)
    open.sort((a, b) => (a.price - b.price) * sign)
    for (const order of stray) {
      const danger = (order.price - centre) * sign
      const target = open.shift()
      if (target === undefined) actions.push({ action: { kind: 'cancel', order }, urgency: danger })
      else actions.push({ action: { kind: 'amend', order, price: target.price, lots: order.executed + target.lots }, urgency: danger })
    }
    // New orders, from the inside out.
    for (const target of open) actions.push({ action: { kind: 'place', target }, urgency: (target.price - centre) * sign - 1e12 })
  }
  return actions.sort((a, b) => b.urgency - a.urgency).map(({ action }) => action)
}
